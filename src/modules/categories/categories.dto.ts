import { RecordPageQuery } from '../../api/dto/page.js';
import { Changes, FreeFormObject, NULL_BY_DEFAULT, OneOf, Text, Uuid } from '../../api/validation/fields.js';
import { AnswerOf } from '../../api/validation/record-fields.js';
import { FREE_FORM_FIELD, type FreeForm } from '../../kernel/json.js';
import { SOURCE_MAPPING } from '../rules/index.js';

export const CATEGORY_STATUSES = ['active', 'archived'] as const;
export type CategoryStatus = (typeof CATEGORY_STATUSES)[number];
export const SOURCE_PROVIDERS = ['manual'] as const;
export type SourceProvider = (typeof SOURCE_PROVIDERS)[number];

export class CreateExpenseCategoryDto {
  @Uuid({
    about: 'Claim project of the category; `null`: the whole organization.',
    ...NULL_BY_DEFAULT,
    people: { label: 'Project', inList: true },
  })
  projectId?: string | null;

  @Text({
    about: 'Your code for the category. Unique (case-insensitive) within its project, or among categories without one.',
    min: 1,
    max: 100,
    example: 'TRAVEL-RAIL',
    people: { hint: 'Your own, such as TRAVEL-RAIL.', inList: true },
  })
  code: string;

  @Text({ about: 'Name of the category.', min: 1, max: 200, example: 'Rail travel', people: { inList: true } })
  name: string;

  @OneOf(SOURCE_PROVIDERS, {
    about: 'Origin of the category.',
    grows: true,
    optional: true,
    default: 'manual',
    example: 'manual',
    people: { label: 'Source' },
  })
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
    people: { onPage: false },
  })
  sourceMapping?: FreeForm;

  @OneOf(CATEGORY_STATUSES, {
    about: 'Status of the category. It may change to any other.',
    optional: true,
    default: 'active',
    example: 'active',
    people: { words: { active: ['Active', 'good'], archived: ['Archived', 'busy'] }, inList: true },
  })
  status?: CategoryStatus;
}

export class UpdateExpenseCategoryDto extends Changes(CreateExpenseCategoryDto) {}

export class ListExpenseCategoriesQuery extends RecordPageQuery {
  @Text({ about: 'Case-insensitive substring of the code or name.', max: 200, optional: true, example: 'travel' })
  search?: string;

  @Uuid({ about: 'Only categories of this claim project.', optional: true })
  project_id?: string;

  @OneOf(CATEGORY_STATUSES, { about: 'Only categories with this status.', optional: true, example: 'active' })
  status?: CategoryStatus;
}

export class ExpenseCategoryDto extends AnswerOf(CreateExpenseCategoryDto) {}
