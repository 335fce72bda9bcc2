/**
 * What a program imports. Beside it, `pdf/read-pdf.ts` and `xlsx/read-workbook.ts` are loaded when there is such a file. README.md says
 * what the package does.
 */
export { type Column, keyOf, namesIn } from './csv/column-names.js';
export { type DraftedLayout, draftLayout } from './csv/layouts/draft-layout.js';
export { readCsv } from './csv/read-csv.js';
export { saysOpening } from './csv/stated-balances.js';
export type { DraftReading, ReadColumn, TableOptions } from './reading.js';
export { AMOUNT_SIGNS, DECIMAL_MARKS, fingerprintOfLayout, LAYOUT_WORDS } from './written-layout.js';
export type { LayoutWord, UsedLayout, WrittenLayout } from './written-layout.js';
