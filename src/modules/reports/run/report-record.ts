import { Injectable } from '@nestjs/common';
import { inWords } from '../../../kernel/durations.js';
import type { Failure } from '../../../kernel/failure.js';
import { API_NAME } from '../../../kernel/product.js';
import { notFound, Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { Events } from '../../../store/events/events.js';
import { Notice, Notices } from '../../organization/index.js';
import type { RunInputs } from '../engine/inputs.js';
import { ReportFilesRepository } from '../files/report-files.repository.js';
import { type ClaimReport, sizeOf } from '../report.entity.js';
import { ClaimReportDto } from '../reports.dto.js';
import { ClaimReportCancelled, ClaimReportFailed, ClaimReportSucceeded } from '../reports.events.js';
import { ReportsRepository } from '../reports.repository.js';
import type { ClaimReportResultDto } from '../result.dto.js';

/** Tells the owners of an organization that a run failed: of many that fail on one day, the first. */
@Implements(Notice)
export class FailedRunNotice implements Notice {
  readonly kind = 'claim_report_failed';
  readonly when = 'A claim report run failed: at most one mail a day.';
  readonly pauseMs = 86_400_000;

  constructor(private readonly notices: Notices) {}

  /** With the code of the failure alone: its message may name files. */
  tell(ctx: WriteContext, id: string, { code }: Failure): Promise<void> {
    return this.notices.send(ctx, this, {
      subject: 'A claim report run failed',
      parts: [
        `A claim report run of your organization in ${API_NAME} failed. Its page says why, and what to do.`,
        { facts: Object.entries({ Run: id, Environment: ctx.environment, Reason: code }) },
        `There may be more: for ${inWords(this.pauseMs)} you get no other mail about failed runs. The list of runs has them all.`,
      ],
      page: { label: 'See the failed runs', path: ['reports?status=failed'] },
    });
  }
}

/** The copy of the inputs was for a worker that takes over the run. */
const NO_INPUTS = { inputs: null };

/** Records the progress of a run in the caller's transaction: the row, its files, events and audit entries. */
@Injectable()
export class ReportRecord {
  constructor(
    private readonly reports: ReportsRepository,
    readonly files: ReportFilesRepository,
    private readonly events: Events,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
    private readonly failedRunNotice: FailedRunNotice,
  ) {}

  async started(ctx: WriteContext, id: string): Promise<void> {
    await this.reports.start(ctx, id);
    this.audit.record(ctx, { action: 'claim_report.started', resourceId: id, changes: { status: { from: 'queued', to: 'running' } } });
  }

  /** The inputs of a run of a project are kept: its claim may become final. */
  async succeeded(ctx: WriteContext, id: string, result: ClaimReportResultDto, { project }: Pick<RunInputs, 'project'>): Promise<void> {
    const outcome = { status: 'succeeded', result, resultBytes: sizeOf(result) } as const;
    const [before, after] = await this.end(ctx, id, project ? outcome : { ...outcome, ...NO_INPUTS });
    this.events.append(ctx, ClaimReportSucceeded, { before, after });
  }

  async failed(ctx: WriteContext, id: string, failure: NonNullable<ClaimReport['failure']>): Promise<void> {
    const [before, after] = await this.end(ctx, id, { status: 'failed', failure, ...NO_INPUTS });
    this.events.append(ctx, ClaimReportFailed, { before, after });
    await this.failedRunNotice.tell(ctx, id, failure);
  }

  /** A worker that is making the report loses its lease, and its result is dropped. */
  async cancel(ctx: WriteContext, id: string): Promise<ClaimReportDto> {
    const run = (await this.reports.lock(ctx, id)) ?? notFound('There is no claim report with this id.');
    const { status } = run;
    if (status === 'cancelled') return ClaimReportDto.from(run);
    if (status !== 'queued' && status !== 'running')
      throw new Problem('wrong_state', { detail: `Only a queued or running run can be cancelled; this one is ${status}.` });
    const [before, after] = await this.end({ ...ctx, expectation: undefined }, id, { status: 'cancelled', ...NO_INPUTS });
    this.events.append(ctx, ClaimReportCancelled, { before, after });
    return after;
  }

  private async end(ctx: WriteContext, id: string, outcome: Partial<ClaimReport>): Promise<[ClaimReportDto, ClaimReportDto]> {
    // How far it was, is no change that anybody needs to see.
    const before = { ...(await this.reports.lock(ctx, id))!, progress: null };
    const now = this.clock.timestamp();
    const after: ClaimReport = { ...before, ...outcome, finishedAt: now, updatedAt: this.clock.after(before.updatedAt) };
    await this.reports.update(ctx, after, [...(Object.keys(outcome) as (keyof ClaimReport)[]), 'finishedAt', 'updatedAt']);
    return [ClaimReportDto.from(before), ClaimReportDto.from(after)];
  }
}
