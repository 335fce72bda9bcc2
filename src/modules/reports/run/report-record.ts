import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { changesBetween } from '../../../kernel/changes.js';
import { Clock } from '../../../kernel/clock.js';
import type { WriteContext } from '../../../store/database/transaction.js';
import { Events } from '../../../store/events/events.js';
import type { Failure } from '../../../kernel/failure.js';
import type { ClaimReport } from '../report.entity.js';
import { ClaimReportDto } from '../reports.dto.js';
import { ClaimReportFailed, ClaimReportSucceeded } from '../reports.events.js';
import { ReportsRepository } from '../reports.repository.js';
import type { OutputFile } from '../outputs/write-outputs.js';
import type { Computed, OutputDto } from '../result.dto.js';

/** Records the progress of a run in the caller's transaction: the row, its files, events and audit entries. */
@Injectable()
export class ReportRecord {
  constructor(
    private readonly reports: ReportsRepository,
    private readonly events: Events,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  async started(ctx: WriteContext, id: string): Promise<void> {
    await this.reports.start(ctx, id);
    this.audit.record(ctx, { action: 'claim_report.started', resourceId: id, changes: { status: { from: 'queued', to: 'running' } } });
  }

  /** Stores the files one by one and returns what the result says about them. */
  async storeFiles(ctx: WriteContext, id: string, files: AsyncIterable<OutputFile>): Promise<OutputDto[]> {
    const outputs: OutputDto[] = [];
    for await (const { format, content } of files) {
      await this.reports.storeFile(ctx, id, format, content);
      outputs.push({ format, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') });
    }
    return outputs;
  }

  async succeeded(ctx: WriteContext, id: string, computed: Computed, outputs: OutputDto[]): Promise<void> {
    const [before, after] = await this.end(ctx, id, { status: 'succeeded', result: { ...computed, outputs } });
    this.events.append(ctx, ClaimReportSucceeded, { before, after });
  }

  async failed(ctx: WriteContext, id: string, failure: Failure): Promise<void> {
    const [before, after] = await this.end(ctx, id, { status: 'failed', failure });
    this.events.append(ctx, ClaimReportFailed, { before, after });
  }

  /** Emits no event: only operators cancel runs. */
  async cancelled(ctx: WriteContext, id: string): Promise<void> {
    const [before, after] = await this.end(ctx, id, { status: 'cancelled' });
    this.audit.record(ctx, { action: 'claim_report.cancelled', resourceId: id, changes: changesBetween(before, after) });
  }

  private async end(ctx: WriteContext, id: string, outcome: Partial<ClaimReport>): Promise<[ClaimReportDto, ClaimReportDto]> {
    const before = (await this.reports.lock(ctx, id))!;
    const now = this.clock.timestamp();
    const after: ClaimReport = { ...before, ...outcome, finishedAt: now, updatedAt: now };
    await this.reports.update(ctx, after, [...(Object.keys(outcome) as (keyof ClaimReport)[]), 'finishedAt', 'updatedAt']);
    return [ClaimReportDto.from(before), ClaimReportDto.from(after)];
  }
}
