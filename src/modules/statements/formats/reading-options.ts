import type { WrittenLayout } from './csv/layouts/written-layout.js';

/** What the importer says of a file that does not say it itself. */
export interface ImportOptions {
  /** ISO 4217, for the lines that name no currency. */
  readonly currency?: string;
  /** Whether amounts without a sign are money out, as cards write charges. */
  readonly isInverted?: boolean;
  /** How to read its tables. Then no other layout is used. */
  readonly layout?: WrittenLayout;
}

/** What is known of a file besides its bytes. */
export interface ReadingOptions extends ImportOptions {
  /** Such as 2026-02-28. Dates long after it are unlikely. */
  readonly today: string;
  /** The layouts that the organization has kept. */
  readonly layouts?: readonly WrittenLayout[];
}
