const MINUTE_MS = 60_000;

/** When deliveries to an endpoint with a rate limit may be sent: at equal intervals, so that a minute never has more than its limit. */
export class Pace {
  /** In milliseconds since 1970. */
  private nextAt: number;

  /** `nextSendAt` is what the worker before this one has left. */
  constructor(
    private perMinute: number | null,
    nextSendAt: string | null,
    now: Date,
  ) {
    this.nextAt = nextSendAt === null ? 0 : Date.parse(nextSendAt);
    this.change(perMinute, now);
  }

  change(perMinute: number | null, now: Date): void {
    this.perMinute = perMinute;
    this.nextAt = perMinute === null ? 0 : Math.min(this.nextAt, now.getTime() + MINUTE_MS / perMinute);
  }

  waitMs(now: Date): number {
    return Math.max(0, this.nextAt - now.getTime());
  }

  take(now: Date): void {
    if (this.perMinute !== null) this.nextAt = Math.max(this.nextAt, now.getTime()) + MINUTE_MS / this.perMinute;
  }

  get nextSendAt(): Date | null {
    return this.perMinute === null ? null : new Date(Math.ceil(this.nextAt));
  }
}
