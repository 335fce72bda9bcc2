import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { pick } from '../../../kernel/changes.js';
import type { Tenant } from '../../../kernel/context.js';
import { JobFailure } from '../../../kernel/failure.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { NOTHING, Threads } from '../../../store/threads/threads.js';
import { canonicalJson } from '../../../kernel/json.js';
import { CategoriesService, type CategoryOutline } from '../../categories/index.js';
import { ClaimItemsService, amountOf, type ClaimItem } from '../../claim-items/index.js';
import { ConfigurationsService } from '../../configurations/index.js';
import { OrganizationService } from '../../organization/index.js';
import { ProjectsService } from '../../projects/index.js';
import { RatesService } from '../../rates/index.js';
import { ECB, ECB_AVERAGE } from '../../rules/index.js';
import { type ReadableStatement, StatementsService, type RedactedLine } from '../../statements/index.js';
import { addDays, ITEMS_STATEMENT, rangeOver, readOutputOptions, requireWithin } from '../engine/inputs.js';
import type { DayQuotes, OtherStatements, RunCategory, RunConfiguration, RunDecision, RunInputs, RunReceipt } from '../engine/inputs.js';
import type { RunStatement } from '../engine/inputs.js';
import { MAX_DAYS_BACK } from '../engine/rates/conversions.js';
import { ClaimLinesRepository } from '../lines/claim-lines.repository.js';
import { ReceiptsRepository } from '../receipts/receipts.repository.js';
import type { ClaimReport } from '../report.entity.js';
import type { ClaimReportPeriodDto } from '../result.dto.js';
import type selectCategories from './select-categories.computation.js';

/**
 * Items as lines of a statement of their own, each decided by whoever has entered it: all that holds for lines holds for them, and no file
 * can leave them out.
 */
export function inputsOfItems(items: readonly ClaimItem[]): Pick<RunInputs, 'statements' | 'items' | 'decisions'> {
  if (items.length === 0) return { statements: [] };
  const lines = items.map(lineOf);
  const statement: RunStatement = {
    id: ITEMS_STATEMENT,
    projectId: null,
    sha256: createHash('sha256').update(canonicalJson(lines)).digest('hex'),
    fileName: 'claim items',
    accountLabel: null,
    redactionVersion: 'declared',
    periodStart: null,
    periodEnd: null,
    balances: [],
  };
  return { statements: [statement], items: lines, decisions: items.map(decisionOf) };
}

function lineOf(item: ClaimItem, index: number): RedactedLine {
  const { id, incurredOn, currency, name, quantity, unit, rate, rateSource } = item;
  const priced = quantity === '1' ? null : `${[quantity, unit ?? []].flat().join(' ')} × ${rate} ${currency}`;
  const details = [priced, rateSource].filter((detail) => detail !== null).join(', ');
  return {
    lineNumber: index + 1,
    account: null,
    bookedOn: incurredOn,
    amount: `-${amountOf(item)}`,
    currency,
    description: details === '' ? name : `${name} (${details})`,
    counterparty: null,
    counterpartyAccount: null,
    reference: null,
    fingerprint: fingerprintOf(id),
  };
}

const decisionOf = ({ id, categoryId, taxPercent, enteredBy, updatedAt }: ClaimItem): RunDecision => ({
  id,
  fingerprint: fingerprintOf(id),
  occurrence: 1,
  parts: [{ categoryId, amount: null, claimablePercent: '100', taxPercent }],
  by: enteredBy,
  at: updatedAt,
  reason: null,
});

const fingerprintOf = (id: string): string => id.replaceAll('-', '');

/** Of projects with statements that a run does not read. */
const PROJECTS_NAMED = 3;

/** About lines of one run. */
const MOST_DECISIONS = 100_000;
const MOST_ITEMS = 10_000;
/** Of its lines, items and project. */
const MOST_RECEIPTS = 5_000;

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

