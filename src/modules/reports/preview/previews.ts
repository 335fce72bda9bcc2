import { Injectable } from '@nestjs/common';
import type { PageContext } from '../../../api/console/page.js';
import { say } from '../../../api/console/say.js';
import type { Tenant } from '../../../kernel/context.js';
import { JobFailure } from '../../../kernel/failure.js';
import { FairShare } from '../../../kernel/fair-share.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Implements } from '../../../store/discovery/ports.js';
import type { AnyComputation, ResultOf } from '../../../store/threads/messages.js';
import { NOTHING, Threads, type Work } from '../../../store/threads/threads.js';
import { PREVIEWED_LINES, type PreviewedCategory, type PreviewScope, type RulePreview, RulePreviews } from '../../categories/index.js';
import { ProjectsService } from '../../projects/index.js';
import { type BankStatement, StatementsService } from '../../statements/index.js';
import { warningOf } from '../engine/checks/findings.js';
import type { RunInputs, RunLine, RunStatement } from '../engine/inputs.js';
import type { ClaimReportPeriodDto, ClaimReportResultDto, ClaimReportWarningDto } from '../result.dto.js';
import { RunStatements, SelectedCategories, type SomeLines } from '../run/report-inputs.js';
import type { default as calendarOf, Calendar } from './calendar.computation.js';
import type { default as previewRules, PreviewOrder } from './preview-rules.computation.js';

/** What a page that computes may read at most: somebody waits for it. */
const MOST_READ = { statements: 500, lines: 10_000 };
const TIMEOUT_MS = 10_000;
const ADVICE = 'Choose a project or a shorter period, or use fewer patterns.';

/** Computes something for a page. What is too much is the caller's input: it is said above the form, which keeps what was entered. */
@Injectable()
export class PageTurns {
  /** An organization computes one page at a time. */
  private readonly pages = new FairShare({ what: 'Previews', capacity: 2, share: 1, maxWaiting: 3, maxWaitMs: TIMEOUT_MS });

  constructor(private readonly threads: Threads) {}

  async whileSomebodyWaits<T>(organizationId: string, compute: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const giveBack = await this.pages.take(organizationId).catch(asInput);
    try {
      return await compute(AbortSignal.timeout(TIMEOUT_MS));
    } catch (error) {
      return asInput(error);
    } finally {
      giveBack();
    }
  }

  /** What a computation without outputs returns, from a thread. */
  async compute<C extends AnyComputation>(file: URL, work: Omit<Work<C>, 'advice'>): Promise<ResultOf<C>> {
    return (await this.threads.compute<C>(file, { ...work, advice: ADVICE }).next()).value as ResultOf<C>;
  }
}

function asInput(error: unknown): never {
  if (error instanceof JobFailure) throw new Problem('validation_failed', { detail: error.message });
  if (error instanceof Problem && error.code === 'rate_limited') throw new Problem('validation_failed', { detail: error.detail });
  if (error instanceof DOMException && error.name === 'TimeoutError')
    throw new Problem('validation_failed', { detail: say('console.reports.previewTooLong', { seconds: TIMEOUT_MS / 1000 }) });
  throw error;
}

const CALENDAR = new URL('./calendar.computation.js', import.meta.url);

/** What a calendar reads at most, and how much of it is shown. */
const CALENDAR_READS = { statements: 500, lines: 200_000 };
const MAX_MONTHS = 120;
const MAX_ACCOUNTS = 50;
const MAX_UNREDACTED = 20;

export interface ShownCalendar {
  readonly calendar: Calendar;
  readonly statements: readonly RunStatement[];
  readonly isCounted: boolean;
}

export interface FoundEvidence {
  /** null if there are too many statements or lines for a page. A run may read more. */
  readonly shown: ShownCalendar | null;
  readonly unredacted: readonly BankStatement[];
  /** Without statements: where others are, as the run will say it, with the names of projects: this is for the staff alone. */
  readonly elsewhere: { readonly warning: ClaimReportWarningDto; readonly projects: readonly string[] } | undefined;
}

@Injectable()
export class EvidenceCalendars {
  constructor(
    private readonly runStatements: RunStatements,
    private readonly statements: StatementsService,
    private readonly turns: PageTurns,
  ) {}

  /** Of the statements that a run has read: the first of them if they are many. */
  async ofResult(ctx: Tenant, { statements, period }: ClaimReportResultDto): Promise<ShownCalendar> {
    const some = statements.slice(0, CALENDAR_READS.statements);
    const ids = some.map(({ id }) => id);
    const isCounted = some.reduce((sum, { linesRead }) => sum + linesRead, 0) <= CALENDAR_READS.lines;
    return this.compute(ctx, await this.runStatements.known(ctx, ids), period, isCounted);
  }

