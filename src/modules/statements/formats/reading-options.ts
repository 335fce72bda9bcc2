/** What is known of a file besides its bytes. */
export interface ReadingOptions {
  /** Such as 2026-02-28. Dates long after it are unlikely. */
  readonly today: string;
}
