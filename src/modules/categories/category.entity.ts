import { Entity, Index } from 'typeorm';
import { RecordFields, RowOf } from '../../api/validation/record-fields.js';
import { CustomFieldsColumn, TextColumn, type CustomValues } from '../../store/database/columns.js';
import { CreateExpenseCategoryDto, ExpenseCategoryDto, ListExpenseCategoriesQuery, UpdateExpenseCategoryDto } from './categories.dto.js';
import { PersonStays } from '../../store/tenant/organization-tables.js';

@Entity('expense_categories')
@PersonStays(['name', 'source_mapping', 'custom_fields', 'search_key'])
@Index('expense_categories_newest', ['organizationId', 'environment', 'id'])
@Index('expense_categories_changed', ['organizationId', 'environment', 'updatedAt'])
@Index('expense_categories_by_status', ['organizationId', 'environment', 'status', 'id'])
@Index('expense_categories_by_project', ['organizationId', 'environment', 'projectId', 'id'])
@Index('expense_categories_search', { synchronize: false })
@Index('expense_categories_unique', ['organizationId', 'environment', 'uniqueKey'], { unique: true })
export class Category extends RowOf(CreateExpenseCategoryDto) {
  /** Equal for two categories that must not both exist. A digest, since index entries are limited in size. */
  @TextColumn({ select: false }) uniqueKey?: string;
  /** Code and name, folded: the text that a search looks through. */
  @TextColumn({ select: false }) searchKey?: string;
  @CustomFieldsColumn() customFields?: CustomValues;
}

export const CATEGORY_FIELDS = new RecordFields({
  entity: Category,
  create: CreateExpenseCategoryDto,
  update: UpdateExpenseCategoryDto,
  answer: ExpenseCategoryDto,
  list: ListExpenseCategoriesQuery,
  customFieldsOf: 'expense_categories',
});
