/** Bounds the ids that a session has in memory, and what it sends without looking at the rows again. */
const MOST = 128;

/**
 * How many deliveries a session has in hand. A quick receiver gets more at a time, so that fewer statements are needed. A slow one does
 * not: much may change before they are sent.
 */
export class Portion {
  private current: number;

  constructor(private readonly least: number) {
    this.current = least;
  }

  get size(): number {
    return this.current;
  }

  change(isQuick: boolean): void {
    this.current = Math.max(this.least, isQuick ? Math.min(2 * this.current, MOST) : Math.floor(this.current / 2));
  }
}
