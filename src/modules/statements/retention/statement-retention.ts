import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/context.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { DatabaseClock } from '../../../store/database/database-clock.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { StatementsRepository } from '../statements.repository.js';
import { ExpiredContentRepository, START, type ExpiredStatement } from '../content/statement-content.repository.js';

/** The name is part of the audit log. */
const RETENTION: Actor = { type: 'system', id: null, name: 'statement retention' };
const EVERY_MS = 60_000;
/** A turn ends after this time. The next one continues. */
const TURN_MS = 30_000;

/**
 * Removes the lines and files of old statements, a few rows per statement of SQL. First the statement expires: a run that reads it
 * from then on fails instead of claiming less. Its record says that the content is removed once the last of it is gone.
 */
@Injectable()
export class StatementRetention {
  constructor(
    private readonly content: ExpiredContentRepository,
    private readonly statements: StatementsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly settings: Settings,
    private readonly clock: DatabaseClock,
  ) {}

  @Job({
    id: 'statements.retain',
    summary: 'Removes the content of statements that are older than STATEMENT_RETENTION.',
    everyMs: EVERY_MS,
  })
  async retain(): Promise<void> {
    const { statementRetentionMs } = this.settings;
    if (statementRetentionMs === undefined) return;
    const end = performance.now() + TURN_MS;
    let after = START;
    while (performance.now() < end) {
      const now = this.clock.now();
      const statement = await this.content.next(now.toISOString(), new Date(now.getTime() - statementRetentionMs).toISOString(), after);
      if (!statement) return;
      for await (const _deleted of this.content.delete(statement)) if (performance.now() >= end) break;
      await this.finish(statement);
      after = statement;
    }
  }

  /** What is locked, such as by another worker that deletes it, is left for the next turn. */
  private finish(statement: ExpiredStatement): Promise<void> {
    const { id, organizationId, environment } = statement;
    return this.unitOfWork.runAs(RETENTION, { organizationId, environment }, async (ctx) => {
      const before = await this.statements.lock(ctx, id);
      if (!before || before.contentRemovedAt !== null || (await this.content.hasContent(statement, ctx.unit))) return;
      const contentRemovedAt = this.clock.timestamp();
      const after = { ...before, contentRemovedAt, balances: [], updatedAt: this.clock.after(before.updatedAt) };
      await this.statements.update(ctx, after, ['contentRemovedAt', 'balances', 'updatedAt']);
      const changes = { contentRemovedAt: { from: null, to: contentRemovedAt } };
      this.audit.record(ctx, { action: 'bank_statement.content_removed', resourceId: id, changes });
    });
  }
}
