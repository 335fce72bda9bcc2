import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { changesBetween } from '../../../kernel/changes.js';
import { Clock } from '../../../kernel/time.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { Events } from '../../../store/events/events.js';
import type { ClaimReport } from '../report.entity.js';
import { ClaimReportDto } from '../reports.dto.js';
import { ClaimReportFailed, ClaimReportSucceeded } from '../reports.events.js';
import { ReportFilesRepository, type FileToKeep } from '../files/report-files.repository.js';
import { ReportsRepository } from '../reports.repository.js';
import { FailedRunNotice } from './failed-run-notice.js';
import { sizeOf } from '../result-size.js';
import type { ClaimReportResultDto } from '../result.dto.js';

/** Records the progress of a run in the caller's transaction: the row, its files, events and audit entries. */
@Injectable()
export class ReportRecord {
  constructor(
    private readonly reports: ReportsRepository,
    private readonly files: ReportFilesRepository,
    private readonly events: Events,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
    private readonly failedRunNotice: FailedRunNotice,
  ) {}

  async started(ctx: WriteContext, id: string): Promise<void> {
    await this.reports.start(ctx, id);
    this.audit.record(ctx, { action: 'claim_report.started', resourceId: id, changes: { status: { from: 'queued', to: 'running' } } });
  }

  /** Runs the transaction that ends a run, with its files. Where these go to a foreign store, they are put there before. */
  placingFiles<T>(
    run: ReadContext & { readonly id: string },
    made: readonly FileToKeep[],
    work: (files: readonly FileToKeep[]) => Promise<T>,
  ): Promise<T> {
    return this.files.placing(run, run.id, made, work);
  }

  async storeFiles(ctx: WriteContext, id: string, files: readonly FileToKeep[]): Promise<void> {
    for (const file of files) await this.files.keep(ctx, id, file);
  }

  async succeeded(ctx: WriteContext, id: string, result: ClaimReportResultDto): Promise<void> {
    const [before, after] = await this.end(ctx, id, { status: 'succeeded', result, resultBytes: sizeOf(result) });
    this.events.append(ctx, ClaimReportSucceeded, { before, after });
  }

  async failed(ctx: WriteContext, id: string, failure: NonNullable<ClaimReport['failure']>): Promise<void> {
    const [before, after] = await this.end(ctx, id, { status: 'failed', failure });
    this.events.append(ctx, ClaimReportFailed, { before, after });
    await this.failedRunNotice.tell(ctx, id, failure);
  }

  /** Emits no event: only operators cancel runs. */
  async cancelled(ctx: WriteContext, id: string): Promise<void> {
    const [before, after] = await this.end(ctx, id, { status: 'cancelled' });
    this.audit.record(ctx, { action: 'claim_report.cancelled', resourceId: id, changes: changesBetween(before, after) });
  }

  private async end(ctx: WriteContext, id: string, outcome: Partial<ClaimReport>): Promise<[ClaimReportDto, ClaimReportDto]> {
    // How far it was, is no change that anybody needs to see.
    const before = { ...(await this.reports.lock(ctx, id))!, progress: null };
    const now = this.clock.timestamp();
    // The copy of the inputs was for a worker that takes over the run.
    const after: ClaimReport = { ...before, ...outcome, inputs: null, finishedAt: now, updatedAt: this.clock.after(before.updatedAt) };
    await this.reports.update(ctx, after, [...(Object.keys(outcome) as (keyof ClaimReport)[]), 'inputs', 'finishedAt', 'updatedAt']);
    return [ClaimReportDto.from(before), ClaimReportDto.from(after)];
  }
}
