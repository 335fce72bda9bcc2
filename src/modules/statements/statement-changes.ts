import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../kernel/audit-actions.js';
import { Problem } from '../../kernel/problems.js';
import { Clock } from '../../kernel/time.js';
import type { WriteContext } from '../../store/database/unit-of-work.js';
import { Events } from '../../store/events/events.js';
import { WakeUps } from '../../store/jobs/wake-ups.js';
import { ProjectsService } from '../projects/index.js';
import { REDACT } from './redaction/redaction.processor.js';
import type { BankStatement } from './statement.entity.js';
import { BankStatementDto, type UpdateBankStatementDto } from './statements.dto.js';
import { BankStatementUpdated } from './statements.events.js';
import { StatementsRepository } from './statements.repository.js';
import { missing } from './statements.service.js';

/** What people and programs change of a statement that is there, in the caller's transaction. */
@Injectable()
export class StatementChanges {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly projects: ProjectsService,
    private readonly events: Events,
    private readonly wakeUps: WakeUps,
    private readonly clock: Clock,
  ) {}

  async retry(ctx: WriteContext, id: string): Promise<BankStatement> {
    const before = (await this.statements.lock(ctx, id)) ?? missing();
    if (before.redactionStatus !== 'failed')
      throw new Problem('validation_failed', { detail: `Only a failed statement can be retried; this one is ${before.redactionStatus}.` });
    if ((await this.statements.findExpired(ctx, [id])).length > 0)
      throw new Problem('validation_failed', {
        detail: 'The file of this statement was removed because its retention ended. Import it again.',
      });
    ctx.unit.afterCommit.push(() => this.wakeUps.wake(REDACT));
    return this.changed(ctx, before, { redactionStatus: 'queued', failure: null, lostWorkers: 0 }, 'bank_statement.retried');
  }

  /** To another project. Reports that have read it stay as they are. */
  async move(ctx: WriteContext, id: string, { projectId }: UpdateBankStatementDto): Promise<BankStatement> {
    const before = (await this.statements.lock(ctx, id)) ?? missing();
    if (projectId === undefined || projectId === before.projectId) return before;
    await this.requireOpen(ctx, before, projectId);
    return this.changed(ctx, before, { projectId });
  }

  /** One that was not read yet has no days: no claim has used it. */
  private async requireOpen(ctx: WriteContext, { projectId, periodStart: start, periodEnd: end }: BankStatement, to: string | null) {
    if (start === null || end === null) return;
    // In one order, so that two calls do not wait for each other.
    for (const id of [projectId, to].filter((one) => one !== null).sort()) await this.projects.requireOpen(ctx, id, { start, end });
  }

  private async changed(
    ctx: WriteContext,
    before: BankStatement,
    change: Partial<BankStatement>,
    action?: AuditAction,
  ): Promise<BankStatement> {
    const after: BankStatement = { ...before, ...change, updatedAt: this.clock.after(before.updatedAt) };
    const write = () => this.statements.change(ctx, after, Object.keys(change) as (keyof BankStatement)[]);
    await this.projects.writeRelated(ctx, change.projectId, write);
    const shown = { before: BankStatementDto.from(before), after: BankStatementDto.from(after) };
    this.events.append(ctx, BankStatementUpdated, shown, action);
    return after;
  }
}
