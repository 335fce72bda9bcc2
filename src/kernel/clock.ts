/** The only reader of the time, so that tests can set it. */
export class Clock {
  now(): Date {
    return new Date();
  }

  /** ISO 8601 in UTC with milliseconds: the form every record carries. */
  timestamp(): string {
    return this.now().toISOString();
  }
}
