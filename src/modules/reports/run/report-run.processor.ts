import { Injectable } from '@nestjs/common';
import type { Actor, Tenant } from '../../../kernel/context.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import type { LeasedItem } from '../../../store/jobs/lease-queue.js';
import { Later, type QueueConsumer, QueueConsumers } from '../../../store/jobs/queue-consumer.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Threads } from '../../../store/threads/threads.js';
import { StatementsService } from '../../statements/index.js';
import { type RunInputs, ITEMS_STATEMENT, readOutputOptions } from '../engine/inputs.js';
import { ClaimLinesRepository } from '../lines/claim-lines.repository.js';
import type { ClaimReport } from '../report.entity.js';
import { ClaimReportCancelled, ClaimReportFailed, ClaimReportSucceeded } from '../reports.events.js';
import { ReportsRepository } from '../reports.repository.js';
import type { ClaimReportResultDto, ClaimReportProgressDto } from '../result.dto.js';
import type { ReceiptPart } from '../outputs/report.js';
import type { WrittenFile } from '../outputs/write-outputs.js';
import { ReceiptFiles } from '../receipts/receipts.repository.js';
import { ReportRecord } from './report-record.js';
import { ReportInputs } from './report-inputs.js';
import type { ComputedReport, default as makeReport, LineBatch, ReportOrder } from './make-report.computation.js';

/** Runs that end sooner write no progress at all. */
const WRITTEN_EVERY_MS = 1000;

/** How far a run is. The worker counts; what has changed is written once a second. */
export class RunProgress {
  readonly counts: ClaimReportProgressDto;

  constructor(statements: number) {
    this.counts = { statements, statementsRead: 0, linesRead: 0, filesWritten: 0 };
  }

  /** Writes the progress while the task runs. One that cannot be written is left out: the next one says more. */
  async writtenWhile<T>(task: () => Promise<T>, write: (progress: ClaimReportProgressDto) => Promise<void>): Promise<T> {
    let written = '';
    const writeChanged = (): void => {
      const now = JSON.stringify(this.counts);
      if (now === written) return;
      written = now;
      void write({ ...this.counts }).catch(() => undefined);
    };
    const timer = setInterval(writeChanged, WRITTEN_EVERY_MS);
    try {
      return await task();
    } finally {
      clearInterval(timer);
    }
  }
}

const MAKE_REPORT = new URL('./make-report.computation.js', import.meta.url);
const ADVICE = 'Use fewer or simpler patterns in the rules, or fewer statements.';

export interface MadeReport extends Pick<ComputedReport, 'listed'> {
  readonly result: ClaimReportResultDto;
  readonly files: readonly WrittenFile[];
}

interface Course {
  readonly signal: AbortSignal;
  readonly progress: RunProgress;
}

/** Makes the result and the files of a run from its inputs, in a thread. */
@Injectable()
export class ReportMaker {
  constructor(
    private readonly statements: StatementsService,
    private readonly receipts: ReceiptFiles,
    private readonly threads: Threads,
    private readonly settings: Settings,
  ) {}

  async make(tenant: Tenant, run: ReportOrder['run'], inputs: RunInputs, { signal, progress }: Course): Promise<MadeReport> {
    const tokenKey = await this.statements.tokenKey(tenant);
    const { organizationId } = tenant;
    const input = { run, inputs, tokenKey, limits: this.settings.reportLimits };
    const items = this.itemsOf(tenant, inputs, progress);
    const made = this.threads.compute<typeof makeReport>(MAKE_REPORT, { organizationId, input, items, signal, advice: ADVICE });
    const files: WrittenFile[] = [];
    for (;;) {
      const { done, value } = await made.next();
      if (done) {
        const outputs = files.map(({ format, bytes, sha256 }) => ({ format, bytes, sha256 }));
        return { result: { ...value.computed, outputs }, files, listed: value.listed };
      }
      files.push(value);
      progress.counts.filesWritten += 1;
    }
  }

