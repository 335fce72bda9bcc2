import { Entity, Index } from 'typeorm';
import { CustomFieldsColumn, DateColumn, JsonColumn, TenantRow, TextColumn, UuidColumn } from '../../store/database/columns.js';
import type { CustomValues } from '../../store/tenant/custom-columns.js';
import type { FreeForm } from '../../kernel/json.js';

export const CONFIGURATION_STATUSES = ['draft', 'ready', 'archived'] as const;
export type ConfigurationStatus = (typeof CONFIGURATION_STATUSES)[number];
export const ACCOUNTING_PROVIDERS = ['manual'] as const;
export type AccountingProvider = (typeof ACCOUNTING_PROVIDERS)[number];

@Entity('report_configurations')
@Index('report_configurations_newest', ['organizationId', 'environment', 'id'])
@Index('report_configurations_by_status', ['organizationId', 'environment', 'status', 'id'])
@Index('report_configurations_by_project', ['organizationId', 'environment', 'projectId', 'id'])
@Index('report_configurations_search', { synchronize: false })
export class Configuration extends TenantRow {
  @UuidColumn({ nullable: true }) projectId: string | null;
  @TextColumn() name: string;
  @TextColumn() accountingProvider: AccountingProvider;
  @DateColumn() periodStart: string;
  @DateColumn() periodEnd: string;
  @JsonColumn() categoryFilter: FreeForm;
  @JsonColumn() outputOptions: FreeForm;
  @TextColumn() status: ConfigurationStatus;
  /** The name, folded: the text that a search looks through. */
  @TextColumn({ select: false }) searchKey?: string;
  @CustomFieldsColumn() customFields?: CustomValues;
}
