import { Entity, Index } from 'typeorm';
import { RecordFields } from '../../../api/validation/record-fields.js';
import type { Environment } from '../../../kernel/context.js';
import { IdColumn, JsonColumn, type TenantRow, TextColumn, TimestampColumn } from '../../../store/database/columns.js';
import type { WrittenLayout } from '../../../../tools/bank-tables/index.js';
import {
  CreateStatementLayoutDto,
  ListStatementLayoutsQuery,
  StatementLayoutDto,
  UpdateStatementLayoutDto,
} from './statement-layouts.dto.js';

/** How an organization reads the tables with one header, or if it is named those without one. */
@Entity('statement_layouts')
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
}

export const STATEMENT_LAYOUT_FIELDS = new RecordFields({
  entity: StatementLayout,
  create: CreateStatementLayoutDto,
  update: UpdateStatementLayoutDto,
  answer: StatementLayoutDto,
  list: ListStatementLayoutsQuery,
});

/** As the API and pages show it: its name is beside the layout. */
export function shownLayout(row: StatementLayout): StatementLayoutDto {
  const { name: _name, ...layout } = row.layout;
  return { ...StatementLayoutDto.from(row), layout };
}
