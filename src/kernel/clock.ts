/** The one place that asks what time it is, so that a test can say. */
export class Clock {
  now(): Date {
    return new Date();
  }

  /** ISO 8601 in UTC with milliseconds: the form every record carries. */
  timestamp(): string {
    return this.now().toISOString();
  }
}
