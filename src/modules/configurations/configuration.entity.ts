import { Entity, Index } from 'typeorm';
import { RecordFields, RowOf } from '../../api/validation/record-fields.js';
import { CustomFieldsColumn, JsonColumn, TextColumn, type CustomValues } from '../../store/database/columns.js';
import {
  CreateReportConfigurationDto,
  ListReportConfigurationsQuery,
  ReportConfigurationDto,
  UpdateReportConfigurationDto,
} from './configurations.dto.js';
import { PersonStays } from '../../store/tenant/organization-tables.js';

export const TEST_OUTCOMES = ['failed', 'cancelled', 'succeeded'] as const;

/** What becomes of a run in the test environment, as somebody has asked for it. */
export interface TestOutcome {
  readonly outcome: (typeof TEST_OUTCOMES)[number];
  /** null of a run that does not fail. */
  readonly failureCode: string | null;
  /** For how long it is running first. */
  readonly takesSeconds: number;
}

@Entity('report_configurations')
@PersonStays(['name', 'custom_fields', 'search_key'])
@Index('report_configurations_newest', ['organizationId', 'environment', 'id'])
@Index('report_configurations_changed', ['organizationId', 'environment', 'updatedAt'])
@Index('report_configurations_by_status', ['organizationId', 'environment', 'status', 'id'])
@Index('report_configurations_by_project', ['organizationId', 'environment', 'projectId', 'id'])
@Index('report_configurations_search', { synchronize: false })
export class Configuration extends RowOf(CreateReportConfigurationDto) {
  /** The name, folded: the text that a search looks through. */
  @TextColumn({ select: false }) searchKey?: string;
  /** Of its next run, which takes it along. */
  @JsonColumn({ nullable: true, select: false }) testOutcome?: TestOutcome | null;
  @CustomFieldsColumn() customFields?: CustomValues;
}

export const CONFIGURATION_FIELDS = new RecordFields({
  entity: Configuration,
  create: CreateReportConfigurationDto,
  update: UpdateReportConfigurationDto,
  answer: ReportConfigurationDto,
  list: ListReportConfigurationsQuery,
  customFieldsOf: 'report_configurations',
});
