import type { DueDelivery } from './due-deliveries.repository.js';

/** Bounds the ids that a session has in memory. */
const MOST = 512;
/** A receiver is quick only once it has been for a while. */
const MOST_GROWTH = 4;
/** What is in hand is sent within about this time: later, much may have changed. */
const IN_HAND_FOR_MS = 2000;
/** How often a session looks for more due deliveries while there seem to be none, and what it has sent hangs. */
const IDLE_INTERVAL_MS = 250;
/** When this part of the portion is left, the next one is fetched. */
const LOW = 1 / 8;

/** The due deliveries that a session has fetched and not begun to send, in their order. Times are milliseconds that have elapsed. */
export class InHand {
  private readonly queue: DueDelivery[] = [];
  /** How many to have in hand: what the receiver takes in two seconds, so that a quick one needs few statements. */
  private portion: number;
  private fetchedAt = 0;
  private begun = 0;
  private limit = 0;
  /** Whether the last fetch found as many as it asked for. Before the first one, too, there may be more. */
  private wasFull = true;
  private isToldOfMore = false;
  private emptySince = 0;

  constructor(private readonly least: number) {
    this.portion = least;
  }

  get size(): number {
    return this.queue.length;
  }

  get ids(): string[] {
    return this.queue.map(({ id }) => id);
  }

  /** Whether there is more to send than what is being sent. */
  get isMoreToCome(): boolean {
    return this.queue.length > 0 || this.wasFull || this.isToldOfMore;
  }

  /** Also while a fetch runs: it may have begun before. */
  expectMore(): void {
    this.isToldOfMore = true;
  }

  /** In good time if there is more; otherwise now and then, since more may have become due. */
  isTimeToFetch(elapsedMs: number): boolean {
    if (this.wasFull || this.isToldOfMore) return this.queue.length <= this.portion * LOW;
    return this.queue.length === 0 && elapsedMs - this.emptySince > IDLE_INTERVAL_MS;
  }

  /** How many to fetch now, beside those that are being sent; none if there is enough for the speed of the receiver. */
  nextLimit(inFlight: number, elapsedMs: number): number {
    if (this.fetchedAt > 0) {
      const quick = Math.floor((this.begun * IN_HAND_FOR_MS) / Math.max(1, elapsedMs - this.fetchedAt));
      this.portion = Math.max(this.least, Math.min(quick, MOST_GROWTH * this.portion, MOST));
    }
    this.limit = Math.max(0, this.portion - this.queue.length - inFlight);
    if (this.limit > 0) this.isToldOfMore = false;
    return this.limit;
  }

  add(due: readonly DueDelivery[], elapsedMs: number): void {
    this.fetchedAt = this.emptySince = elapsedMs;
    this.begun = 0;
    this.wasFull = due.length === this.limit;
    this.queue.push(...due);
  }

  next(elapsedMs: number): DueDelivery {
    this.begun += 1;
    if (this.queue.length === 1) this.emptySince = elapsedMs;
    return this.queue.shift()!;
  }

  /** What a receiver that has become slow would be sent too late: it is fetched again when its turn has come. */
  takeBackLate(elapsedMs: number): DueDelivery[] {
    if (this.queue.length <= this.least || elapsedMs - this.fetchedAt <= 2 * IN_HAND_FOR_MS) return [];
    this.wasFull = true;
    return this.takeBack(this.least);
  }

  takeBack(firstToStay = 0): DueDelivery[] {
    return this.queue.splice(firstToStay);
  }
}