@Injectable()
export class RunStatements {
  constructor(
    private readonly statements: StatementsService,
    private readonly projects: ProjectsService,
    private readonly claimLines: ClaimLinesRepository,
    private readonly claimItems: ClaimItemsService,
    private readonly receiptsOf: ReceiptsRepository,
    private readonly settings: Settings,
  ) {}

  /** Costs of the period that no bank has, as what the run reads. */
  async items(ctx: Tenant, projectId: string | null, period: ClaimReportPeriodDto | null): Promise<ReturnType<typeof inputsOfItems>> {
    const items = await this.claimItems.claimed(ctx, projectId, period, MOST_ITEMS + 1);
    requireWithin(MOST_ITEMS, items.length, 'too_many_items', 'Claim items', 'Report a shorter period, or one project at a time.');
    return inputsOfItems(items);
  }

  async decisions(ctx: Tenant, statements: readonly RunStatement[]): Promise<RunDecision[]> {
    const ids = statements.map(({ id }) => id);
    const decisions = await this.claimLines.ofStatements(ctx, ids, MOST_DECISIONS + 1);
    requireWithin(MOST_DECISIONS, decisions.length, 'too_many_decisions', 'Decisions about lines', 'Report a shorter period.');
    return decisions;
  }

  /** The active receipts of its lines, items and project. */
  async receipts(ctx: Tenant, inputs: RunInputs, projectId: string | null, period: ClaimReportPeriodDto | null): Promise<RunReceipt[]> {
    const statementIds = inputs.statements.map(({ id }) => id);
    const itemIds = (inputs.items ?? []).map(({ fingerprint }) => fingerprint);
    const { start, end } = period ?? { start: null, end: null };
    const found = await this.receiptsOf.ofRun(ctx, { statementIds, itemIds, projectId, start, end, limit: MOST_RECEIPTS + 1 });
    requireWithin(MOST_RECEIPTS, found.length, 'too_many_receipts', 'Receipts', 'Report a shorter period, or one project at a time.');
    return found;
  }

  /** At most as many statements and lines as a run may read, unless there are other limits. */
  async select(
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
    return this.withAccounts(ctx, statements);
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
    return { statements: await this.withAccounts(ctx, read), counts, linesRead: room.lines - free, linesInAll };
  }

  async known(ctx: Tenant, ids: readonly string[]): Promise<readonly RunStatement[]> {
    return this.withAccounts(ctx, await this.statements.ofIds(ctx, ids));
  }

  /** For a run that reads none: where statements are. */
  async elsewhere(
    ctx: Tenant,
    projectId: string | null,
    period: ClaimReportPeriodDto | null,
  ): Promise<Pick<RunInputs, 'otherStatements' | 'unreadStatements'>> {
    const otherStatements = projectId === null ? undefined : await this.otherThan(ctx, projectId, period);
    const { inAll, outside, start, end, failed, waiting } = await this.statements.countUnread(ctx, projectId, period);
    const days = start !== null && end !== null ? { start, end } : undefined;
    return {
      ...(otherStatements && { otherStatements }),
      unreadStatements: { areThereAny: inAll > 0, outside: days ? { count: outside, days } : null, failed, waiting },
    };
  }

  async otherThan(ctx: Tenant, projectId: string, period: ClaimReportPeriodDto | null): Promise<OtherStatements | undefined> {
    const others = await this.statements.countOthers(ctx, projectId, period);
    return others.withoutProject + others.ofOtherProjects === 0 ? undefined : others;
  }

  async otherProjects(ctx: Tenant, projectId: string, period: ClaimReportPeriodDto | null): Promise<string[]> {
    const ids = await this.statements.projectsWithMost(ctx, projectId, period, PROJECTS_NAMED);
    const names = await this.projects.names(ctx, ids);
    return ids.flatMap((id) => names.get(id) ?? []);
  }

  /** To be called after the lines were read: their retention may have ended meanwhile, and then some of them were missing. */
  async requireStillKept(ctx: Tenant, statements: readonly RunStatement[]): Promise<void> {
    const ids = statements.map(({ id }) => id);
    requireKept(await this.statements.findExpired(ctx, ids));
  }

