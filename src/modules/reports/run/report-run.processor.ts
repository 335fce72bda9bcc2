import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Tenant, Actor } from '../../../kernel/context.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { contextOf, workOff, type Work } from '../../../store/jobs/queue-consumer.js';
import { NoLongerHeld, type Taken } from '../../../store/jobs/lease-queue.js';
import { Log } from '../../../kernel/log.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import type { RunInputs } from '../engine/inputs.js';
import { ReportInputs } from './report-inputs.js';
import { ReportMaker } from './report-maker.js';
import { ReportRecord } from './report-record.js';
import { ClaimReportFailed, ClaimReportSucceeded } from '../reports.events.js';
import { ReportsRepository } from '../reports.repository.js';
import { RUN_REPORTS } from '../run-job.js';

const REPORT_WORKER: Actor = { type: 'system', id: null, name: 'report worker' };
const EMITS = [ClaimReportSucceeded, ClaimReportFailed];

/** Makes the claim reports that were asked for, one at a time. */
@Injectable()
export class ReportRunProcessor implements OnModuleDestroy {
  private isStopping = false;
  private readonly work: Work;

  constructor(
    private readonly reports: ReportsRepository,
    private readonly inputs: ReportInputs,
    private readonly maker: ReportMaker,
    private readonly record: ReportRecord,
    private readonly unitOfWork: UnitOfWork,
    @Inject(Log) private readonly log: Log,
  ) {
    this.work = {
      queue: reports.queue,
      actor: REPORT_WORKER,
      emits: EMITS,
      begin: async (ctx, taken) => {
        if (taken.lostWorkers === 0) await this.record.started(ctx, taken.id);
      },
      run: (taken, signal) => this.run(taken, signal),
      fail: (ctx, taken, failure) => this.record.failed(ctx, taken.id, failure),
      isStopping: () => this.isStopping,
    };
  }

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  @Job({ id: RUN_REPORTS, summary: 'Makes the claim reports that were asked for.', everyMs: 5000, emits: EMITS })
  async runAll(): Promise<void> {
    await workOff(this.work, this.unitOfWork, this.log);
  }

  /** Result, files and event are one transaction: a run ends once, whoever began it. */
  private async run(taken: Taken, signal: AbortSignal): Promise<void> {
    const { computed, files } = await this.maker.make(taken, await this.inputsOf(taken), signal);
    await this.unitOfWork.run(contextOf(this.work, taken), async (ctx) => {
      const outputs = await this.record.kept(ctx, taken.id, files);
      if (!(await this.reports.queue.holds(taken, ctx.unit))) throw new NoLongerHeld();
      await this.record.succeeded(ctx, taken.id, computed, outputs);
    });
  }

  /** As they were when the run began: a worker that takes it over makes the same of it. */
  private async inputsOf(taken: Taken & Tenant): Promise<RunInputs> {
    const report = (await this.reports.get(taken, taken.id))!;
    const kept = await this.reports.inputs(taken, taken.id);
    if (kept) return kept;
    return this.unitOfWork.run(contextOf(this.work, taken), async (ctx) => {
      if (!(await this.reports.queue.holds(taken, ctx.unit))) throw new NoLongerHeld();
      const inputs = await this.inputs.of(ctx, report);
      await this.reports.update(ctx, { ...report, inputs }, ['inputs']);
      return inputs;
    });
  }
}
