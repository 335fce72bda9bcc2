import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { StatementsService, type ReadableStatement } from '../../statements/index.js';
import type { OtherStatements, RunStatement } from '../engine/inputs.js';
import { requireWithin } from '../engine/within-limits.js';
import type { ClaimReportPeriodDto } from '../result.dto.js';
import { requireKept, withContent } from './kept-content.js';
import { pick } from './pick.js';

/** How much is read at most. */
interface AtMost {
  readonly statements: number;
  readonly lines: number;
}

/** Statements of which not all lines may be read. */
export interface SomeLines {
  readonly statements: readonly RunStatement[];
  /** By statement, how many of its first lines. */
  readonly counts: ReadonlyMap<string, number>;
  readonly linesRead: number;
  readonly linesInAll: number;
}

/** The statements that a run reads. */
@Injectable()
export class RunStatements {
  constructor(
    private readonly statements: StatementsService,
    private readonly settings: Settings,
  ) {}

  /** At most as many statements and lines as a run may read, unless there are other limits. */
  async of(
    ctx: Tenant,
    projectId: string | null,
    period: ClaimReportPeriodDto | null,
    limits: AtMost = this.settings.reportLimits,
  ): Promise<RunStatement[]> {
    const found = await this.statements.readable(ctx, projectId, period, limits.statements + 1);
    const statements = withContent(found);
    const advice = 'Report a shorter period, or one project at a time.';
    requireWithin(limits.statements, found.length, 'too_many_statements', 'Statements', advice);
    const lines = statements.reduce((sum, { lineCount }) => sum + (lineCount ?? 0), 0);
    requireWithin(limits.lines, lines, 'too_many_lines', 'Lines of statements', advice);
    const matched = await this.statements.matchedAccounts(ctx, statements);
    return statements.map((statement) => ofStatement(statement, matched.get(statement.id) ?? null));
  }

  /** The statements that were imported last, in the order of their import, with as many of their lines as there is room for. */
  async newest(ctx: Tenant, projectId: string | null, period: ClaimReportPeriodDto | null, room: AtMost): Promise<SomeLines> {
    const { statements: found, linesInAll } = await this.statements.newest(ctx, projectId, period, room.statements);
    const counts = new Map<string, number>();
    let free = room.lines;
    for (const { id, lineCount } of found) {
      const count = Math.min(free, lineCount ?? 0);
      if (count > 0) counts.set(id, count);
      free -= count;
    }
    const read = found.filter(({ id }) => counts.has(id)).reverse();
    const matched = await this.statements.matchedAccounts(ctx, read);
    return {
      statements: read.map((one) => ofStatement(one, matched.get(one.id) ?? null)),
      counts,
      linesRead: room.lines - free,
      linesInAll,
    };
  }

  /** Statements as a run had them. */
  async known(ctx: Tenant, ids: readonly string[]): Promise<readonly RunStatement[]> {
    const found = await this.statements.ofIds(ctx, ids);
    const matched = await this.statements.matchedAccounts(ctx, found);
    return found.map((one) => ofStatement(one, matched.get(one.id) ?? null));
  }

  /** Those that a run of the project does not read, if there are any. */
  async otherThan(ctx: Tenant, projectId: string, period: ClaimReportPeriodDto | null): Promise<OtherStatements | undefined> {
    const others = await this.statements.countOthers(ctx, projectId, period);
    return others.withoutProject + others.ofOtherProjects > 0 ? others : undefined;
  }

  /** To be called after the lines were read: their retention may have ended meanwhile, and then some of them were missing. */
  async requireStillKept(ctx: Tenant, statements: readonly RunStatement[]): Promise<void> {
    requireKept(
      await this.statements.expiredOf(
        ctx,
        statements.map(({ id }) => id),
      ),
    );
  }
}

/** The redaction version of statements that were imported as redacted. */
const DECLARED = 'declared';

const FIELDS = [
  'id',
  'projectId',
  'fileName',
  'accountLabel',
  'sha256',
  'periodStart',
  'periodEnd',
  'format',
  'balances',
  'warnings',
] as const;

function ofStatement({ redaction, ...statement }: ReadableStatement, matchedAccount: string | null): RunStatement {
  return {
    ...pick(statement, FIELDS),
    matchedAccount,
    redactionVersion: redaction?.engineVersion ?? DECLARED,
  };
}
