/** Bounds the ids that a session has in memory. */
const MOST = 512;
/** A receiver is quick only once it has been for a while. */
const MOST_GROWTH = 4;
/** What is in hand is sent within about this time: later, much may have changed. */
export const IN_HAND_FOR_MS = 2000;

/** How many deliveries a session has in hand: what its receiver takes in two seconds, so that a quick one needs few statements. */
export class Portion {
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
