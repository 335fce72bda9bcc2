import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { Clock } from '../../../kernel/time.js';
import { Settings } from '../../../kernel/settings/settings.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Events } from '../../../store/events/events.js';
import type { EventDeclaration } from '../../../kernel/declare-event.js';
import type { Failure } from '../../../kernel/failure.js';
import { OriginalsRepository } from '../content/originals.repository.js';
import type { StatementFacts } from '../content/statement-facts.js';
import type { BankStatement, Redaction } from '../statement.entity.js';
import { BankStatementDto } from '../statements.dto.js';
import { BankStatementRedactionFailed, BankStatementRedactionSucceeded } from '../statements.events.js';
import { StatementsRepository } from '../statements.repository.js';

/** Records the progress of redaction in the caller's transaction: the row, events and audit entries. */
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
    this.audit.record(ctx, {
      action: 'bank_statement.redaction_started',
      resourceId: id,
      changes: { redactionStatus: { from: 'queued', to: 'running' } },
    });
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
