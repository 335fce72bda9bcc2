import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { JobFailure } from '../../../kernel/failure.js';
import { NOTHING, Threads } from '../../../store/threads/threads.js';
import { StatementsService, type BankStatement } from '../../statements/index.js';
import { warningOf } from '../engine/checks/findings.js';
import type { RunStatement } from '../engine/inputs.js';
import type { ClaimReportPeriodDto, ClaimReportResultDto } from '../result.dto.js';
import { RunStatements } from '../run/run-statements.js';
import type calendarOf from './calendar.computation.js';
import type { Calendar } from './calendar.computation.js';
import { ADVICE, whileSomebodyWaits } from './preview-limits.js';

const CALENDAR = new URL('./calendar.computation.js', import.meta.url);

/** What a calendar reads at most, and how much of it is shown. */
const MOST_READ = { statements: 500, lines: 200_000 };
const MAX_MONTHS = 120;
const MAX_ACCOUNTS = 50;
const MAX_UNREDACTED = 20;

export interface ShownCalendar {
  readonly calendar: Calendar;
  readonly statements: readonly RunStatement[];
  /** Whether the lines were counted. */
  readonly isCounted: boolean;
}

/** What a run would read. */
export interface FoundEvidence {
  /** null if there are too many statements or lines for a page. A run may read more. */
  readonly shown: ShownCalendar | null;
  /** Statements that are not redacted yet. */
  readonly unredacted: readonly BankStatement[];
  /** Without statements: where others are. */
  readonly elsewhere: string | undefined;
}

/** Which months statements cover, computed in a thread. */
@Injectable()
export class EvidenceCalendars {
  constructor(
    private readonly runStatements: RunStatements,
    private readonly statements: StatementsService,
    private readonly threads: Threads,
  ) {}

  /** Of the statements that a run has read: the first of them if they are many. */
  async ofResult(ctx: Tenant, { statements, period }: ClaimReportResultDto): Promise<ShownCalendar> {
    const some = statements.slice(0, MOST_READ.statements);
    const known = await this.runStatements.known(
      ctx,
      some.map(({ id }) => id),
    );
    return this.of(ctx, known, period, some.reduce((sum, { linesRead }) => sum + linesRead, 0) <= MOST_READ.lines);
  }

  /** Of the statements that a run would read. It is refused like a run whose lines are not kept any more. */
  async ahead(ctx: Tenant, projectId: string | null, period: ClaimReportPeriodDto | null): Promise<FoundEvidence> {
    const [statements, unredacted] = await Promise.all([
      whileSomebodyWaits(ctx.organizationId, () => this.runStatements.of(ctx, projectId, period, MOST_READ).catch(unlessTooMany)),
      this.statements.unredacted(ctx, projectId, MAX_UNREDACTED),
    ]);
    const others = projectId !== null && statements?.length === 0 ? await this.runStatements.otherThan(ctx, projectId, period) : undefined;
    const elsewhere = others && warningOf({ kind: 'statements_of_other_projects', ...others }).message;
    return { shown: statements && (await this.of(ctx, statements, period, true)), unredacted, elsewhere };
  }

  private async of(
    ctx: Tenant,
    statements: readonly RunStatement[],
    period: ClaimReportPeriodDto | null,
    isCounted: boolean,
  ): Promise<ShownCalendar> {
    const ids = statements.map(({ id }) => id);
    const lines = isCounted ? await this.statements.lineMonths(ctx, ids) : [];
    const input = { statements, period, lines, maxMonths: MAX_MONTHS, maxAccounts: MAX_ACCOUNTS };
    const calendar = await whileSomebodyWaits(ctx.organizationId, async (signal) => {
      const computed = this.threads.compute<typeof calendarOf>(CALENDAR, { input, items: NOTHING, signal, advice: ADVICE });
      return (await computed.next()).value;
    });
    return { calendar, statements, isCounted };
  }
}

function unlessTooMany(error: unknown): null {
  if (error instanceof JobFailure && ['too_many_statements', 'too_many_lines'].includes(error.code)) return null;
  throw error;
}
