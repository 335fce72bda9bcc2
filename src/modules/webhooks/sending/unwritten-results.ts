import type { Clock } from '../../../kernel/time.js';
import type { Settled } from './due-deliveries.repository.js';

const ENOUGH = 100;
/** How long results wait for others, to be written together: if a retry is among them, and if not. */
const RETRY_WAITS_MS = 250;
const RESULT_WAITS_MS = 1000;
/** The same when nothing more is to be sent, but for what is being sent. */
const LAST_RESULTS_WAIT_MS = 100;

/** What a session has sent and not written down yet. */
export class UnwrittenResults {
  private results: Settled[] = [];
  private isRetryAmongThem = false;
  /** When the first of them came. */
  private since = 0;

  constructor(private readonly clock: Pick<Clock, 'elapsedMs'>) {}

  get size(): number {
    return this.results.length;
  }

  get ids(): string[] {
    return this.results.map(({ id }) => id);
  }

  add(result: Settled): void {
    if (this.results.length === 0) this.since = this.clock.elapsedMs();
    this.isRetryAmongThem ||= result.nextId !== null;
    this.results.push(result);
  }

  take(): Settled[] {
    const taken = this.results;
    this.results = [];
    this.isRetryAmongThem = false;
    return taken;
  }

  /** How long they can still wait. */
  canWaitMs(isMoreToCome: boolean): number {
    if (this.results.length >= ENOUGH) return 0;
    const forOthers = this.isRetryAmongThem ? RETRY_WAITS_MS : RESULT_WAITS_MS;
    return Math.max(0, (isMoreToCome ? forOthers : LAST_RESULTS_WAIT_MS) - (this.clock.elapsedMs() - this.since));
  }
}
