import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { StatementsService, type ReadableStatement } from '../../statements/index.js';
import type { OtherStatements, RunStatement } from '../engine/inputs.js';
import { requireWithin } from '../engine/within-limits.js';
import type { ClaimReportPeriodDto } from '../result.dto.js';
import { requireKept, withContent } from './kept-content.js';
import { pick } from './pick.js';

/** The statements that a run reads. */
@Injectable()
export class RunStatements {
  constructor(
    private readonly statements: StatementsService,
    private readonly settings: Settings,
  ) {}

  async of(ctx: Tenant, projectId: string | null, period: ClaimReportPeriodDto | null): Promise<RunStatement[]> {
    const limits = this.settings.reportLimits;
    const found = await this.statements.readable(ctx, projectId, period, limits.statements + 1);
    const statements = withContent(found);
    const advice = 'Report a shorter period, or one project at a time.';
    requireWithin(limits.statements, found.length, 'too_many_statements', 'Statements', advice);
    const lines = statements.reduce((sum, { lineCount }) => sum + (lineCount ?? 0), 0);
    requireWithin(limits.lines, lines, 'too_many_lines', 'Lines of statements', advice);
    const matched = await this.statements.matchedAccounts(ctx, statements);
    return statements.map((statement) => ofStatement(statement, matched.get(statement.id) ?? null));
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
