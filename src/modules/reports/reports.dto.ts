import { ProcessingFailureDto } from '../../api/dto/failure.dto.js';
import type { Failure } from '../../kernel/failure.js';
import { pick } from '../../kernel/changes.js';
import { RecordPageQuery, RecordDto } from '../../api/dto/page.js';
import { CustomFields } from '../../api/validation/custom-fields.js';
import { Both, Complete, Integer, Nested, NULL_BY_DEFAULT, OneOf, Timestamp, Uuid } from '../../api/validation/fields.js';
import { ClaimReportProgressDto, ClaimReportResultDto } from './result.dto.js';
import { ClaimReport, REPORT_STATUSES, LISTED_RESULT_MAX_BYTES, LISTED_RESULTS_MAX_BYTES, sizeOf } from './report.entity.js';
import type { ReportStatus } from './report.entity.js';

export class CreateClaimReportDto {
  @Uuid({
    about:
      'The claim project whose bank statements and categories the run uses. ' +
      '`null` for the project of the report configuration, or the whole organization if there is none.',
    ...NULL_BY_DEFAULT,
  })
  projectId?: string | null;

  @Uuid({
    about:
      'The report configuration with the period, the categories and the files; `null` for none. ' +
      'If the configuration belongs to a project and the run has one, the two must be the same.',
    ...NULL_BY_DEFAULT,
  })
  reportConfigurationId?: string | null;
}

export class ListClaimReportsQuery extends RecordPageQuery {
  @Uuid({ about: 'Only runs that were queued with this claim project.', optional: true })
  project_id?: string;

  @Uuid({ about: 'Only runs that were queued with this report configuration.', optional: true })
  report_configuration_id?: string;

  @OneOf(REPORT_STATUSES, { about: 'Only runs with this status.', optional: true, example: 'succeeded' })
  status?: ReportStatus;
}

export class ClaimReportDto extends Both(RecordDto, Complete(CreateClaimReportDto)) {
  @OneOf(REPORT_STATUSES, { about: 'Status of the run.', example: 'succeeded' }) status: ReportStatus;
  @Timestamp({ about: 'When the run was queued.' }) queuedAt: string;
  @Timestamp({ about: 'When a worker started the run; `null` until then.', nullable: true }) startedAt: string | null;
  @Timestamp({ about: 'When the run succeeded, failed or was cancelled; `null` until then.', nullable: true }) finishedAt: string | null;
  @Nested(ClaimReportResultDto, {
    about:
      'The result; `null` unless the run succeeded. In a list it is also `null` if it is larger than ' +
      `${LISTED_RESULT_MAX_BYTES / 1024} KiB, or if the results before it have ${LISTED_RESULTS_MAX_BYTES / 1024 ** 2} MiB together: ` +
      'then `resultBytes` states its size, and `GET /v1/claim-reports/{report_id}` returns it.',
    nullable: true,
  })
  result: ClaimReportResultDto | null;
  @Integer({ about: 'Size of the result in bytes, as JSON; `null` if there is no result.', min: 0, nullable: true, example: 20481 })
  resultBytes: number | null;
  @Nested(ClaimReportProgressDto, { about: 'How far the run is; `null` unless it has been running for a second.', nullable: true })
  progress: ClaimReportProgressDto | null;
  @Nested(ProcessingFailureDto, { about: 'Why the run failed; otherwise `null`.', nullable: true }) failure: Failure | null;

  static from(row: ClaimReport): ClaimReportDto {
    const { status, result, resultBytes, progress } = row;
    const answer = {
      ...pick(row, ['id', 'environment', 'projectId', 'reportConfigurationId', 'status', 'queuedAt', 'startedAt', 'finishedAt', 'result']),
      resultBytes: resultBytes ?? (result && sizeOf(result)),
      progress: status === 'running' ? progress : null,
      ...pick(row, ['failure', 'createdAt', 'updatedAt']),
    };
    return CLAIM_REPORT_FIELDS.answered(answer, row);
  }
}

export const CLAIM_REPORT_FIELDS = new CustomFields({
  table: 'claim_reports',
  entity: ClaimReport,
  inputs: [CreateClaimReportDto],
  answers: [ClaimReportDto],
  list: ListClaimReportsQuery,
});
