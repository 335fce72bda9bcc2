import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/time.js';
import type { Actor } from '../../../kernel/context.js';
import { Log } from '../../../kernel/log.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import type { LeasedItem } from '../../../store/jobs/lease-queue.js';
import { QueueConsumer } from '../../../store/jobs/queue-consumer.js';
import { StatementContent } from '../content/statement-content.js';
import { BankStatementRedactionFailed, BankStatementRedactionSucceeded } from '../statements.events.js';
import { StatementsRepository } from '../statements.repository.js';
import { RedactionRecord } from './redaction-record.js';

/** Id of the job. */
export const REDACT = 'statements.redact';
const REDACTION_WORKER: Actor = { type: 'system', id: null, name: 'redaction worker' };
const EMITS = [BankStatementRedactionSucceeded, BankStatementRedactionFailed];

/** Redacts imported statements, one at a time. */
@Injectable()
export class RedactionProcessor implements OnModuleDestroy {
  private readonly consumer: QueueConsumer;

  constructor(
    private readonly statements: StatementsRepository,
    private readonly content: StatementContent,
    private readonly record: RedactionRecord,
    private readonly clock: Clock,
    unitOfWork: UnitOfWork,
    @Inject(Log) log: Log,
  ) {
    this.consumer = new QueueConsumer(
      {
        queue: statements.queue,
        actor: REDACTION_WORKER,
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

  @Job({ id: REDACT, summary: 'Redacts imported bank statements.', everyMs: 5000, emits: EMITS })
  async redact(): Promise<void> {
    await this.statements.queuePending();
    await this.consumer.consume();
  }

  /** Lines, outcome, event and removal of the original are one transaction: if the worker dies, the statement is unchanged. */
  private async run(item: LeasedItem, signal: AbortSignal): Promise<void> {
    const startedAt = this.clock.timestamp();
    const { fileName } = (await this.statements.get(item, item.id))!;
    const readingOptions = await this.statements.readingOptionsOf(item, item.id);
    const bytes = await this.content.original(item, item.id);
    await this.consumer.transaction(item, async (ctx) => {
      const { facts, redaction } = await this.content.storeLines(ctx, item.id, {
        fileName,
        readingOptions,
        bytes,
        signal,
        isRedacted: false,
      });
      await this.statements.queue.confirmLease(item, ctx.unit);
      await this.record.succeeded(ctx, item.id, facts, { ...redaction, startedAt });
    });
  }
}
