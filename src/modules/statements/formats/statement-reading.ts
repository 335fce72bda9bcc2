import type { StatementLine } from '../../../../tools/bank-files/index.js';
import type { Certainty } from './certainty.js';
import type { DraftReading, UsedLayout } from '../../../../tools/bank-tables/index.js';

// oxfmt-ignore
export const STATEMENT_FORMATS = [
  'csv', 'ofx', 'mt940', 'mt942', 'camt052', 'camt053', 'camt054', 'qif', 'coda', 'bai2', 'norma43', 'serbian_xml', 'xlsx', 'pdf', 'feed',
] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];
/** The formats whose files are text. */
export type TextFormat = Exclude<StatementFormat, 'xlsx' | 'pdf'>;

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
