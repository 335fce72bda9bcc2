/** What the importer says of a file that does not say it itself. */
export interface ImportOptions {
  /** ISO 4217, for the lines that name no currency. */
  readonly currency?: string;
  /** Whether amounts without a sign are money out, as cards write charges. */
  readonly isInverted?: boolean;
}

/** What is known of a file besides its bytes. */
export interface ReadingOptions extends ImportOptions {
  /** Such as 2026-02-28. Dates long after it are unlikely. */
  readonly today: string;
}
