import { RecordPageQuery } from '../../api/dto/page.js';
import { CalendarDate, Changes, FreeFormObject, NULL_BY_DEFAULT, OneOf, Text, Uuid } from '../../api/validation/fields.js';
import { AnswerOf } from '../../api/validation/record-fields.js';
import { FREE_FORM_FIELD, type FreeForm } from '../../kernel/json.js';
import { CATEGORY_FILTER, OUTPUT_FORMATS, OUTPUT_OPTIONS } from '../rules/index.js';

export const CONFIGURATION_STATUSES = ['draft', 'ready', 'archived'] as const;
export type ConfigurationStatus = (typeof CONFIGURATION_STATUSES)[number];
export const ACCOUNTING_PROVIDERS = ['manual'] as const;
export type AccountingProvider = (typeof ACCOUNTING_PROVIDERS)[number];

export class CreateReportConfigurationDto {
  @Uuid({
    about: 'Claim project of the configuration; `null`: the whole organization.',
    ...NULL_BY_DEFAULT,
    people: { label: 'Project', inList: true },
  })
  projectId?: string | null;

  @Text({ about: 'Name of the configuration.', min: 1, max: 200, example: 'Annual report 2026', people: { inList: true } })
  name: string;

  @OneOf(ACCOUNTING_PROVIDERS, {
    about: 'Source of the accounting data.',
    grows: true,
    optional: true,
    default: 'manual',
    example: 'manual',
    people: { label: 'Source of the data' },
  })
  accountingProvider?: AccountingProvider;

  @CalendarDate({
    about: 'First day of the report period.',
    example: '2026-01-01',
    people: { label: 'First day of the period', until: ['periodEnd', 'Period'], inList: true },
  })
  periodStart: string;

  @CalendarDate({
    about: 'Last day of the report period; not before the first.',
    example: '2026-12-31',
    people: { label: 'Last day of the period', onPage: false },
  })
  periodEnd: string;

  @FreeFormObject({
    about:
      'Which categories the report has: `include` and `exclude`, lists of codes in which * matches any text; `status`, a list. ' +
      `Other keys are kept. ${FREE_FORM_FIELD}`,
    grammar: CATEGORY_FILTER,
    optional: true,
    default: {},
    example: { include: ['STAFF', 'CLOUD*'], exclude: ['*-TEST'], status: ['active'] },
    people: { label: 'Categories' },
  })
  categoryFilter?: FreeForm;

  @FreeFormObject({
    about:
      `Content of the report: \`formats\` (${OUTPUT_FORMATS.join(', ')}), \`groupBy\` (category, month), \`currency\`, ` +
      `\`includeUncategorised\`, \`detail\` (none, lines), \`locale\`, \`datev\`, \`rates\`. Other keys are kept. ${FREE_FORM_FIELD}`,
    grammar: OUTPUT_OPTIONS,
    optional: true,
    default: {},
    example: { formats: ['json', 'pdf'], groupBy: ['category', 'month'], currency: 'EUR', detail: 'lines' },
    people: { label: 'Report and files' },
  })
  outputOptions?: FreeForm;

  @OneOf(CONFIGURATION_STATUSES, {
    about: 'Status of the configuration. It may change to any other.',
    optional: true,
    default: 'draft',
    example: 'ready',
    people: { words: { draft: ['Draft'], ready: ['Ready', 'good'], archived: ['Archived', 'busy'] }, inList: true },
  })
  status?: ConfigurationStatus;
}

export class UpdateReportConfigurationDto extends Changes(CreateReportConfigurationDto) {}

export class ListReportConfigurationsQuery extends RecordPageQuery {
  @Text({ about: 'Case-insensitive substring of the name.', max: 200, optional: true, example: 'annual' })
  search?: string;

  @Uuid({ about: 'Only configurations of this claim project.', optional: true })
  project_id?: string;

  @OneOf(CONFIGURATION_STATUSES, { about: 'Only configurations with this status.', optional: true, example: 'ready' })
  status?: ConfigurationStatus;
}

export class ReportConfigurationDto extends AnswerOf(CreateReportConfigurationDto) {}
