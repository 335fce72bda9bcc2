import { Entity, Index, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../kernel/context.js';
import { BytesColumn, FlagColumn, IdColumn, IntegerColumn, JsonColumn } from '../../store/database/columns.js';
import { CustomFieldsColumn, type CustomValues, TextColumn, TimestampColumn, UuidColumn } from '../../store/database/columns.js';
import type { Failure } from '../../kernel/failure.js';
import { Exported, PartOf, PERSON, PersonStays } from '../../store/tenant/organization-tables.js';
import { LeasedRow } from '../../store/jobs/lease-queue.js';
import type { TestOutcome } from '../configurations/index.js';
import type { OutputFormat } from '../rules/index.js';
import type { RunInputs } from './engine/inputs.js';
import type { ClaimReportProgressDto, ClaimReportResultDto } from './result.dto.js';
import { LockedRows } from '../../store/database/row-security.js';

/** A list shows results up to this size of JSON; `GET /v1/claim-reports/{report_id}` returns every result. */
export const LISTED_RESULT_MAX_BYTES = 64 * 1024;
/** All results of a list together. Making a list of more would hold up the calls of others. */
export const LISTED_RESULTS_MAX_BYTES = 1024 * 1024;

const RESULT = 'claim_reports.result';
const BYTES = `coalesce(claim_reports.result_bytes, octet_length(${RESULT}::text))`;
const OWN = `CASE WHEN ${BYTES} <= ${LISTED_RESULT_MAX_BYTES} THEN ${BYTES} END`;
const OWN_AND_NEWER = `sum(${OWN}) OVER (ORDER BY claim_reports.id DESC)`;

/** The result, if it is not too large for a list. */
export const LISTED_RESULT = `CASE WHEN ${OWN} IS NOT NULL THEN ${RESULT} END`;
/** Columns of a list, in SQL: Postgres does not even read a result that is left out. */
export const LISTED_COLUMNS = {
  result: `CASE WHEN ${OWN} IS NOT NULL AND ${OWN_AND_NEWER} <= ${LISTED_RESULTS_MAX_BYTES} THEN ${RESULT} END`,
  resultBytes: BYTES,
};

/** The size of a result as JSON, in bytes of UTF-8. */
export const sizeOf = (result: object): number => Buffer.byteLength(JSON.stringify(result));

export const REPORT_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

const AS_REPORTED = 'Results and files stay as they were given away, which their hashes prove. They name who decided about lines.';
const MAY_NAME = `queued_at >= (SELECT created_at FROM users WHERE organization_id = :organizationId AND id = ${PERSON})`;

/** A claim report run: what was requested, its status and its outcome. */
@Entity('claim_reports')
@PersonStays(['result', 'inputs'], AS_REPORTED, MAY_NAME)
@PersonStays(['custom_fields'])
@Index('claim_reports_newest', ['organizationId', 'environment', 'id'])
@Index('claim_reports_changed', ['organizationId', 'environment', 'updatedAt'])
@Index('claim_reports_by_status', ['organizationId', 'environment', 'status', 'id'])
@Index('claim_reports_by_project', ['organizationId', 'environment', 'projectId', 'id'])
@Index('claim_reports_by_configuration', ['organizationId', 'environment', 'reportConfigurationId', 'id'])
@Index('claim_reports_queued', ['organizationId', 'id'], { where: "status = 'queued'" })
@Index('claim_reports_running', ['organizationId'], { where: "status = 'running'" })
@Index('claim_reports_taken', ['organizationId', 'takenAt'])
export class ClaimReport extends LeasedRow {
  @UuidColumn({ nullable: true }) projectId: string | null;
  @UuidColumn({ nullable: true }) reportConfigurationId: string | null;
  @TextColumn() status: ReportStatus;
  @TimestampColumn() queuedAt: string;
  @TimestampColumn({ nullable: true }) startedAt: string | null;
  @TimestampColumn({ nullable: true }) finishedAt: string | null;
  @JsonColumn({ nullable: true }) result: ClaimReportResultDto | null;
  /** The size of the result as JSON. null also for a result that a worker of an earlier version has written. */
  @IntegerColumn({ nullable: true }) resultBytes: number | null;
  /** Written by the worker now and then; stale once the run has ended. */
  @JsonColumn({ nullable: true }) progress: ClaimReportProgressDto | null;
  @JsonColumn({ nullable: true }) failure: Failure | null;
  /** Of a run in the test environment that does not end as it would by itself. */
  @JsonColumn({ nullable: true, select: false }) testOutcome?: TestOutcome | null;
  /** The inputs as they were when the run began. A worker that takes over the run uses the same. */
  @JsonColumn({ nullable: true, select: false }) inputs?: RunInputs | null;
  @CustomFieldsColumn() customFields?: CustomValues;
}

@LockedRows()
@Entity('claim_report_files')
@PersonStays(['content'], AS_REPORTED)
@PartOf('claim_reports', 'report_id')
export class ClaimReportFile {
  @PrimaryColumn({ name: 'report_id', type: 'uuid' }) reportId: string;
  @PrimaryColumn({ type: 'text' }) format: OutputFormat;
  /** From 0. */
  @PrimaryColumn({ type: 'integer', default: 0 }) part: number;
  @IdColumn() organizationId: string;
  @TextColumn() environment: Environment;
  @Exported() @BytesColumn() content: Buffer;
  /** Whether `content` is compressed. It is not in files of earlier releases, which have one part. */
  @FlagColumn({ default: false }) gzipped: boolean;
}