  private async withAccounts(ctx: Tenant, found: readonly ReadableStatement[]): Promise<RunStatement[]> {
    const matched = await this.statements.matchedAccounts(ctx, found);
    return found.map((statement) => ofStatement(statement, matched.get(statement.id) ?? null));
  }
}

/** The redaction version of statements that were imported as redacted. */
const DECLARED = 'declared';

// oxfmt-ignore
const FIELDS = [
  'id', 'projectId', 'fileName', 'accountLabel', 'sha256', 'periodStart', 'periodEnd', 'format', 'balances', 'certainty', 'warnings',
] as const;

function ofStatement({ redaction, ...statement }: ReadableStatement, matchedAccount: string | null): RunStatement {
  return { ...pick(statement, FIELDS), matchedAccount, redactionVersion: redaction?.engineVersion ?? DECLARED };
}

type Expired = Pick<ReadableStatement, 'lineCount' | 'periodEnd'>;

/** The statements that still have their lines. What was removed is needed, unless the same file was imported again for the same project. */
function withContent(found: readonly ReadableStatement[]): ReadableStatement[] {
  const isExpired = ({ contentExpiredAt, lineCount }: ReadableStatement): boolean =>
    typeof contentExpiredAt === 'string' && lineCount !== 0;
  const kept = found.filter((statement) => !isExpired(statement));
  const fileOf = ({ sha256, projectId }: ReadableStatement): string => `${sha256} ${projectId}`;
  const files = new Set(kept.map(fileOf));
  requireKept(found.filter((statement) => isExpired(statement) && !files.has(fileOf(statement))));
  return kept;
}

/** Rejects a run that needs lines which are not kept any more: without them the claim would be too small. */
function requireKept(expired: readonly Expired[]): void {
  const needed = expired.filter(({ lineCount }) => lineCount !== 0);
  if (needed.length === 0) return;
  const last = needed
    .map(({ periodEnd }) => periodEnd ?? '')
    .sort()
    .at(-1)!;
  const statements = needed.length === 1 ? '1 bank statement' : `${needed.length} bank statements`;
  throw new JobFailure(
    'statement_content_removed',
    `The lines of ${statements} are no longer kept, so the claim would be incomplete. ` +
      `Report a period that begins after ${last}, or import the files again.`,
  );
}

const SELECT_CATEGORIES = new URL('./select-categories.computation.js', import.meta.url);

/** The categories that take part in a run. The rules of the others are not read. */
@Injectable()
export class SelectedCategories {
  constructor(
    private readonly categories: CategoriesService,
    private readonly threads: Threads,
    private readonly settings: Settings,
  ) {}

  async select(ctx: Tenant, projectId: string | null, configuration: RunConfiguration | null, signal: AbortSignal): Promise<RunCategory[]> {
    const applicable = await this.categories.applicable(ctx, projectId);
    const ids = new Set(await this.selected(ctx, configuration, applicable, signal));
    const selected = applicable.filter(({ id }) => ids.has(id));
    const bytes = selected.reduce((sum, { mappingBytes }) => sum + mappingBytes, 0);
    requireWithin(this.settings.reportLimits.rulesBytes, bytes, 'rules_too_large', 'Bytes of rules', 'Select fewer categories.');
    const mappings = await this.categories.mappings(ctx, [...ids]);
    return selected.map((category) => ({
      ...pick(category, ['id', 'projectId', 'code', 'name', 'status']),
      sourceMapping: mappings.get(category.id)!,
    }));
  }

  private async selected(
    { organizationId }: Tenant,
    configuration: RunConfiguration | null,
    applicable: readonly CategoryOutline[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const categories = applicable.map((category) => pick(category, ['id', 'code', 'status']));
    const input = { categoryFilter: configuration?.categoryFilter ?? {}, categories };
    const advice = 'Use fewer patterns in categoryFilter.';
    const work = { organizationId, input, items: NOTHING, signal, advice };
    const selection = this.threads.compute<typeof selectCategories>(SELECT_CATEGORIES, work);
    return (await selection.next()).value;
  }
}

/** The reference rates that the lines of a run may need, copied once: a later import does not change the run. */
@Injectable()
export class RunQuotes {
  constructor(
    private readonly rates: RatesService,
    private readonly statements: StatementsService,
  ) {}

