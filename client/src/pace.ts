/** After this long without a queue, calls are sent at once again. */
const FORGET_MS = 1000;
/** Between two calls when the refusal does not state the rate. */
const DEFAULT_INTERVAL_MS = 50;

/**
 * When the calls of one client may be sent. After a refusal all of them wait together, then go one by one at the rate that the
 * service states: parallel calls do not all come back at the same moment only to be refused again.
 */
export class Pace {
  private opensAt = 0;
  private intervalMs = 0;

  /** Takes a turn: the milliseconds until it; undefined if it would be later than `latest`. */
  turn(now: number, latest: number): number | undefined {
    if (now > this.opensAt + FORGET_MS) this.intervalMs = 0;
    const at = Math.max(now, this.opensAt);
    if (at > latest) return undefined;
    if (this.intervalMs > 0) this.opensAt = at + this.intervalMs;
    return at - now;
  }

  refused(now: number, retryAfterSeconds: number, policy: string | null): void {
    const [, calls, seconds] = /;q=(\d+);w=(\d+)/.exec(policy ?? '') ?? [];
    this.intervalMs = Number(calls) > 0 ? (Number(seconds) * 1000) / Number(calls) : DEFAULT_INTERVAL_MS;
    this.opensAt = Math.max(this.opensAt, now + retryAfterSeconds * 1000);
  }
}
