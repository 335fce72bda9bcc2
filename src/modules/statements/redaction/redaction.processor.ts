import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/context.js';
import type { EventDeclaration } from '../../../kernel/declare-event.js';
import type { Failure } from '../../../kernel/failure.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Events } from '../../../store/events/events.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import type { LeasedItem } from '../../../store/jobs/lease-queue.js';
import { type QueueConsumer, QueueConsumers } from '../../../store/jobs/queue-consumer.js';
import { OriginalsRepository } from '../content/statement-content.repository.js';
import { StatementContent } from '../content/statement-content.js';
import type { StatementFacts } from '../content/read-and-redact.computation.js';
import type { BankStatement, Redaction } from '../statement.entity.js';
import { BankStatementDto } from '../statements.dto.js';
import { BankStatementRedactionFailed, BankStatementRedactionSucceeded, BankStatementUpdated } from '../statements.events.js';
import { StatementsRepository } from '../statements.repository.js';

@Injectable()
export class RedactionRecord {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly originals: OriginalsRepository,
    private readonly events: Events,
    private readonly audit: AuditRecorder,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  started(ctx: WriteContext, id: string): void {
    const changes = { redactionStatus: { from: 'queued', to: 'running' } };
    this.audit.record(ctx, { action: 'bank_statement.redaction_started', resourceId: id, changes });
  }

  async succeeded(ctx: WriteContext, id: string, facts: StatementFacts, redaction: Omit<Redaction, 'finishedAt'>): Promise<void> {
    const outcome = {
      ...facts,
      redactionStatus: 'succeeded' as const,
      redaction: { ...redaction, finishedAt: this.clock.timestamp() },
      failure: null,
    };
    await this.settle(ctx, id, outcome, BankStatementRedactionSucceeded);
    if (!this.settings.statementKeepOriginal) await this.originals.remove(ctx, id);
  }

  /** Keeps the original, so that redaction can be retried. */
  failed(ctx: WriteContext, id: string, failure: Failure): Promise<void> {
    return this.settle(ctx, id, { redactionStatus: 'failed', failure }, BankStatementRedactionFailed);
  }

  private async settle(ctx: WriteContext, id: string, outcome: Partial<BankStatement>, event: EventDeclaration): Promise<void> {
    const before = (await this.statements.lock(ctx, id))!;
    const after: BankStatement = { ...before, ...outcome, updatedAt: this.clock.after(before.updatedAt) };
    await this.statements.change(ctx, after, Object.keys(outcome) as (keyof BankStatement)[]);
    this.events.append(ctx, event, { before: BankStatementDto.from(before), after: BankStatementDto.from(after) });
  }
}

export const REDACT = 'statements.redact';
const REDACTION_WORKER: Actor = { type: 'system', id: null, name: 'redaction worker' };
const EMITS = [BankStatementRedactionSucceeded, BankStatementRedactionFailed, BankStatementUpdated];

@Injectable()
export class RedactionProcessor {
  private readonly consumer: QueueConsumer;

  constructor(
    private readonly statements: StatementsRepository,
    private readonly originals: OriginalsRepository,
    private readonly content: StatementContent,
    private readonly record: RedactionRecord,
    private readonly clock: Clock,
    consumers: QueueConsumers,
  ) {
    this.consumer = consumers.make({
      queue: statements.queue,
      actor: REDACTION_WORKER,
      emits: EMITS,
      begin: (ctx, item) => this.record.started(ctx, item.id),
      run: (item, signal) => this.run(item, signal),
      fail: (ctx, item, failure) => this.record.failed(ctx, item.id, failure),
    });
  }

  @Job({ id: REDACT, summary: 'Redacts imported bank statements.', everyMs: 5000, emits: EMITS })
  async redact(): Promise<void> {
    if (await this.consumer.isIdle()) return;
    await this.statements.queuePending();
    await this.consumer.consume();
  }

  /** Lines, outcome, event and removal of the original are one transaction: if the worker dies, the statement is unchanged. */
  private async run(item: LeasedItem, signal: AbortSignal): Promise<void> {
    const startedAt = this.clock.timestamp();
    const { fileName, sizeBytes } = (await this.statements.get(item, item.id))!;
    const readingOptions = await this.statements.findReadingOptions(item, item.id);
    const bytes = await this.originals.open(item, item.id);
    const read = await this.content.read(item, { fileName, sizeBytes, readingOptions, bytes, signal, isRedacted: false });
    await this.consumer.transaction(item, async (ctx) => {
      const facts = await this.content.storeLines(ctx, item.id, read);
      await this.statements.queue.confirmLease(item, ctx.unit);
      await this.record.succeeded(ctx, item.id, facts, { ...read.redaction, startedAt });
    });
  }
}