  /** Of the statements that a run would read. It is refused like a run whose lines are not kept any more. */
  async ahead(ctx: Tenant, projectId: string | null, period: ClaimReportPeriodDto | null): Promise<FoundEvidence> {
    const [statements, unredacted] = await Promise.all([
      this.turns.whileSomebodyWaits(ctx.organizationId, () =>
        this.runStatements.select(ctx, projectId, period, CALENDAR_READS).catch(unlessTooMany),
      ),
      this.statements.unredacted(ctx, projectId, MAX_UNREDACTED),
    ]);
    const elsewhere = projectId !== null && statements?.length === 0 ? await this.elsewhere(ctx, projectId, period) : undefined;
    return { shown: statements && (await this.compute(ctx, statements, period, true)), unredacted, elsewhere };
  }

  private async elsewhere(ctx: Tenant, projectId: string, period: ClaimReportPeriodDto | null): Promise<FoundEvidence['elsewhere']> {
    const others = await this.runStatements.otherThan(ctx, projectId, period);
    if (!others) return undefined;
    const projects = await this.runStatements.otherProjects(ctx, projectId, period);
    return { warning: warningOf({ kind: 'statements_of_other_projects', ...others }), projects };
  }

  private async compute(
    ctx: Tenant,
    statements: readonly RunStatement[],
    period: ClaimReportPeriodDto | null,
    isCounted: boolean,
  ): Promise<ShownCalendar> {
    const ids = statements.map(({ id }) => id);
    const lines = isCounted ? await this.statements.lineMonths(ctx, ids) : [];
    const input = { statements, period, lines, maxMonths: MAX_MONTHS, maxAccounts: MAX_ACCOUNTS };
    const { organizationId } = ctx;
    const calendar = await this.turns.whileSomebodyWaits(organizationId, (signal) =>
      this.turns.compute<typeof calendarOf>(CALENDAR, { organizationId, input, items: NOTHING, signal }),
    );
    return { calendar, statements, isCounted };
  }
}

function unlessTooMany(error: unknown): null {
  if (error instanceof JobFailure && ['too_many_statements', 'too_many_lines'].includes(error.code)) return null;
  throw error;
}

const PREVIEW_RULES = new URL('./preview-rules.computation.js', import.meta.url);

const NEW = 'new';

@Implements(RulePreviews)
export class RulePreviewer implements RulePreviews {
  constructor(
    private readonly projects: ProjectsService,
    private readonly categories: SelectedCategories,
    private readonly runStatements: RunStatements,
    private readonly statements: StatementsService,
    private readonly turns: PageTurns,
    private readonly settings: Settings,
  ) {}

  async preview(ctx: PageContext, category: PreviewedCategory, scope: PreviewScope): Promise<RulePreview> {
    // A category of a project claims lines of its statements only.
    const projectId = scope.projectId ?? category.projectId;
    if (projectId !== null) await this.projects.get(ctx, projectId);
    return this.turns.whileSomebodyWaits(ctx.organizationId, (signal) => this.compute(ctx, category, { ...scope, projectId }, signal));
  }

  private async compute(ctx: Tenant, category: PreviewedCategory, scope: PreviewScope, signal: AbortSignal): Promise<RulePreview> {
    const { projectId, period } = scope;
    const categories = await this.categories.select(ctx, projectId, null, signal);
    const some = await this.runStatements.newest(ctx, projectId, period, MOST_READ);
    const input: PreviewOrder = {
      inputs: { project: null, configuration: period && ofPeriod(period), categories, statements: some.statements },
      draft: { ...category, id: category.id ?? NEW, status: 'active' },
      tokenKey: await this.statements.tokenKey(ctx),
      limits: this.settings.reportLimits,
      shown: PREVIEWED_LINES,
    };
    const work = { organizationId: ctx.organizationId, input, items: this.lines(ctx, some), signal };
    const { lines, ...counts } = await this.turns.compute<typeof previewRules>(PREVIEW_RULES, work);
    const shown = lines.map(({ line, claimedToday }) => ({ ...line, claimedToday }));
    return { ...counts, lines: shown, linesRead: some.linesRead, linesInAll: some.linesInAll };
  }

  private async *lines(ctx: Tenant, { statements, counts }: SomeLines): AsyncGenerator<readonly RunLine[]> {
    for (const { id: statementId } of statements) {
      let left = counts.get(statementId)!;
      for await (const lines of this.statements.lines(ctx, statementId)) {
        yield lines.slice(0, left).map((line) => ({ ...line, statementId }));
        left -= lines.length;
        if (left <= 0) break;
      }
    }
  }
}

/** A period, as a run has it from a configuration that leaves out nothing. */
function ofPeriod({ start, end }: NonNullable<PreviewScope['period']>): RunInputs['configuration'] {
  return { id: NEW, name: NEW, periodStart: start, periodEnd: end, categoryFilter: {}, outputOptions: {} };
}
