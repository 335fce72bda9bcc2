import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../../kernel/context.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { contextOf, workOff, type Work } from '../../../store/jobs/queue-consumer.js';
import { NoLongerHeld, type Taken } from '../../../store/jobs/lease-queue.js';
import { Log } from '../../../kernel/log.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { REDACT } from '../redact-job.js';
import { RedactionRecord } from './redaction-record.js';
import { StatementContent } from '../content/statement-content.js';
import { BankStatementRedactionFailed, BankStatementRedactionSucceeded } from '../statements.events.js';
import { StatementsRepository } from '../statements.repository.js';

const REDACTION_WORKER: Actor = { type: 'system', id: null, name: 'redaction worker' };
const EMITS = [BankStatementRedactionSucceeded, BankStatementRedactionFailed];

/** Redacts what was imported, one statement at a time. */
@Injectable()
export class RedactionProcessor implements OnModuleDestroy {
  private isStopping = false;
  private readonly work: Work;

  constructor(
    private readonly statements: StatementsRepository,
    private readonly content: StatementContent,
    private readonly record: RedactionRecord,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(Log) private readonly log: Log,
  ) {
    this.work = {
      queue: statements.queue,
      actor: REDACTION_WORKER,
      emits: EMITS,
      begin: (ctx, taken) => {
        if (taken.lostWorkers === 0) this.record.started(ctx, taken.id);
      },
      run: (taken, signal) => this.run(taken, signal),
      fail: (ctx, taken, failure) => this.record.failed(ctx, taken.id, failure),
      isStopping: () => this.isStopping,
    };
  }

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  @Job({ id: REDACT, summary: 'Redacts bank statements that were imported.', everyMs: 5000, emits: EMITS })
  async redact(): Promise<void> {
    await this.statements.admit();
    await workOff(this.work, this.unitOfWork, this.log);
  }

  /** Lines, outcome, event and the end of the original are one transaction: a worker that dies leaves the statement as it was. */
  private async run(taken: Taken, signal: AbortSignal): Promise<void> {
    const startedAt = this.clock.timestamp();
    const { REDACTION_VERSION, Redactor } = await import('./redactor.js');
    const { fileName } = (await this.statements.get(taken, taken.id))!;
    const [key, bytes] = [await this.content.keyOf(taken), this.content.original(taken, taken.id)];
    await this.unitOfWork.run(contextOf(this.work, taken), async (ctx) => {
      const redactor = new Redactor(key);
      const facts = await this.content.take(ctx, taken.id, { fileName, bytes, key, signal, redact: (line) => redactor.redact(line) });
      if (!(await this.statements.queue.holds(taken, ctx.unit))) throw new NoLongerHeld();
      await this.record.succeeded(ctx, taken.id, facts, { engineVersion: REDACTION_VERSION, startedAt, counts: redactor.counts });
    });
  }
}
