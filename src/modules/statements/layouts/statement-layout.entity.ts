import { Entity, Index } from 'typeorm';
import { IdColumn, JsonColumn, TextColumn, TimestampColumn } from '../../../store/database/columns.js';
import type { Environment } from '../../../kernel/context.js';
import type { WrittenLayout } from '../formats/csv/layouts/written-layout.js';

/** How an organization reads the tables with one header, or if it is named those without one. */
@Entity('statement_layouts')
@Index('statement_layouts_name', ['organizationId', 'environment', 'name'], { unique: true })
@Index('statement_layouts_fingerprint', ['organizationId', 'environment', 'fingerprint'], { unique: true })
export class StatementLayout {
  @IdColumn() id: string;
  @IdColumn() organizationId: string;
  @TextColumn() environment: Environment;
  @TextColumn() name: string;
  /** Of the header; null without one. */
  @TextColumn({ nullable: true }) fingerprint: string | null;
  @JsonColumn() layout: WrittenLayout;
  @TimestampColumn() createdAt: string;
}
