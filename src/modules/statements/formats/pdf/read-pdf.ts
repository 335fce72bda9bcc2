import { isValidIBAN } from 'ibantools';
import { JobFailure } from '../../../../kernel/failure.js';
import { isCurrency } from '../csv/column-names.js';
import { DateOrder, type WrittenDate } from '../csv/written-values.js';
import type { DraftReading, LineDraft } from '../statement-line.js';
import { WaitingLines } from '../waiting-lines.js';
import { readPdfRows, placeOf, type PdfRow } from './page-rows.js';
import { type ReadRow, readRows, textOf } from './row-kinds.js';
import { datesIn, LEAP_YEAR } from './statement-date.js';
import { tableOf } from './statement-table.js';
import { tied, type TiedBooking, type TiedTable } from './tied-table.js';

/** Reads a statement as people do, and only believes what it has read if the bookings lead from the opening to the closing balance. */
export async function readPdf(file: Buffer): Promise<DraftReading> {
  const pageRows = await readPdfRows(file);
  const rows = readRows(pageRows);
  const items = tableOf(rows);
  const table = tied(items, rows);
  const account = accountIn(pageRows);
  const currency = currencyIn(rows);
  const { opening, closing } = table;
  return {
    lines: inOneBatch(draftsOf(table, { account, currency })),
    balances: () => [{ account, currency, opening, closing }],
    period: () => null,
  };
}

async function* inOneBatch(lines: readonly LineDraft[]): AsyncGenerator<readonly LineDraft[]> {
  yield await Promise.resolve(lines);
}

function draftsOf(table: TiedTable, common: Pick<LineDraft, 'account' | 'currency'>): LineDraft[] {
  const waiting = new WaitingLines<{ place: string; date: WrittenDate; booking: TiedBooking }>();
  const yearOf = yearsOf(table);
  for (const booking of table.bookings) {
    const place = `${placeOf(booking.row.row)} of the PDF`;
    const date = booking.date.hasYear ? booking.date.in(0) : yearOf(booking);
    if (!date) throw new JobFailure('invalid_date', `${place} has a date that does not exist.`);
    waiting.add({ place, date, booking });
  }
  return waiting.finish().map(({ bookedOn, booking: { amount, texts } }) => ({
    ...common,
    bookedOn,
    amount,
    description: texts.filter(Boolean).join(' '),
    counterparty: null,
    counterpartyAccount: null,
    counterpartyAddress: null,
    reference: null,
    bankReference: null,
  }));
}

/** The year of dates without one: the last before the day of the closing balance, else the first from the opening one on. */
function yearsOf({ bookings, ends }: TiedTable): (booking: TiedBooking) => WrittenDate | null {
  const order = new DateOrder();
  const [from, to] = ends.map(({ row }) => {
    const [date, ...others] = datesIn(row.cells.map(({ text }) => text).join(' '));
    return date && others.length === 0 ? date : null;
  });
  for (const date of [from, to, ...bookings.map((booking) => booking.date.in(LEAP_YEAR))]) order.learn(date ?? null);
  return ({ date, row }) => {
    const end = to ?? from;
    if (!end || order.isAmbiguous(end)) throw withoutYear(row);
    const reference = order.read(end) ?? '';
    const year = Number(reference.slice(0, 4));
    const fits = [year, to ? year - 1 : year + 1].find((candidate) => {
      const written = date.in(candidate);
      const day = written && order.read(written);
      return day && (to ? day <= reference : day >= reference);
    });
    return fits === undefined ? null : date.in(fits);
  };
}

const withoutYear = ({ row }: ReadRow): JobFailure =>
  new JobFailure(
    'dates_without_year',
    `${placeOf(row)} of the PDF has a date without a year, and no balance has one that shows it. Import the CSV of the bank instead.`,
  );

/** The only IBAN before the first booking: further ones would be those of others. */
function accountIn(rows: readonly PdfRow[]): string | null {
  const texts = rows.filter(({ page }) => page === 1).map(({ cells }) => cells.map(({ text }) => text).join(' '));
  const found = texts.flatMap((text) => [...text.matchAll(/\b[A-Z]{2}\d\d(?: ?[A-Z0-9]){11,30}/g)].flatMap(([match]) => ibanIn(match)));
  const different = new Set(found);
  return different.size === 1 ? [...different][0]! : null;
}

/** Words after an IBAN look like parts of it. */
function ibanIn(text: string): string[] {
  const compact = text.replaceAll(' ', '');
  for (let end = Math.min(34, compact.length); end >= 15; end -= 1) if (isValidIBAN(compact.slice(0, end))) return [compact.slice(0, end)];
  return [];
}

const SYMBOLS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP' };

function currencyIn(rows: readonly ReadRow[]): string | null {
  const named = rows.flatMap((row) => {
    const words =
      row.isHeading || row.balance ? `${textOf(row)} ${row.isHeading ? row.row.cells.map(({ text }) => text).join(' ') : ''}` : '';
    const codes = words.match(/\b[A-Z]{3}\b|[€£]/g) ?? [];
    return [row.currency, ...codes.map((code) => SYMBOLS[code] ?? (isCurrency(code) ? code : null))].filter((code) => code !== null);
  });
  const different = new Set(named);
  return different.size === 1 ? [...different][0]! : null;
}