  private async *itemsOf(tenant: Tenant, inputs: RunInputs, progress: RunProgress): AsyncGenerator<LineBatch | ReceiptPart> {
    const { statements, items = [], receipts = [], configuration } = inputs;
    for (const { id: statementId } of statements) {
      const stored = statementId === ITEMS_STATEMENT ? [items] : this.statements.lines(tenant, statementId);
      for await (const lines of stored) {
        progress.counts.linesRead += lines.length;
        yield { statementId, lines };
      }
      progress.counts.statementsRead += 1;
    }
    if (!readOutputOptions(configuration?.outputOptions ?? {}).formats.includes('evidence')) return;
    for (const [index, { id }] of receipts.entries()) {
      // One that is withdrawn meanwhile has no bytes, and the pack finds that its hash is another.
      yield { index, bytes: new Uint8Array() };
      for await (const bytes of await this.receipts.open(tenant, id)) yield { index, bytes };
    }
  }
}

export const RUN_REPORTS = 'reports.run';
const REPORT_WORKER: Actor = { type: 'system', id: null, name: 'report worker' };
const EMITS = [ClaimReportSucceeded, ClaimReportFailed];

@Injectable()
export class ReportRunProcessor {
  private readonly consumer: QueueConsumer;

  constructor(
    private readonly reports: ReportsRepository,
    private readonly inputs: ReportInputs,
    private readonly maker: ReportMaker,
    private readonly record: ReportRecord,
    private readonly lines: ClaimLinesRepository,
    consumers: QueueConsumers,
  ) {
    this.consumer = consumers.make({
      queue: reports.queue,
      actor: REPORT_WORKER,
      emits: EMITS,
      begin: (ctx, item) => this.record.started(ctx, item.id),
      run: (item, signal) => this.run(item, signal),
      fail: (ctx, item, failure) => this.record.failed(ctx, item.id, failure),
    });
  }

  @Job({ id: RUN_REPORTS, summary: 'Makes the queued claim reports.', everyMs: 5000, emits: EMITS })
  async runAll(): Promise<void> {
    if (!(await this.consumer.isIdle())) await this.consumer.consume();
  }

  /** Result, files and event are written in one transaction, and only by the worker that holds the lease: a run ends once. */
  private async run(item: LeasedItem, signal: AbortSignal): Promise<void> {
    if (item.environment === 'test' && (await this.endedAsAsked(item))) return;
    const report = (await this.reports.get(item, item.id))!;
    const inputs = await this.readInputs(item, report, signal);
    const progress = new RunProgress(inputs.statements.length);
    const made = await progress.writtenWhile(
      () => this.maker.make(item, { id: report.id, startedAt: report.startedAt! }, inputs, { signal, progress }),
      (counts) => this.reports.storeProgress(item, counts),
    );
    await this.inputs.requireStillKept(item, inputs);
    await this.record.files.placing(item, item.id, made.files, (files) =>
      this.consumer.transaction(item, async (ctx) => {
        for (const file of files) await this.record.files.keep(ctx, item.id, file);
        await this.lines.keep(ctx, report, made.listed);
        await this.reports.queue.confirmLease(item, ctx.unit);
        await this.record.succeeded(ctx, item.id, made.result, inputs);
      }),
    );
  }

  /** Whether the run has ended as somebody has asked for. It is no failure of ours, so it is not counted as one. */
  private async endedAsAsked(item: LeasedItem): Promise<boolean> {
    const asked = await this.reports.testOutcome(item, item.id);
    if (!asked) return false;
    const { outcome, failure, inMs } = asked;
    if (inMs > 0) throw new Later(inMs);
    if (outcome === 'succeeded') return false;
    await this.consumer.transaction(item, async (ctx) => {
      await this.reports.queue.confirmLease(item, ctx.unit);
      // Of live runs, no worker cancels any.
      if (outcome === 'cancelled') await this.record.cancel({ ...ctx, emits: [ClaimReportCancelled] }, item.id);
      else await this.record.failed(ctx, item.id, failure);
    });
    return true;
  }

  /** The inputs as they were when the run began. A worker that takes over a run gets the same result from them. */
  private async readInputs(item: LeasedItem, report: ClaimReport, signal: AbortSignal): Promise<RunInputs> {
    const stored = await this.reports.inputs(item, item.id);
    if (stored) return stored;
    const inputs = await this.inputs.collect(item, report, signal);
    await this.consumer.transaction(item, async (ctx) => {
      await this.reports.queue.confirmLease(item, ctx.unit);
      await this.reports.update(ctx, { ...report, inputs }, ['inputs']);
    });
    return inputs;
  }
}
