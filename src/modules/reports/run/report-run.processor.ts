import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Actor } from '../../../kernel/context.js';
import { Log } from '../../../kernel/log.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import type { LeasedItem } from '../../../store/jobs/lease-queue.js';
import { QueueConsumer } from '../../../store/jobs/queue-consumer.js';
import type { RunInputs } from '../engine/inputs.js';
import type { ClaimReport } from '../report.entity.js';
import { ClaimReportFailed, ClaimReportSucceeded } from '../reports.events.js';
import { ReportsRepository } from '../reports.repository.js';
import { ReportInputs } from './report-inputs.js';
import { ReportMaker } from './report-maker.js';
import { ReportRecord } from './report-record.js';
import { RunProgress } from './run-progress.js';

/** Id of the job. */
export const RUN_REPORTS = 'reports.run';
const REPORT_WORKER: Actor = { type: 'system', id: null, name: 'report worker' };
const EMITS = [ClaimReportSucceeded, ClaimReportFailed];

/** Makes the queued claim reports, one at a time. */
@Injectable()
export class ReportRunProcessor implements OnModuleDestroy {
  private readonly consumer: QueueConsumer;

  constructor(
    private readonly reports: ReportsRepository,
    private readonly inputs: ReportInputs,
    private readonly maker: ReportMaker,
    private readonly record: ReportRecord,
    unitOfWork: UnitOfWork,
    @Inject(Log) log: Log,
  ) {
    this.consumer = new QueueConsumer(
      {
        queue: reports.queue,
        actor: REPORT_WORKER,
        emits: EMITS,
        begin: (ctx, item) => this.record.started(ctx, item.id),
        run: (item, signal) => this.run(item, signal),
        fail: (ctx, item, failure) => this.record.failed(ctx, item.id, failure),
      },
      unitOfWork,
      log,
    );
  }

  onModuleDestroy(): void {
    this.consumer.stop();
  }

  @Job({ id: RUN_REPORTS, summary: 'Makes the queued claim reports.', everyMs: 5000, emits: EMITS })
  async runAll(): Promise<void> {
    await this.consumer.consume();
  }

  /** Result, files and event are written in one transaction, and only by the worker that holds the lease: a run ends once. */
  private async run(item: LeasedItem, signal: AbortSignal): Promise<void> {
    const report = (await this.reports.get(item, item.id))!;
    const inputs = await this.inputsOf(item, report, signal);
    const progress = new RunProgress(inputs.statements.length);
    const { result, files: made } = await progress.writtenWhile(
      () => this.maker.make(item, { id: report.id, startedAt: report.startedAt! }, inputs, { signal, progress }),
      (counts) => this.reports.storeProgress(item, counts),
    );
    await this.inputs.requireStillKept(item, inputs);
    await this.record.placingFiles(item, made, (files) =>
      this.consumer.transaction(item, async (ctx) => {
        await this.record.storeFiles(ctx, item.id, files);
        await this.reports.queue.confirmLease(item, ctx.unit);
        await this.record.succeeded(ctx, item.id, result);
      }),
    );
  }

  /** The inputs as they were when the run began. A worker that takes over a run gets the same result from them. */
  private async inputsOf(item: LeasedItem, report: ClaimReport, signal: AbortSignal): Promise<RunInputs> {
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
