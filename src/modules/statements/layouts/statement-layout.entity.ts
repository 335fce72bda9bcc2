import { Entity, Index } from 'typeorm';
import { RecordFields } from '../../../api/validation/record-fields.js';
import type { Environment } from '../../../kernel/context.js';
import { CustomFieldsColumn, type CustomValues, IdColumn, JsonColumn, type TenantRow } from '../../../store/database/columns.js';
import { TextColumn, TimestampColumn } from '../../../store/database/columns.js';
import { PersonStays } from '../../../store/tenant/organization-tables.js';
import type { WrittenLayout } from '../../../../tools/bank-tables/index.js';
import {
  CreateStatementLayoutDto,
  ListStatementLayoutsQuery,
  StatementLayoutDto,
  UpdateStatementLayoutDto,
} from './statement-layouts.dto.js';

/** How an organization reads the tables with one header, or if it is named those without one. */
@Entity('statement_layouts')
@PersonStays(['custom_fields'])
@Index('statement_layouts_name', ['organizationId', 'environment', 'name'], { unique: true })
@Index('statement_layouts_fingerprint', ['organizationId', 'environment', 'fingerprint'], { unique: true })
export class StatementLayout implements TenantRow {
  @IdColumn() id: string;
  @IdColumn() organizationId: string;
  @TextColumn() environment: Environment;
  @TimestampColumn() createdAt: string;
  @TimestampColumn({ default: () => 'now()' }) updatedAt: string;
  @TextColumn() name: string;
  /** Of the header; null without one. */
  @TextColumn({ nullable: true }) fingerprint: string | null;
  /** With its name. */
  @JsonColumn() layout: WrittenLayout;
  @CustomFieldsColumn() customFields?: CustomValues;
}

export const STATEMENT_LAYOUT_FIELDS = new RecordFields({
  entity: StatementLayout,
  create: CreateStatementLayoutDto,
  update: UpdateStatementLayoutDto,
  answer: StatementLayoutDto,
  list: ListStatementLayoutsQuery,
  // Its name is beside the layout.
  also: ({ layout: { name: _name, ...layout } }: StatementLayout) => ({ layout }),
  customFieldsOf: 'statement_layouts',
});

export const shownLayout = (row: StatementLayout): StatementLayoutDto => StatementLayoutDto.from(row);
