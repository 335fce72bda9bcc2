import type { LineDraft, Period, ReadingWarning, StatementBalance } from '../bank-files/index.js';
import type { UsedLayout, WrittenLayout } from './written-layout.js';

/** A column of a table. */
export interface ReadColumn {
  /** From 1. */
  readonly column: number;
  /** As the header writes it; empty without a header. */
  readonly name: string;
  /** null if its cells are not used. */
  readonly readAs: string | null;
}

/** What a format reader returns. */
export interface DraftReading {
  readonly lines: AsyncIterable<readonly LineDraft[]>;
  /** Complete after all lines were read. */
  readonly balances: () => readonly StatementBalance[];
  readonly period: () => Period | null;
  /** Of a table. */
  readonly columns?: readonly ReadColumn[];
  /** By which a table is read; absent if its columns were recognised. */
  readonly layout?: UsedLayout;
  /** Complete after all lines were read. A reader that proves all it reads has none. */
  readonly warnings?: () => readonly ReadingWarning[];
  /** Whether something else than the opening and closing balances proves the lines. Known after all lines were read. */
  readonly isProven?: () => boolean;
}

/** What is known of a table besides its cells. */
export interface TableOptions {
  /** ISO 4217, for the lines that name no currency. */
  readonly currency?: string;
  /** Whether amounts without a sign are money out, as cards write charges. */
  readonly isInverted?: boolean;
  /** How to read the table. Then no other layout is used. */
  readonly layout?: WrittenLayout;
  /** Such as 2026-02-28. Dates long after it are unlikely. */
  readonly today: string;
  /** The layouts that the organization has kept. */
  readonly layouts?: readonly WrittenLayout[];
  /** The layouts that the program ships, by `fingerprintOfLayout`. */
  readonly shipped: ReadonlyMap<string | null, WrittenLayout>;
  readonly minorDigitsOf: (currency: string | null) => number;
}
