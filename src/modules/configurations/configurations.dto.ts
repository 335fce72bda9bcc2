import { PageQuery } from '../../api/dto/page.js';
import { RecordDto } from '../../api/dto/record.dto.js';
import { Both, CalendarDate, Changes, Complete, FreeFormObject, OneOf, Text, Uuid } from '../../api/validation/fields.js';
import { CustomFields } from '../../api/validation/custom-fields.js';
import { FREE_FORM_FIELD, type FreeForm } from '../../kernel/json.js';
import { pick } from '../../kernel/changes.js';
import { CATEGORY_FILTER, OUTPUT_FORMATS, OUTPUT_OPTIONS } from '../rules/index.js';
import {
  ACCOUNTING_PROVIDERS,
  CONFIGURATION_STATUSES,
  type AccountingProvider,
  Configuration,
  type ConfigurationStatus,
} from './configuration.entity.js';

export class CreateReportConfigurationDto {
  @Uuid({
    about: 'Claim project of the configuration; `null`: the whole organization.',
    optional: true,
    nullable: true,
    default: null,
  })
  projectId?: string | null;

  @Text({ about: 'Name of the configuration.', min: 1, max: 200, example: 'Annual report 2026' })
  name: string;

  @OneOf(ACCOUNTING_PROVIDERS, {
    about: 'Source of the accounting data.',
    grows: true,
    optional: true,
    default: 'manual',
    example: 'manual',
  })
  accountingProvider?: AccountingProvider;

  @CalendarDate({ about: 'First day of the report period.', example: '2026-01-01' })
  periodStart: string;

  @CalendarDate({ about: 'Last day of the report period; not before the first.', example: '2026-12-31' })
  periodEnd: string;

  @FreeFormObject({
    about:
      'Which categories the report has: `include` and `exclude`, lists of codes in which * matches any text; `status`, a list. ' +
      `Other keys are kept. ${FREE_FORM_FIELD}`,
    grammar: CATEGORY_FILTER,
    optional: true,
    default: {},
    example: { include: ['STAFF', 'CLOUD*'], exclude: ['*-TEST'], status: ['active'] },
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
  })
  outputOptions?: FreeForm;

  @OneOf(CONFIGURATION_STATUSES, {
    about: 'Status of the configuration. It may change to any other.',
    optional: true,
    default: 'draft',
    example: 'ready',
  })
  status?: ConfigurationStatus;
}

export class UpdateReportConfigurationDto extends Changes(CreateReportConfigurationDto) {}

export class ListReportConfigurationsQuery extends PageQuery {
  @Text({ about: 'Case-insensitive substring of the name.', max: 200, optional: true, example: 'annual' })
  search?: string;

  @Uuid({ about: 'Only configurations of this claim project.', optional: true })
  project_id?: string;

  @OneOf(CONFIGURATION_STATUSES, { about: 'Only configurations with this status.', optional: true, example: 'ready' })
  status?: ConfigurationStatus;
}

export class ReportConfigurationDto extends Both(RecordDto, Complete(CreateReportConfigurationDto)) {
  static from(row: Configuration): ReportConfigurationDto {
    return {
      ...pick(row, [
        'id',
        'environment',
        'projectId',
        'name',
        'accountingProvider',
        'periodStart',
        'periodEnd',
        'categoryFilter',
        'outputOptions',
        'status',
        'createdAt',
        'updatedAt',
      ]),
      ...CONFIGURATION_FIELDS.shown(row),
    };
  }
}

/** The fields that extensions declare. */
export const CONFIGURATION_FIELDS = new CustomFields({
  table: 'report_configurations',
  entity: Configuration,
  create: CreateReportConfigurationDto,
  update: UpdateReportConfigurationDto,
  answer: ReportConfigurationDto,
  list: ListReportConfigurationsQuery,
});