  /** Of the currencies of its lines and accounts, and of their days; undefined if the options do not ask for them. */
  async read(
    ctx: Tenant,
    { configuration, statements, items = [] }: RunInputs,
    period: ClaimReportPeriodDto | null,
  ): Promise<readonly DayQuotes[] | undefined> {
    const { rates, currency } = readOutputOptions(configuration?.outputOptions ?? {});
    if ((rates !== ECB && rates !== ECB_AVERAGE) || currency === null) return undefined;
    const ids = statements.map(({ id }) => id);
    const ofItems = items.map((item) => ({ currency: item.currency, start: item.bookedOn, end: item.bookedOn }));
    const found = [...(await this.statements.currencies(ctx, ids, period)), ...ofItems];
    const days = rangeOver(rates === ECB_AVERAGE && period ? [...found, period] : found);
    if (!days) return [];
    const named = [
      ...found.map((one) => one.currency),
      ...statements.flatMap(({ balances }) => balances.map((balance) => balance.currency)),
    ];
    const wanted = new Set([currency, ...named.filter((code) => code !== null)]);
    // Without another currency there is nothing to convert.
    return wanted.size === 1 ? [] : this.rates.quotes([...wanted].sort(), addDays(days.start, -MAX_DAYS_BACK), days.end);
  }
}

@Injectable()
export class ReportInputs {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly projects: ProjectsService,
    private readonly configurations: ConfigurationsService,
    private readonly categories: SelectedCategories,
    private readonly statements: RunStatements,
    private readonly quotes: RunQuotes,
  ) {}

  /** Rejects what is more than a run may use before it is read. */
  async collect(ctx: Tenant, report: Pick<ClaimReport, 'projectId' | 'reportConfigurationId'>, signal: AbortSignal): Promise<RunInputs> {
    const found = report.reportConfigurationId === null ? null : await this.configurations.get(ctx, report.reportConfigurationId);
    const configuration = found && pick(found, ['id', 'name', 'periodStart', 'periodEnd', 'categoryFilter', 'outputOptions']);
    const projectId = report.projectId ?? found?.projectId ?? null;
    const project = projectId === null ? null : await this.projects.get(ctx, projectId);
    const requested = configuration ?? project;
    const period = requested && { start: requested.periodStart, end: requested.periodEnd };
    const { statements: ofItems, decisions: decided = [], ...items } = await this.statements.items(ctx, projectId, period);
    const inputs = {
      organization: pick(await this.organizations.byId(ctx.organizationId), ['name']),
      project: project && pick(project, ['id', 'name', 'clientReference', 'periodStart', 'periodEnd']),
      configuration,
      categories: await this.categories.select(ctx, projectId, configuration, signal),
      statements: [...(await this.statements.select(ctx, projectId, period)), ...ofItems],
      ...items,
    };
    const quotes = await this.quotes.read(ctx, inputs, period);
    const elsewhere = inputs.statements.length === 0 ? await this.statements.elsewhere(ctx, projectId, period) : {};
    const decisions = [...(await this.statements.decisions(ctx, inputs.statements)), ...decided];
    const form = readOutputOptions(configuration?.outputOptions ?? {}).form?.definition;
    const receipts = await this.statements.receipts(ctx, inputs, projectId, period);
    const said = { ...(decisions.length > 0 && { decisions }), ...(receipts.length > 0 && { receipts }) };
    return { ...inputs, ...said, ...elsewhere, ...(quotes && { quotes }), ...(form && { form }) };
  }

  /** To be called after the lines were read. */
  async requireStillKept(ctx: Tenant, { statements }: RunInputs): Promise<void> {
    await this.statements.requireStillKept(ctx, statements);
  }
}
