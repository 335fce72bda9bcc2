import { Injectable } from '@nestjs/common';
import { requireReached } from '../../../store/tenant/of-projects.js';
import { newId } from '../../../kernel/ids.js';
import { formatMoney, moneyOf } from '../../../kernel/money.js';
import { Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { CategoriesService } from '../../categories/index.js';
import { StatementsService } from '../../statements/index.js';
import { ClosedPeriods } from '../closing/closings.service.js';
import type { DecidedPart } from '../engine/inputs.js';
import type { ClaimReport } from '../report.entity.js';
import { ReportsService } from '../reports.service.js';
import type { ClaimLineDetailsDto, CreateClaimLineDecisionsDto, ListClaimLinesQuery } from './claim-lines.dto.js';
import { ClaimLinesRepository, type NewDecision, type ReadLine } from './claim-lines.repository.js';

/** What a decision must not be against. */
@Injectable()
export class DecisionChecks {
  constructor(
    private readonly categories: CategoriesService,
    private readonly statements: StatementsService,
    private readonly periods: ClosedPeriods,
  ) {}

  /** No claim with these lines is final, and the categories apply to them. */
  async require(ctx: WriteContext, lines: readonly ReadLine[], parts: readonly DecidedPart[]): Promise<void> {
    const statements = await this.statements.ofIds(ctx, [...new Set(lines.map(({ statementId }) => statementId))]);
    const projects = new Map(statements.map(({ id, projectId }) => [id, projectId]));
    for (const projectId of new Set(projects.values())) {
      // What is decided about a line without a project holds in the claims of all.
      requireReached(ctx, projectId);
      const days = lines.filter(({ statementId }) => projects.get(statementId) === projectId).map(({ bookedOn }) => bookedOn);
      if (projectId !== null) await this.periods.requireOpenDays(ctx, projectId, days);
    }
    const wanted = parts.some(({ categoryId }) => categoryId !== null);
    const known = wanted ? new Map((await this.categories.applicable(ctx, null)).map((category) => [category.id, category])) : undefined;
    for (const [index, { categoryId }] of parts.entries()) {
      if (categoryId === null) continue;
      const category = known!.get(categoryId);
      const fits = category && (category.projectId === null || statements.every(({ projectId }) => projectId === category.projectId));
      if (!fits) throw noCategory(index);
    }
  }
}

/** The lines of runs, and what people decide about them. */
@Injectable()
export class ClaimLinesService {
  constructor(
    private readonly lines: ClaimLinesRepository,
    private readonly reports: ReportsService,
    private readonly checks: DecisionChecks,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  async list(ctx: ReadContext, reportId: string, query: ListClaimLinesQuery): Promise<PageOf<ReadLine>> {
    await this.reports.get(ctx, reportId);
    return this.lines.page(ctx, reportId, query);
  }

  /** The run whose lines stand for those of this one: itself, or a later one of its project and configuration. */
  findRunWithLines(ctx: ReadContext, run: ClaimReport): Promise<string | undefined> {
    return this.lines.findRunWithLines(ctx, run);
  }

  async get(ctx: ReadContext, id: string): Promise<ReadLine & Pick<ClaimLineDetailsDto, 'decisions'>> {
    const [line] = await this.lines.ofIds(ctx, [id]);
    if (!line) throw new Problem('not_found', { detail: 'There is no line with this id among those of the newest runs.' });
    return { ...line, decisions: await this.lines.history(ctx, line) };
  }

  /** All of the lines or none. */
  async decide(ctx: WriteContext, { lineIds, outcome, parts = [], reason = null, note = null }: CreateClaimLineDecisionsDto) {
    requireParts(outcome, parts.length);
    const ids = [...new Set(lineIds)];
    const lines = await this.named(ctx, ids);
    const decided = parts.map(({ categoryId, amount = null, claimablePercent = '100', taxPercent = null }) => ({
      ...{ categoryId, amount, claimablePercent, taxPercent },
    }));
    for (const line of lines) requireSum(line, decided);
    await this.checks.require(ctx, lines, decided);
    const now = this.clock.timestamp();
    const { type: actorType, id: actorId, name: actorName } = ctx.actor;
    const decisions = lines.map(({ statementId, lineNumber, fingerprint, occurrence }): NewDecision => ({
      ...{ id: newId(), statementId, lineNumber, fingerprint, occurrence, outcome, parts: decided, reason, note },
      ...{ actorType, actorId, actorName, decidedAt: now, replacedAt: null },
    }));
    await this.lines.decide(ctx, decisions);
    this.record(ctx, decisions, lines);
    return this.named(ctx, ids);
  }

  /** In the order of their ids in the call. */
  private async named(ctx: ReadContext, ids: readonly string[]): Promise<ReadLine[]> {
    const found = new Map((await this.lines.ofIds(ctx, ids)).map((line) => [line.id, line]));
    return ids.map((id) => found.get(id) ?? noLine());
  }

  private record(ctx: WriteContext, decisions: readonly NewDecision[], lines: readonly ReadLine[]): void {
    const [{ id, outcome, parts, reason }] = decisions as [NewDecision];
    const before = lines.length === 1 ? (lines[0]!.decision?.outcome ?? 'by_rules') : null;
    this.audit.record(ctx, {
      action: 'claim_line.decided',
      resourceId: id,
      changes: {
        lines: { from: null, to: decisions.map(({ statementId, lineNumber }) => ({ statementId, lineNumber })) },
        outcome: { from: before, to: outcome },
        ...(parts.length > 0 && { parts: { from: null, to: parts } }),
        ...(reason !== null && { reason: { from: null, to: reason } }),
      },
    });
  }
}

function requireParts(outcome: string, parts: number): void {
  if (outcome === 'claimed' && parts === 0) throw Problem.invalidField('parts', 'required', 'must say what is claimed');
  if (outcome !== 'claimed' && parts > 0) throw Problem.invalidField('parts', 'too_many', `must be left out with the outcome ${outcome}`);
}

/** Parts make up the line, each with its sign: a refund of a part is a line of its own. */
function requireSum({ amount }: ReadLine, parts: readonly DecidedPart[]): void {
  if (parts.length === 0 || (parts.length === 1 && parts[0]!.amount === null)) return;
  const line = moneyOf(amount);
  let rest = line;
  for (const [index, part] of parts.entries()) {
    const money = part.amount === null ? 0n : moneyOf(part.amount);
    if (money === 0n || money < 0n !== line < 0n)
      throw Problem.invalidField(`parts[${index}].amount`, 'not_allowed', 'must be an amount with the sign of the line');
    rest -= money;
  }
  if (rest !== 0n) throw Problem.invalidField('parts', 'does_not_add_up', `must make ${amount}; ${formatMoney(rest, 2)} is left`);
}

function noLine(): never {
  const error = { field: 'lineIds', code: 'related_record_missing', message: 'must be ids of lines of the newest runs' } as const;
  throw Problem.atField('related_record_missing', error, (field) => `There is no line with one of the ids in ${field}.`);
}

function noCategory(index: number): Problem {
  const message = 'must be the id of an expense category that applies to the lines';
  return Problem.relatedMissing(`parts[${index}].categoryId`, 'category for these lines', message);
}
