import { Injectable } from '@nestjs/common';
import { type PageContext, PageRefusal } from '../../../api/console/page.js';
import { say } from '../../../api/console/say.js';
import { changeContext } from '../../../kernel/context.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { type KeyList, StatementNamesService } from '../../statements/index.js';
import { csvOf } from '../outputs/csv-file.js';
import type { ClaimReport } from '../report.entity.js';

/** All of them are searched for people when the page is opened: that takes a few seconds. */
const MAX_LINES = 500_000;

/** The names behind the tokens of one report: for tax offices, which ask for payees. */
@Injectable()
export class KeyLists {
  constructor(
    private readonly names: StatementNamesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
  ) {}

  areKept(ctx: PageContext): Promise<boolean> {
    return this.names.areKept(ctx);
  }

  find(ctx: PageContext, { result }: ClaimReport): Promise<KeyList> {
    const { start = null, end = null } = result?.period ?? {};
    const lines = (result?.statements ?? []).reduce((sum, { linesRead }) => sum + linesRead, 0);
    if (lines > MAX_LINES)
      throw new PageRefusal(say('console.reports.keys.tooLong'), say('console.reports.keys.most', { count: MAX_LINES }));
    return this.names.makeKeyList(ctx, { statementIds: result?.statements.map(({ id }) => id) ?? [], start, end });
  }

  /** As CSV. The audit log has that it was saved before anybody has it. */
  async save(ctx: PageContext, run: ClaimReport): Promise<string> {
    const { entries } = await this.find(ctx, run);
    const named = entries.filter(({ name }) => name !== null).length;
    const context = { ...changeContext(ctx.organizationId, ctx.actor), environment: ctx.environment };
    await this.unitOfWork.run(context, (unit) => {
      this.audit.record(unit, { action: 'claim_report.names_saved', resourceId: run.id, changes: { names: { from: null, to: named } } });
      return Promise.resolve();
    });
    return csvOf({
      columns: [
        { name: 'token', is: 'text' },
        { name: 'name', is: 'text' },
        { name: 'lines', is: 'number' },
      ],
      rows: entries.map(({ token, name, lines }) => [token, name, String(lines)]),
    });
  }
}
