import { Problem } from './problems.js';

/** Gives back what was taken; calls after the first do nothing. */
export type GiveBack = () => void;

export interface FairShareOptions {
  /** What is shared, as the beginning of the refusal: "Transactions". */
  readonly what: string;
  readonly owner?: string;
  readonly capacity: number;
  /** How much of it one owner can hold. What is larger is given to an owner that holds nothing. */
  readonly share: number;
  /** How many may wait for one owner. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

/** What one owner may have of something that work holds for seconds: others then never wait for this owner alone. */
export const halfOf = (capacity: number): number => Math.max(1, Math.floor(capacity / 2));

interface Patience extends Pick<FairShareOptions, 'maxWaiting' | 'maxWaitMs'> {
  readonly signal?: AbortSignal | undefined;
}

interface Waiter {
  readonly amount: number;
  readonly start: (giveBack: GiveBack) => void;
}

/** Who has its share waits for itself. Owners take turns, so nobody waits for all that another has queued. Counted in this process. */
export class FairShare {
  private taken = 0;
  private readonly held = new Map<string, number>();
  /** Those that wait, by owner; the owner whose turn it is comes first. */
  private readonly waiting = new Map<string, Waiter[]>();

  constructor(private readonly options: FairShareOptions) {}

  /** Gives at once what nobody has to wait for; otherwise undefined. */
  tryTake(owner: string, wanted = 1): GiveBack | undefined {
    const amount = Math.min(wanted, this.options.share);
    return this.waiting.size === 0 && this.fits(owner, amount) ? this.hold(owner, amount) : undefined;
  }

  /** Resolves when it is the owner's turn. Throws the problem `rate_limited` when the owner waits for too much or too long. */
  take(owner: string, wanted = 1): Promise<GiveBack> {
    return this.enter(owner, wanted, this.options);
  }

  /** For the service's own work, which nobody repeats: waits as long as it takes, or until the signal aborts. */
  takePatiently(owner: string, wanted = 1, signal?: AbortSignal): Promise<GiveBack> {
    return this.enter(owner, wanted, { maxWaiting: Infinity, maxWaitMs: Infinity, signal });
  }

  private async enter(owner: string, wanted: number, { maxWaiting, maxWaitMs, signal }: Patience): Promise<GiveBack> {
    signal?.throwIfAborted();
    const free = this.tryTake(owner, wanted);
    if (free) return free;
    const amount = Math.min(wanted, this.options.share);
    const others = this.waiting.get(owner) ?? [];
    if (others.length >= maxWaiting) throw this.refusal(`${maxWaiting} more are waiting`);
    let giveUp: (error: Error) => void;
    const onAbort = (): void => giveUp(signal!.reason as Error);
    const given = new Promise<GiveBack>((start, reject) => {
      const waiter = { amount, start };
      giveUp = (error) => {
        const place = others.indexOf(waiter);
        // It was served a moment ago.
        if (place === -1) return;
        others.splice(place, 1);
        if (others.length === 0) this.waiting.delete(owner);
        reject(error);
        this.serve();
      };
      this.waiting.set(owner, others);
      others.push(waiter);
    });
    const waited = (): void => giveUp(this.refusal(`this request has waited for ${maxWaitMs / 1000} seconds`));
    const timer = maxWaitMs === Infinity ? undefined : setTimeout(waited, maxWaitMs).unref();
    signal?.addEventListener('abort', onAbort);
    this.serve();
    try {
      return await given;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Gives to those that wait, one owner after the other. An owner that was served goes to the end of the line. */
  private serve(): void {
    for (const [owner, waiters] of this.waiting) {
      const { amount, start } = waiters[0]!;
      if (!this.isWithinShare(owner, amount)) continue;
      // It is this owner's turn. If others went first with less, one that wants much would wait forever.
      if (!this.fits(owner, amount)) return;
      waiters.shift();
      this.waiting.delete(owner);
      // The iteration comes to it again after the others.
      if (waiters.length > 0) this.waiting.set(owner, waiters);
      start(this.hold(owner, amount));
    }
  }

  private isWithinShare(owner: string, amount: number): boolean {
    return (this.held.get(owner) ?? 0) + amount <= this.options.share;
  }

  private fits(owner: string, amount: number): boolean {
    return this.taken + amount <= this.options.capacity && this.isWithinShare(owner, amount);
  }

  private hold(owner: string, amount: number): GiveBack {
    this.taken += amount;
    this.held.set(owner, (this.held.get(owner) ?? 0) + amount);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.taken -= amount;
      const left = this.held.get(owner)! - amount;
      if (left > 0) this.held.set(owner, left);
      else this.held.delete(owner);
      if (this.waiting.size > 0) this.serve();
    };
  }

  private refusal(why: string): Problem {
    const { what, share, owner = 'organization' } = this.options;
    const detail = `${what} are limited to ${share} at once for each ${owner}, and ${why}.`;
    return new Problem('rate_limited', { detail, retry: 'same_key', headers: { 'Retry-After': '1' } });
  }
}
