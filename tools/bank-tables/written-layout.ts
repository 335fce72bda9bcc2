import { createHash } from 'node:crypto';
import type { StatedOrder } from '../bank-files/index.js';
import { type Column, keyOf, NAMES } from './csv/column-names.js';

/** What recognition resolves into other meanings, by names and cells together. A layout says what is meant. */
const RESOLVED = ['account', 'gross', 'net', 'technical'] as const;

/** What a layout can say that a column is: a meaning, or `ignore`. */
export type LayoutWord = Exclude<Column, (typeof RESOLVED)[number]> | 'ignore';

export const LAYOUT_WORDS: readonly LayoutWord[] = [
  ...(Object.keys(NAMES) as Column[]).filter((column): column is Exclude<LayoutWord, 'ignore'> => !RESOLVED.some((one) => one === column)),
  'ignore',
];

/** `signed`: a minus sign is money out. `charges-positive`: it is money in, as on the bills of many cards. */
export const AMOUNT_SIGNS = ['signed', 'charges-positive'] as const;
export const DECIMAL_MARKS = ['.', ','] as const;

export interface StatusWords {
  readonly booked: readonly string[];
  readonly notBooked: readonly string[];
}

/** How to read the tables of one export, as people write it down. */
export interface WrittenLayout {
  readonly name: string;
  /** What columns are: by their names, or without a header by their positions from 1. */
  readonly columns: Readonly<Record<string, LayoutWord>>;
  /** All names of the header, if `columns` does not have them all. */
  readonly header?: readonly string[];
  /** Without a header: how many cells a row has. */
  readonly width?: number;
  /** The line of the header; without a header, the last line before the bookings. */
  readonly headerRow?: number;
  readonly amounts?: (typeof AMOUNT_SIGNS)[number];
  /** Words in the column `direction`, if they are not known. */
  readonly direction?: { readonly out: readonly string[]; readonly in: readonly string[] };
  /** ISO 4217, for the lines that name none. */
  readonly currency?: string;
  readonly dates?: StatedOrder;
  /** Of amounts that can be read in two ways, such as 1.234. */
  readonly decimalMark?: (typeof DECIMAL_MARKS)[number];
  /** If they are not known. */
  readonly statuses?: StatusWords;
  /** Whether rows may end before their last columns, if these are texts. */
  readonly shortRows?: boolean;
}

/** Where the layout of a file comes from: named at the import, kept by the organization, or shipped with the program. */
export interface UsedLayout {
  readonly name: string;
  readonly from: 'import' | 'organization' | 'shipped';
}

/** Equal for headers with equal names, in whatever order, case and accents. */
export const fingerprintOf = (header: readonly string[]): string =>
  createHash('sha256')
    .update([...keysOf(header)].sort().join(' '))
    .digest('hex');

export const keysOf = (header: readonly string[]): ReadonlySet<string> => new Set(header.map(keyOf).filter(Boolean));
export const headerOf = ({ header, columns }: WrittenLayout): readonly string[] => [...(header ?? []), ...Object.keys(columns)];

/** null for files without a header, of which nothing shows that the layout is theirs. */
export const fingerprintOfLayout = (layout: WrittenLayout): string | null =>
  layout.width === undefined ? fingerprintOf(headerOf(layout)) : null;
