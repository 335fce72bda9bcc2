import type { Clock } from '../../../kernel/time.js';
import type { DueDelivery } from './due-deliveries.repository.js';

/** Bounds the ids that a session has in memory. */
const MOST = 512;
/** A receiver is quick only once it has been for a while. */
const MOST_GROWTH = 4;
/** What is in hand is sent within about this time: later, much may have changed. */
const IN_HAND_FOR_MS = 2000;

/** How many deliveries a session has in hand: what its receiver takes in two seconds, so that a quick one needs few statements. */
class Portion {
  private current: number;

  constructor(readonly least: number) {
    this.current = least;
  }

  get size(): number {
    return this.current;
  }

  /** The receiver has taken so many in this time. */
  change(sent: number, inMs: number): void {
    const quick = Math.floor((sent * IN_HAND_FOR_MS) / Math.max(1, inMs));
    this.current = Math.max(this.least, Math.min(quick, MOST_GROWTH * this.current, MOST));
  }
}

/** How often a session looks for more due deliveries while there seem to be none, and what it has sent hangs. */
const IDLE_INTERVAL_MS = 250;
/** When this part of the portion is left, the next one is fetched. */
const LOW = 1 / 8;

/** The due deliveries that a session has fetched and not begun to send, in their order. */
export class InHand {
  private readonly queue: DueDelivery[] = [];
  private readonly portion: Portion;
  private fetchedAt = 0;
  /** How many were begun since the last fetch. */
  private begun = 0;
  private limit = 0;
  private wasFull = false;
  private emptySince = 0;

  constructor(
    least: number,
    private readonly clock: Pick<Clock, 'elapsedMs'>,
  ) {
    this.portion = new Portion(least);
  }

  get size(): number {
    return this.queue.length;
  }

  get ids(): string[] {
    return this.queue.map(({ id }) => id);
  }

  /** Whether there is more to send than what is being sent. */
  get isMoreToCome(): boolean {
    return this.queue.length > 0 || this.wasFull;
  }

  /** In good time if there is more; otherwise now and then, since more may have become due. */
  get isTimeToFetch(): boolean {
    if (this.wasFull) return this.queue.length <= this.portion.size * LOW;
    return this.queue.length === 0 && this.clock.elapsedMs() - this.emptySince > IDLE_INTERVAL_MS;
  }

  /** How many to fetch now, beside those that are being sent; none if there is enough for the speed of the receiver. */
  nextLimit(inFlight: number): number {
    if (this.fetchedAt > 0) this.portion.change(this.begun, this.ageMs);
    this.limit = Math.max(0, this.portion.size - this.queue.length - inFlight);
    return this.limit;
  }

  add(due: readonly DueDelivery[]): void {
    this.fetchedAt = this.emptySince = this.clock.elapsedMs();
    this.begun = 0;
    this.wasFull = due.length === this.limit;
    this.queue.push(...due);
  }

  next(): DueDelivery {
    this.begun += 1;
    if (this.queue.length === 1) this.emptySince = this.clock.elapsedMs();
    return this.queue.shift()!;
  }

  /** What a receiver that has become slow would be sent too late: it is fetched again when its turn has come. */
  takeBackLate(): DueDelivery[] {
    if (this.queue.length <= this.portion.least || this.ageMs <= 2 * IN_HAND_FOR_MS) return [];
    this.wasFull = true;
    return this.takeBack(this.portion.least);
  }

  /** All that is behind the first ones. */
  takeBack(firstToStay = 0): DueDelivery[] {
    return this.queue.splice(firstToStay);
  }

  private get ageMs(): number {
    return this.clock.elapsedMs() - this.fetchedAt;
  }
}
