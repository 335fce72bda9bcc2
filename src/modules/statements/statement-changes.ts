import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../kernel/audit-actions.js';
import { changesBetween } from '../../kernel/changes.js';
import { Problem } from '../../kernel/problems.js';
import { Clock } from '../../kernel/time.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import type { WriteContext } from '../../store/database/unit-of-work.js';
import { WakeUps } from '../../store/jobs/wake-ups.js';
import { ProjectsService } from '../projects/index.js';
import { REDACT } from './redaction/redaction.processor.js';
import type { BankStatement } from './statement.entity.js';
import { BankStatementDto, type UpdateBankStatementDto } from './statements.dto.js';
import { StatementsRepository } from './statements.repository.js';
import { missing } from './statements.service.js';

/** What people and programs change of a statement that is there, in the caller's transaction. */
@Injectable()
export class StatementChanges {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly projects: ProjectsService,
    private readonly audit: AuditRecorder,
    private readonly wakeUps: WakeUps,
    private readonly clock: Clock,
  ) {}

  /** Queues a failed one again, from its stored original. */
  async retry(ctx: WriteContext, id: string): Promise<BankStatement> {
    const before = (await this.statements.lock(ctx, id)) ?? missing();
    if (before.redactionStatus !== 'failed')
      throw new Problem('validation_failed', { detail: `Only a failed statement can be retried; this one is ${before.redactionStatus}.` });
    if ((await this.statements.findExpired(ctx, [id])).length > 0)
      throw new Problem('validation_failed', {
        detail: 'The file of this statement was removed because its retention ended. Import it again.',
      });
    ctx.unit.afterCommit.push(() => this.wakeUps.wake(REDACT));
    return this.changed(ctx, 'bank_statement.retried', before, { redactionStatus: 'queued', failure: null, lostWorkers: 0 });
  }

  /** To another project. Reports that have read it stay as they are. */
  async move(ctx: WriteContext, id: string, { projectId }: UpdateBankStatementDto): Promise<BankStatement> {
    const before = (await this.statements.lock(ctx, id)) ?? missing();
    if (projectId === undefined || projectId === before.projectId) return before;
    return this.changed(ctx, 'bank_statement.moved', before, { projectId });
  }

  private async changed(
    ctx: WriteContext,
    action: AuditAction,
    before: BankStatement,
    change: Partial<BankStatement>,
  ): Promise<BankStatement> {
    const after: BankStatement = { ...before, ...change, updatedAt: this.clock.after(before.updatedAt) };
    const write = () => this.statements.change(ctx, after, Object.keys(change) as (keyof BankStatement)[]);
    await this.projects.writeRelated(ctx, change.projectId, write);
    const changes = changesBetween(BankStatementDto.from(before), BankStatementDto.from(after));
    this.audit.record(ctx, { action, resourceId: before.id, changes });
    return after;
  }
}
