import { Entity, Index } from 'typeorm';
import { CustomFieldsColumn, JsonColumn, TenantRow, TextColumn, UuidColumn } from '../../store/database/columns.js';
import type { CustomValues } from '../../store/tenant/custom-columns.js';
import type { FreeForm } from '../../kernel/json.js';

export const CATEGORY_STATUSES = ['active', 'archived'] as const;
export type CategoryStatus = (typeof CATEGORY_STATUSES)[number];
export const SOURCE_PROVIDERS = ['manual'] as const;
export type SourceProvider = (typeof SOURCE_PROVIDERS)[number];

@Entity('expense_categories')
@Index('expense_categories_newest', ['organizationId', 'environment', 'id'])
@Index('expense_categories_by_status', ['organizationId', 'environment', 'status', 'id'])
@Index('expense_categories_by_project', ['organizationId', 'environment', 'projectId', 'id'])
@Index('expense_categories_search', { synchronize: false })
@Index('expense_categories_unique', ['organizationId', 'environment', 'uniqueKey'], { unique: true })
export class Category extends TenantRow {
  @UuidColumn({ nullable: true }) projectId: string | null;
  @TextColumn() code: string;
  @TextColumn() name: string;
  @TextColumn() sourceProvider: SourceProvider;
  @JsonColumn() sourceMapping: FreeForm;
  @TextColumn() status: CategoryStatus;
  /** Equal for two categories that must not both exist. A digest, since index entries are limited in size. */
  @TextColumn({ select: false }) uniqueKey?: string;
  /** Code and name, folded: the text that a search looks through. */
  @TextColumn({ select: false }) searchKey?: string;
  @CustomFieldsColumn() customFields?: CustomValues;
}
