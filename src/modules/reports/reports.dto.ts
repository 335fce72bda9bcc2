import { FailureDto } from '../../api/dto/failure.dto.js';
import type { Failure } from '../../kernel/failure.js';
import { PageQuery } from '../../api/dto/page.js';
import { RecordDto } from '../../api/dto/record.dto.js';
import { Both, Complete, Nested, OneOf, Timestamp, Uuid } from '../../api/validation/fields.js';
import { REPORT_STATUSES, type ClaimReport, type ReportStatus } from './report.entity.js';
import { ReportResultDto } from './result.dto.js';

export class CreateClaimReportDto {
  @Uuid({
    about:
      'The claim project whose statements and categories the run is about; `null` for those of the whole organization, or of the project of the configuration.',
    optional: true,
    nullable: true,
    default: null,
  })
  projectId?: string | null;

  @Uuid({
    about:
      'The report configuration that says the period, the categories and the files; `null` for none. If it belongs to a project, it must be the one of `projectId`.',
    optional: true,
    nullable: true,
    default: null,
  })
  reportConfigurationId?: string | null;
}

export class ListClaimReportsQuery extends PageQuery {
  @Uuid({ about: 'Only runs that were asked for with this claim project.', optional: true })
  project_id?: string;

  @Uuid({ about: 'Only runs that were asked for with this report configuration.', optional: true })
  report_configuration_id?: string;

  @OneOf(REPORT_STATUSES, { about: 'Only runs with this status.', optional: true, example: 'succeeded' })
  status?: ReportStatus;
}

export class ClaimReportDto extends Both(RecordDto, Complete(CreateClaimReportDto)) {
  @OneOf(REPORT_STATUSES, { about: 'Where the run stands.', example: 'succeeded' }) status: ReportStatus;
  @Timestamp({ about: 'When it was asked for.' }) queuedAt: string;
  @Timestamp({ about: 'When a worker began with it.', nullable: true }) startedAt: string | null;
  @Timestamp({ about: 'When it came to its end, whichever that was.', nullable: true }) finishedAt: string | null;
  @Nested(ReportResultDto, { about: 'What came out; `null` until it succeeded.', nullable: true }) result: ReportResultDto | null;
  @Nested(FailureDto, { about: 'Why it failed; else `null`.', nullable: true }) failure: Failure | null;

  static from(row: ClaimReport): ClaimReportDto {
    const {
      id,
      environment,
      projectId,
      reportConfigurationId,
      status,
      queuedAt,
      startedAt,
      finishedAt,
      result,
      failure,
      createdAt,
      updatedAt,
    } = row;
    return {
      id,
      environment,
      projectId,
      reportConfigurationId,
      status,
      queuedAt,
      startedAt,
      finishedAt,
      result,
      failure,
      createdAt,
      updatedAt,
    };
  }
}
