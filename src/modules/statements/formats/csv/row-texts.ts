import type { LineDraft } from '../statement-line.js';
import type { Column } from './column-names.js';
import { isZero } from '../amounts.js';
import { cellOf, type Layout } from './layout.js';
import type { CsvRecord } from './records.js';
import { writtenDate } from './written-values.js';

export type RowTexts = Omit<LineDraft, 'bookedOn' | 'amount' | 'currency'>;

/** The texts of a booking. Whatever no field has a place for is shown with the description, under the name of its column. */
export function textsOf(record: CsvRecord, layout: Layout, amount: string): RowTexts {
  const textOf = (column: Column): string | null => cellOf(layout, record, column) || null;
  const known = {
    account: accountOf(record, layout),
    ...partyOf(record, layout, amount),
    counterpartyAddress: allOf(record, layout, 'counterpartyAddress'),
    reference: textOf('reference'),
    bankReference: textOf('bankReference'),
  };
  const description = descriptionOf(record, layout);
  const used = new Set([description, ...Object.values(known)]);
  // A booking without a description is described by its kind.
  const hidden = new Set(description || !layout.columns.has('kind') ? [] : layout.columns.get('kind'));
  const kinds = [...hidden].map((index) => record.cells[index]).filter(Boolean);
  const notes = layout.notes.flatMap(({ index, name }) => {
    const text = record.cells[index] ?? '';
    return hidden.has(index) || used.has(text) || !saysMore(text) ? [] : [noteOf(name, text)];
  });
  const unnamed = unnamedIn(record, layout);
  return { ...known, description: [description || kinds.join(' '), ...notes].filter(Boolean).join(' '), ...(unnamed && { unnamed }) };
}

/** A stray quotation mark is not part of the account. */
export const accountOf = (record: CsvRecord, layout: Layout): string | null =>
  cellOf(layout, record, 'ownAccount').replaceAll('"', '') || layout.account;

/** All texts of a row without date and amount, which continues the description of the booking before it. */
export function continuationOf(record: CsvRecord, layout: Layout): string {
  const described = new Set(layout.columns.get('description'));
  const notes = layout.notes.map(({ index, name }) => ({ name, text: described.has(index) ? '' : (record.cells[index] ?? '') }));
  return [descriptionOf(record, layout), ...notes.filter(({ text }) => saysMore(text)).map(({ name, text }) => noteOf(name, text))]
    .filter(Boolean)
    .join(' ');
}

/** The texts of columns that nothing is known of. */
export function unnamedIn({ cells }: CsvRecord, { unknown }: Layout): readonly string[] | undefined {
  const texts = unknown.flatMap((index) => (saysMore(cells[index] ?? '') ? [cells[index]!] : []));
  return texts.length > 0 ? texts : undefined;
}

const descriptionOf = (record: CsvRecord, layout: Layout): string => allOf(record, layout, 'description') ?? '';

/** As Excel writes a number of many digits. */
export const ROUNDED = /^\d(?:[.,]\d+)?E\+\d+$/i;

/** The other party: the payee of money out and the payer of money in, if the file names both. */
function partyOf(record: CsvRecord, layout: Layout, amount: string): Pick<RowTexts, 'counterparty' | 'counterpartyAccount'> {
  const [other, holder] = amount.startsWith('-') ? (['payee', 'payer'] as const) : (['payer', 'payee'] as const);
  const name = allOf(record, layout, 'counterparty');
  const side = allOf(record, layout, other) ?? (name ? null : allOf(record, layout, holder));
  const written = cellOf(layout, record, 'counterpartyAccount');
  // Excel has rounded it: several accounts would get one token.
  const account = ROUNDED.test(written) ? null : written || null;
  if (side === null || side === name) return { counterparty: name, counterpartyAccount: account };
  if (name && /\d{4}/.test(side)) return { counterparty: name, counterpartyAccount: account ?? side };
  return { counterparty: [name, side].filter(Boolean).join(' '), counterpartyAccount: account };
}

/** The different texts in the columns of this meaning. */
function allOf({ cells }: CsvRecord, { columns }: Layout, column: Column): string | null {
  const texts = (columns.get(column) ?? []).map((index) => cells[index]).filter(Boolean);
  return texts.length > 0 ? [...new Set(texts)].join(' ') : null;
}

/** Some columns have no name. */
const noteOf = (name: string, text: string): string => (name ? `${name}: ${text}` : text);

/** Dates, times, zeros, dashes and marks of the direction say nothing that the line does not say already. */
function saysMore(text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text) || /^(CR|DR)$/i.test(text)) return false;
  return !writtenDate(text) && !/^\d{1,2}:\d\d(:\d\d)?$/.test(text) && !isZero(text.replace(/[,\s]/g, '.'));
}
