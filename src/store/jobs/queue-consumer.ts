import { type Actor, changeContext } from '../../kernel/context.js';
import type { WriteContext } from '../database/transaction.js';
import type { UnitOfWork } from '../database/unit-of-work.js';
import { Problem } from '../../kernel/problems.js';
import type { EventDeclaration } from '../../kernel/declare-event.js';
import type { Log } from '../../kernel/log.js';
import { type Failure, JobFailure } from '../../kernel/failure.js';
import { LOST_AT_MOST, NoLongerHeld, type Taken, type WorkQueue } from './lease-queue.js';

/** What is done with the rows of a queue, and how that is written down. */
export interface Work {
  readonly queue: WorkQueue;
  readonly actor: Actor;
  readonly emits: readonly EventDeclaration[];
  /** In the transaction in which it is taken. */
  readonly begin: (ctx: WriteContext, taken: Taken) => Promise<void> | void;
  /** All of it, down to the row's being `succeeded`. */
  readonly run: (taken: Taken, signal: AbortSignal) => Promise<void>;
  /** In a transaction of its own, and only while the row is still this worker's. */
  readonly fail: (ctx: WriteContext, taken: Taken, failure: Failure) => Promise<void>;
  readonly isStopping: () => boolean;
}

const WORKER_LOST: Failure = { code: 'worker_lost', message: `${LOST_AT_MOST} workers were lost while they worked on it.` };
const UNFORESEEN: Failure = {
  code: 'internal_error',
  message: 'An error we did not foresee. It may be tried again; tell us if it persists.',
};

/** Does one after the other of what waits in a queue, until nothing does. */
export async function workOff(work: Work, unitOfWork: UnitOfWork, log: Log): Promise<void> {
  while (!work.isStopping()) {
    const taken = await take(work, unitOfWork);
    if (!taken) return;
    await attempt(work, taken, unitOfWork, log);
  }
}

function take(work: Work, unitOfWork: UnitOfWork): Promise<Taken | undefined> {
  return unitOfWork.transact(async (unit) => {
    const taken = await work.queue.take(unit);
    if (taken) await work.begin({ ...contextOf(work, taken), unit }, taken);
    return taken;
  });
}

async function attempt(work: Work, taken: Taken, unitOfWork: UnitOfWork, log: Log): Promise<void> {
  try {
    if (taken.lostWorkers >= LOST_AT_MOST) throw new JobFailure(WORKER_LOST.code, WORKER_LOST.message);
    await work.queue.keep(taken, (signal) => work.run(taken, signal));
  } catch (error) {
    if (error instanceof NoLongerHeld)
      return log.info({ id: taken.id }, 'Somebody else has what this worker worked on, or nobody wants it any more');
    // Nobody can write now that it failed; when its lease has ended it is taken up again.
    if (error instanceof Problem && error.code === 'unavailable') throw error;
    const failure = error instanceof JobFailure ? { code: error.code, message: error.message } : UNFORESEEN;
    if (failure === UNFORESEEN) log.error({ id: taken.id, ...traceOf(error) }, 'Work failed for a reason that was not foreseen');
    await unitOfWork.run(contextOf(work, taken), async (ctx) => {
      if (await work.queue.holds(taken, ctx.unit)) await work.fail(ctx, taken, failure);
    });
  }
}

/** For the transactions of a piece of work. */
export function contextOf({ actor, emits }: Pick<Work, 'actor' | 'emits'>, { organizationId, environment }: Taken) {
  return { ...changeContext(organizationId, actor), environment, emits };
}

/** Where it happened, and not what was said: an error's message may hold some of what was worked on. */
function traceOf(error: unknown): object {
  const { name, code, stack } = error as { name?: string; code?: unknown; stack?: string };
  return { name, code, stack: stack?.split('\n').filter((line) => line.startsWith('    at ')) };
}
