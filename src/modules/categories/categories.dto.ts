import { PageQuery } from '../../api/dto/page.js';
import { RecordDto } from '../../api/dto/record.dto.js';
import { Both, Changes, Complete, FreeFormObject, OneOf, Text, Uuid } from '../../api/validation/fields.js';
import { CustomFields } from '../../api/validation/custom-fields.js';
import { FREE_FORM_FIELD, type FreeForm } from '../../kernel/json.js';
import { SOURCE_MAPPING } from '../rules/index.js';
import { CATEGORY_STATUSES, SOURCE_PROVIDERS, Category, type CategoryStatus, type SourceProvider } from './category.entity.js';

export class CreateExpenseCategoryDto {
  @Uuid({
    about: 'Claim project of the category; `null`: the whole organization.',
    optional: true,
    nullable: true,
    default: null,
  })
  projectId?: string | null;

  @Text({
    about: 'Your code for the category. Unique (case-insensitive) within its project, or among categories without one.',
    min: 1,
    max: 100,
    example: 'TRAVEL-RAIL',
  })
  code: string;

  @Text({ about: 'Name of the category.', min: 1, max: 200, example: 'Rail travel' })
  name: string;

  @OneOf(SOURCE_PROVIDERS, { about: 'Origin of the category.', grows: true, optional: true, default: 'manual', example: 'manual' })
  sourceProvider?: SourceProvider;

  @FreeFormObject({
    about:
      'Which lines of bank statements belong to the category: `rules`, each with conditions `{field, op, value}` in `all`, `any` ' +
      'or `none`, `claimablePercent` and `taxPercent`; `priority`. Fields: description, counterparty, account, reference, amount, date, ' +
      'direction (in, out), currency. Ops: is, isNot, oneOf; for texts contains, startsWith, endsWith, matches; for amount and ' +
      `date gte, lte, between. For bookings: account, contraAccount, taxKey. Other keys are kept. ${FREE_FORM_FIELD}`,
    grammar: SOURCE_MAPPING,
    optional: true,
    default: {},
    example: {
      rules: [
        {
          all: [
            { field: 'counterparty', op: 'contains', value: 'Rail' },
            { field: 'direction', op: 'is', value: 'out' },
          ],
          claimablePercent: 100,
        },
      ],
      priority: 10,
    },
  })
  sourceMapping?: FreeForm;

  @OneOf(CATEGORY_STATUSES, {
    about: 'Status of the category. It may change to any other.',
    optional: true,
    default: 'active',
    example: 'active',
  })
  status?: CategoryStatus;
}

export class UpdateExpenseCategoryDto extends Changes(CreateExpenseCategoryDto) {}

export class ListExpenseCategoriesQuery extends PageQuery {
  @Text({ about: 'Case-insensitive substring of the code or name.', max: 200, optional: true, example: 'travel' })
  search?: string;

  @Uuid({ about: 'Only categories of this claim project.', optional: true })
  project_id?: string;

  @OneOf(CATEGORY_STATUSES, { about: 'Only categories with this status.', optional: true, example: 'active' })
  status?: CategoryStatus;
}

export class ExpenseCategoryDto extends Both(RecordDto, Complete(CreateExpenseCategoryDto)) {
  static from(row: Category): ExpenseCategoryDto {
    const { id, environment, projectId, code, name, sourceProvider, sourceMapping, status, createdAt, updatedAt } = row;
    return {
      id,
      environment,
      projectId,
      code,
      name,
      sourceProvider,
      sourceMapping,
      status,
      createdAt,
      updatedAt,
      ...CATEGORY_FIELDS.shown(row),
    };
  }
}

/** The fields that extensions declare. */
export const CATEGORY_FIELDS = new CustomFields({
  table: 'expense_categories',
  entity: Category,
  create: CreateExpenseCategoryDto,
  update: UpdateExpenseCategoryDto,
  answer: ExpenseCategoryDto,
  list: ListExpenseCategoriesQuery,
});
