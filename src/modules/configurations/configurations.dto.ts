import { PageQuery } from '../../api/dto/page.js';
import { RecordDto } from '../../api/dto/record.dto.js';
import { Both, CalendarDate, Changes, Complete, FreeFormObject, OneOf, Text, Uuid } from '../../api/validation/fields.js';
import type { FreeForm } from '../../kernel/json.js';
import {
  ACCOUNTING_PROVIDERS,
  CONFIGURATION_STATUSES,
  type AccountingProvider,
  type Configuration,
  type ConfigurationStatus,
} from './configuration.entity.js';

export class CreateReportConfigurationDto {
  @Uuid({
    about: 'The claim project that the configuration belongs to; `null` for one of the whole organization.',
    optional: true,
    nullable: true,
    default: null,
  })
  projectId?: string | null;

  @Text({ about: 'What the configuration is called.', min: 1, max: 200, example: 'Annual report 2026' })
  name: string;

  @OneOf(ACCOUNTING_PROVIDERS, { about: 'Where the bookkeeping comes from.', optional: true, default: 'manual', example: 'manual' })
  accountingProvider?: AccountingProvider;

  @CalendarDate({ about: 'First day of the period that is reported on.', example: '2026-01-01' })
  periodStart: string;

  @CalendarDate({ about: 'Last day of the period that is reported on; not before `periodStart`.', example: '2026-12-31' })
  periodEnd: string;

  @FreeFormObject({
    about:
      'Which categories take part: `include` and `exclude`, lists of codes in which * stands for anything; `status`, a list. Runs check it. Your own keys are kept. At most 32 KiB as JSON, 20 levels. Replaced as a whole.',
    optional: true,
    default: {},
    example: { include: ['STAFF', 'CLOUD*'], exclude: ['*-TEST'], status: ['active'] },
  })
  categoryFilter?: FreeForm;

  @FreeFormObject({
    about:
      'What comes out: `formats` (json, csv, xlsx, pdf), `groupBy` (category, month), `currency`, `includeUncategorised`, `detail` (none, lines), `locale`. Runs check it. Your own keys are kept. At most 32 KiB as JSON, 20 levels. Replaced as a whole.',
    optional: true,
    default: {},
    example: { formats: ['json', 'pdf'], groupBy: ['category', 'month'], currency: 'EUR', detail: 'lines' },
  })
  outputOptions?: FreeForm;

  @OneOf(CONFIGURATION_STATUSES, {
    about: 'Where the configuration stands. Any status may follow any other.',
    optional: true,
    default: 'draft',
    example: 'ready',
  })
  status?: ConfigurationStatus;
}

export class UpdateReportConfigurationDto extends Changes(CreateReportConfigurationDto) {}

export class ListReportConfigurationsQuery extends PageQuery {
  @Text({ about: 'Part of the name, whatever its case.', max: 200, optional: true, example: 'annual' })
  search?: string;

  @Uuid({ about: 'Only configurations of this claim project.', optional: true })
  project_id?: string;

  @OneOf(CONFIGURATION_STATUSES, { about: 'Only configurations with this status.', optional: true, example: 'ready' })
  status?: ConfigurationStatus;
}

export class ReportConfigurationDto extends Both(RecordDto, Complete(CreateReportConfigurationDto)) {
  static from(row: Configuration): ReportConfigurationDto {
    const {
      id,
      environment,
      projectId,
      name,
      accountingProvider,
      periodStart,
      periodEnd,
      categoryFilter,
      outputOptions,
      status,
      createdAt,
      updatedAt,
    } = row;
    return {
      id,
      environment,
      projectId,
      name,
      accountingProvider,
      periodStart,
      periodEnd,
      categoryFilter,
      outputOptions,
      status,
      createdAt,
      updatedAt,
    };
  }
}
