import type { LineDraft, Period, ReadingWarning, StatementBalance, StatementLine } from '../../../../tools/bank-files/index.js';
import type { Certainty } from './certainty.js';
import type { UsedLayout } from './csv/layouts/written-layout.js';

// oxfmt-ignore
export const STATEMENT_FORMATS = [
  'csv', 'ofx', 'mt940', 'mt942', 'camt052', 'camt053', 'camt054', 'qif', 'coda', 'bai2', 'norma43', 'serbian_xml', 'xlsx', 'pdf', 'feed',
] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];
/** The formats whose files are text. */
export type TextFormat = Exclude<StatementFormat, 'xlsx' | 'pdf'>;

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

/** How a file is read. Its warnings are at most `MAX_WARNINGS`. */
export interface StatementReading extends Required<Omit<DraftReading, 'lines' | 'layout' | 'isProven'>> {
  readonly format: StatementFormat;
  /** In the order of the file, in batches. */
  readonly lines: AsyncIterable<readonly StatementLine[]>;
  /** The layout by which a table is read; null if its columns were recognised. */
  readonly layout: UsedLayout | null;
  /** Known after all lines were read. */
  readonly certainty: () => Certainty;
}
