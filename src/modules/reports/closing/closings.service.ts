import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../api/access/principal.js';
import { pick } from '../../../kernel/changes.js';
import type { Actor } from '../../../kernel/context.js';
import { newId } from '../../../kernel/ids.js';
import { notFound, Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { Events } from '../../../store/events/events.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { Implements } from '../../../store/discovery/ports.js';
import { PeriodGuard } from '../../projects/index.js';
import type { ClaimReport } from '../report.entity.js';
import { ReportsRepository } from '../reports.repository.js';
import type { DateRange } from '../engine/inputs.js';
import { inputsHashOf } from '../engine/compute.js';
import type { ClaimReportResultDto } from '../result.dto.js';
import { type ClaimClosing, type ClosingState, notInState } from './closing.entity.js';
import { ClaimClosingChangesDto } from './closing-parts.dto.js';
import { ClaimClosingDto, type CreateClaimClosingDto, type ListClaimClosingsQuery } from './closings.dto.js';
import { eventOfStep } from './closings.events.js';
import { ClosingsRepository, type FinalClaim } from './closings.repository.js';
import { type FinalClaimFacts, FinalClaims, type PreparedPack } from './final-claims.js';

/** Final claims lock their days of their project. */
@Implements(PeriodGuard)
export class ClosedPeriods implements PeriodGuard {
  constructor(private readonly closings: ClosingsRepository) {}

  /** Refuses what would be about days of a final claim. To be called in the transaction of the change: no claim becomes final meanwhile. */
  requireOpen(ctx: WriteContext, projectId: string, period: DateRange): Promise<void> {
    return this.refuse(ctx, projectId, period, () => true);
  }

  requireOpenDays(ctx: WriteContext, projectId: string, days: readonly string[]): Promise<void> {
    const [start, end] = [days.toSorted()[0]!, days.toSorted().at(-1)!];
    return this.refuse(ctx, projectId, { start, end }, ({ periodStart, periodEnd }) =>
      days.some((day) => day >= periodStart && day <= periodEnd),
    );
  }

  private async refuse(ctx: WriteContext, projectId: string, period: DateRange, isHit: (final: ClaimClosing) => boolean): Promise<void> {
    await this.closings.shareProject(ctx, projectId);
    const finals = await this.closings.findFinals(ctx, projectId, period);
    const found = finals.find((final) => !final.isReopened && isHit(final));
    if (found) throw finalClaim(found, 'Reopen it, or correct it by another run.');
  }
}

export const finalClaim = ({ id, version, periodStart, periodEnd }: ClaimClosing, advice: string): Problem =>
  new Problem('claim_final', {
    detail: `The claim from ${periodStart} to ${periodEnd} of the project is final (claim closing ${id}, version ${version}). ${advice}`,
    conflictingId: id,
  });

export interface ClosableRun {
  readonly id: string;
  readonly projectId: string;
  readonly organizationName: string;
  readonly period: DateRange;
  readonly result: ClaimReportResultDto;
}

@Injectable()
export class ClosableRuns {
  constructor(private readonly reports: ReportsRepository) {}

  async get(ctx: ReadContext, id: string): Promise<ClosableRun> {
    const report = await this.reports.get(ctx, id);
    if (!report) throw Problem.relatedMissing('reportId', 'claim report');
    const { result, status } = report;
    if (!result) throw notInState(`The run is ${status}: only a run that has succeeded can be closed.`);
    const inputs = await this.reports.inputs(ctx, id);
    const projectId = inputs?.project?.id ?? report.projectId;
    if (!inputs || projectId === null)
      throw notInState('The run has no claim project, or an earlier release has made it. Make a run of a project.');
    if (inputsHashOf(inputs, result.engineVersion) !== result.inputsHash)
      throw notInState('The inputs that were kept are not those of its result.');
    if (!result.period) throw notInState('The claim has no period.');
    if (result.statements.length === 0) throw notInState('The claim has no bank statement.');
    const failed = result.controls.find(({ ok }) => !ok);
    if (failed) throw notInState(`The control ${failed.name} does not hold: ${failed.actual} instead of ${failed.expected}.`);
    return { id, projectId, organizationName: inputs.organization?.name ?? '', period: result.period, result };
  }
}

export interface StepTaker {
  readonly actor: Actor;
  readonly caller: Pick<Principal, 'type' | 'id' | 'user' | 'madeBy'>;
}

interface Position {
  readonly run: ClosableRun;
  readonly steps: readonly ClaimClosing[];
  readonly finals: readonly FinalClaim[];
}

type Outcome = Pick<ClaimClosing, 'state' | 'version' | 'corrects' | 'changes' | 'pack'>;
const NOTHING_ELSE = { version: null, corrects: null, changes: null, pack: null };

const BEFORE = { reviewed: undefined, approved: 'reviewed', final: 'approved' } as const;

@Injectable()
export class ClosingsService {
  constructor(
    private readonly closings: ClosingsRepository,
    private readonly runs: ClosableRuns,
    private readonly reports: ReportsRepository,
    private readonly finalClaims: FinalClaims,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  list(ctx: ReadContext, query: ListClaimClosingsQuery): Promise<PageOf<ClaimClosing>> {
    const { report_id: reportId, project_id: projectId, state } = query;
    return this.closings.page(ctx, query, { reportId, projectId, state });
  }

  async get(ctx: ReadContext, id: string): Promise<ClaimClosing> {
    return (await this.closings.get(ctx, id)) ?? notFound('There is no claim closing with this id.');
  }

  findSteps(ctx: ReadContext, reportId: string): Promise<ClaimClosing[]> {
    return this.closings.findSteps(ctx, reportId);
  }

  async findCorrected(ctx: ReadContext, { id, projectId, result }: ClaimReport): Promise<FinalClaim | undefined> {
    if (projectId === null || !result?.period) return undefined;
    return (await this.closings.findFinals(ctx, projectId, result.period)).find(({ reportId }) => reportId !== id);
  }

  /** Signs the pack of a claim that is about to become final. What is not possible is said by the step itself. */
  async prepare(ctx: ReadContext, taker: StepTaker, input: CreateClaimClosingDto): Promise<PreparedPack | undefined> {
    if (input.state !== 'final') return undefined;
    try {
      const position = await this.position(ctx, await this.runs.get(ctx, input.reportId));
      return await this.finalClaims.prepare(ctx, factsOf(ctx, taker, position, corrected(position, input)));
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
  }

  async take(ctx: WriteContext, taker: StepTaker, input: CreateClaimClosingDto, prepared?: PreparedPack): Promise<ClaimClosing> {
    if (input.state !== 'final' && (input.corrects ?? null) !== null)
      throw Problem.invalidField('corrects', 'not_allowed', 'must be left out, unless the claim becomes final');
    const run = await this.runs.get(ctx, input.reportId);
    await this.closings.lockProject(ctx, run.projectId);
    const position = await this.position(ctx, run);
    const outcome = await this.decide(ctx, taker, input, position, prepared);
    const row = rowOf(ctx, taker, { run, input, outcome }, prepared ?? { closing: newId(), at: this.clock.timestamp() });
    if (outcome.pack) await this.finalClaims.keepPack(ctx, row, prepared!);
    await this.closings.insert(ctx, row);
    this.events.append(ctx, eventOfStep(row), { before: null, after: ClaimClosingDto.from(row) });
    return row;
  }

  private async position(ctx: ReadContext, run: ClosableRun): Promise<Position> {
    const [steps, finals] = [await this.closings.findSteps(ctx, run.id), await this.closings.findFinals(ctx, run.projectId, run.period)];
    return { run, steps, finals };
  }

  private async decide(
    ctx: WriteContext,
    taker: StepTaker,
    input: CreateClaimClosingDto,
    position: Position,
    prepared: PreparedPack | undefined,
  ): Promise<Outcome> {
    const { state } = input;
    if (state === 'reopened') return reopened(taker, input, position.steps);
    requireState(position.steps, BEFORE[state], state);
    if (state === 'approved') requireAnother(taker, position.steps.at(-1)!, 'has reviewed the claim: another one approves it');
    if (state !== 'final') return { state, ...NOTHING_ELSE };
    const before = corrected(position, input);
    if (before) requireReason(input, 'a correction needs one');
    return this.final(ctx, before, factsOf(ctx, taker, position, before), position.run, prepared);
  }

  private async final(
    ctx: WriteContext,
    before: FinalClaim | undefined,
    facts: FinalClaimFacts,
    run: ClosableRun,
    prepared: PreparedPack | undefined,
  ): Promise<Outcome> {
    if (!run.result.outputs.some(({ format }) => format === 'evidence'))
      throw notInState(
        'The run has no evidence pack. Add `evidence` to `outputOptions.formats` of its configuration, and make another run.',
      );
    if (!prepared) await this.finalClaims.requireCertificate(ctx);
    // Another step came between the signature and the lock of the project.
    if (!prepared || JSON.stringify(prepared.facts) !== JSON.stringify(facts)) throw notInState('Another step of the claim came first.');
    const earlier = before && (await this.reports.get(ctx, before.reportId))?.result;
    const changes = earlier ? ClaimClosingChangesDto.between(earlier, run.result) : null;
    return { state: 'final', version: facts.version, corrects: before?.id ?? null, changes, pack: prepared.pack };
  }
}

/** The final claim that another one corrects: it has days of its period. Claims of different periods are not replaced by one. */
function corrected({ run, finals }: Position, { corrects = null }: CreateClaimClosingDto): FinalClaim | undefined {
  const others = finals.filter(({ reportId }) => reportId !== run.id);
  const found = others.find(({ id }) => id === corrects);
  if (corrects !== null && !found) throw nothingToCorrect();
  const inTheWay = others.find(({ id, isReopened }) => id !== corrects && (!found || !isReopened));
  if (inTheWay) throw finalClaim(inTheWay, found ? 'Reopen it first.' : 'Name it in `corrects`, with a reason.');
  return found;
}

function nothingToCorrect(): Problem {
  const message = 'must be the last closing that made a claim of this project and period final';
  const error = { field: 'corrects', code: 'related_record_missing', message } as const;
  return Problem.atField('related_record_missing', error, (field) => `There is no such claim closing as ${field} names.`);
}

function factsOf(
  { organizationId, environment }: ReadContext,
  { actor }: StepTaker,
  { run, steps }: Position,
  before: FinalClaim | undefined,
): FinalClaimFacts {
  const nameOf = (state: ClosingState): string => steps.find((step) => step.state === state)?.actorName ?? '';
  return {
    organization: { id: organizationId, name: run.organizationName },
    environment,
    project: run.projectId,
    run: run.id,
    version: (before?.version ?? 0) + 1,
    period: run.period,
    inputsHash: run.result.inputsHash,
    reviewedBy: nameOf('reviewed'),
    approvedBy: nameOf('approved'),
    finalBy: actor.name,
  };
}

function reopened(taker: StepTaker, input: CreateClaimClosingDto, steps: readonly ClaimClosing[]): Outcome {
  const last = steps.at(-1);
  const version = steps.find(({ state }) => state === 'final')?.version ?? null;
  if (last?.state === 'reopening') {
    requireAnother(taker, last, 'has asked to reopen the claim: another one reopens it');
    return { ...NOTHING_ELSE, state: 'reopened', version };
  }
  requireState(steps, 'final', 'reopened');
  requireReason(input, 'a reopening needs one');
  return { ...NOTHING_ELSE, state: 'reopening', version };
}

function requireState(steps: readonly ClaimClosing[], expected: ClosingState | undefined, wanted: string): void {
  const state = steps.at(-1)?.state;
  if (state === expected) return;
  const now = state === undefined ? 'not reviewed yet' : `${state} (claim closing ${steps.at(-1)!.id})`;
  throw notInState(`The claim is ${now}, so it cannot become ${wanted} now.`);
}

/** A user is the same person in the console, by an application, and by a key of their own. Other credentials stand for themselves. */
function personOf({ type, id, user, madeBy }: StepTaker['caller']): string {
  const userId = user?.id ?? madeBy;
  return userId ? `user ${userId}` : `${type} ${id}`;
}

function requireAnother({ caller }: StepTaker, { person, actorName }: ClaimClosing, why: string): void {
  if (personOf(caller) === person) throw notInState(`${actorName} ${why}.`);
}

function requireReason({ reason }: CreateClaimClosingDto, why: string): void {
  if (!reason?.trim()) throw Problem.invalidField('reason', 'required', `must say why: ${why}`);
}

function rowOf(
  { organizationId, environment }: WriteContext,
  { actor, caller }: StepTaker,
  { run, input, outcome }: { readonly run: ClosableRun; readonly input: CreateClaimClosingDto; readonly outcome: Outcome },
  { closing: id, at }: Pick<PreparedPack, 'closing' | 'at'>,
): ClaimClosing {
  return {
    ...{ id, organizationId, environment, createdAt: at, updatedAt: at, reportId: run.id, projectId: run.projectId },
    ...{ periodStart: run.period.start, periodEnd: run.period.end, reason: input.reason ?? null, inputsHash: run.result.inputsHash },
    ...{ actorType: actor.type, actorId: actor.id, actorName: actor.name, person: personOf(caller) },
    ...pick(outcome, ['state', 'version', 'corrects', 'changes', 'pack']),
  };
}
