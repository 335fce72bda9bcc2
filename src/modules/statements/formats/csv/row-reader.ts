import { JobFailure } from '../../../../kernel/failure.js';
import { currencyOf, type LineDraft } from '../line-draft.js';
import type { Column } from './column-names.js';
import { SYMBOLS } from './named-column.js';
import { cellOf, type Layout } from './layout.js';
import type { Money, MoneyReader } from './money.js';
import type { CsvRecord } from './records.js';
import { accountOf, continuationOf, textsOf } from './row-texts.js';
import { statementIn } from './stated-balances.js';
import { writtenDate, type WrittenDate } from './written-date.js';

/** A booking. Its date may be ambiguous until a later date proves the order of day and month. */
export interface Row {
  readonly kind: 'booking';
  readonly line: number;
  readonly draft: Omit<LineDraft, 'bookedOn'>;
  readonly date: WrittenDate;
  /** All dates of the row: each of them may prove the order. */
  readonly dates: readonly WrittenDate[];
  readonly balance: string | null;
}

const DATE_COLUMNS: readonly Column[] = ['bookingDate', 'date', 'valueDate'];
/** Words for payments that are not booked yet, or never will be. */
const NOT_BOOKED = new RegExp(
  '\\b(pending|authori[sz]ed|scheduled|reverted|declined|denied|failed|cancell?ed|rejected|unbooked|vorgemerkt|vormerkung|' +
    'ausstehend|offen|abgelehnt|storniert|gereserveerd|in behandeling|geweigerd|en attente|en cours|annul[ée]e?|' +
    'pendiente|retenido|rechazad[oa]|in attesa|non contabilizzat[oa]|rifiutat[oa]|reserv[ae]t|reserveret|reservert|' +
    'ventende|oczekuj[aą]c[aey])\\b',
  'i',
);
/** Words at the start of lines with totals. */
const TOTAL = new RegExp(
  '^(total|totaal|totale|summe|gesamt|saldo|kontostand|solde|balance|opening balance|closing balance|' +
    'anfangssaldo|endsaldo|beginsaldo|eindsaldo|end of|ende|fin)\\b',
  'i',
);

/** A row that is not a booking: it states a balance, continues the booking before it, is not booked yet, or says nothing. */
export type OtherRow = BalanceRow | { readonly kind: 'continuation'; readonly text: string } | { readonly kind: 'not booked' | 'note' };

export interface BalanceRow extends Pick<LineDraft, 'account' | 'currency'> {
  readonly kind: 'balance';
  readonly line: number;
  readonly date: WrittenDate;
  readonly balance: string;
}

const NOTE: OtherRow = { kind: 'note' };

export function rowOf(record: CsvRecord, layout: Layout, money: MoneyReader): Row | OtherRow {
  const dateCells = DATE_COLUMNS.map((column) => cellOf(layout, record, column)).filter(Boolean);
  const dates = dateCells.map(writtenDate).filter((written) => written !== null);
  if (isNotBooked(record, layout, dateCells)) return { kind: 'not booked' };
  const date = writtenDate(dateCells[0] ?? '');
  // A note has neither. A booking whose cells are shifted has both, in other columns.
  if (!date && !money.hasAmount(record) && !hasDateOrAmount(record)) return continued(record, layout, dateCells);
  if (!date && isTotal(record, dateCells)) return NOTE;
  refuseMisfit(record, layout);
  if (!date && !money.hasAmount(record)) return continuedUnlessMoved(record, layout, dateCells);
  if (!date) throw new JobFailure('invalid_date', `Line ${record.line} has no valid date.`);
  const booked = money.read(record);
  const balance = money.balance(record);
  const currency = currencyOfRow(record, layout, booked);
  const { line } = record;
  // A balance brought forward.
  if (!booked && balance) return { kind: 'balance', line, date, balance, currency, account: accountOf(record, layout) };
  if (!booked) throw new JobFailure('invalid_amount', `Line ${line} has no amount.`);
  return {
    kind: 'booking',
    line,
    date,
    dates,
    balance,
    draft: { ...textsOf(record, layout, booked.amount), amount: booked.amount, currency },
  };
}

/** Whether a row above the header would be a booking below it. */
export const looksLikeBooking = (record: CsvRecord, layout: Layout, money: MoneyReader): boolean =>
  record.cells.length >= layout.cells.least &&
  DATE_COLUMNS.some((column) => writtenDate(cellOf(layout, record, column))) &&
  money.hasAmount(record) &&
  !statementIn(record);

/** Only a description that is continued may have a date or an amount in it. Elsewhere it is that of a booking whose cells have moved. */
function continuedUnlessMoved(record: CsvRecord, layout: Layout, dateCells: readonly string[]): OtherRow {
  const described = new Set(dateCells.length > 0 ? [] : layout.columns.get('description'));
  const cells = record.cells.map((cell, index) => (described.has(index) ? '' : cell));
  if (!hasDateOrAmount({ ...record, cells })) return continued(record, layout, dateCells);
  throw new JobFailure('row_does_not_fit', `Line ${record.line} has a date or an amount, but not in the columns for them.`);
}

/** Some banks spread a long description over several rows. */
function continued(record: CsvRecord, layout: Layout, dateCells: readonly string[]): OtherRow {
  const { cells } = record;
  const isWhole = dateCells.length === 0 && cells.length >= layout.cells.least && !cells.slice(layout.cells.most).some(Boolean);
  const text = isWhole ? continuationOf(record, layout) : '';
  return text ? { kind: 'continuation', text } : NOTE;
}

const hasDateOrAmount = ({ cells }: CsvRecord): boolean => cells.some((cell) => writtenDate(cell) ?? /[.,]\d\d$/.test(cell));

/** An unquoted comma within an amount shifts all cells that follow, so that each of them would be read as another. */
function refuseMisfit({ cells, line }: CsvRecord, { cells: { least, most } }: Layout): void {
  const isWide = cells.slice(most).some(Boolean);
  if (!isWide && cells.length >= least) return;
  const cause = `A cell with a ${isWide ? 'delimiter' : 'line break'} in it may lack its quotation marks.`;
  const wanted = least === most ? `${most}` : `${least} to ${most}`;
  throw new JobFailure('row_does_not_fit', `Line ${line} has ${cells.length} cells, but the header has ${wanted}. ${cause}`);
}

/** What a row with a balance states: in the column for balances, or where bookings have their amount. */
export function balanceOf(record: CsvRecord, layout: Layout, money: MoneyReader) {
  refuseMisfit(record, layout);
  const booked = money.hasAmount(record) ? money.read(record) : null;
  const amount = money.balance(record) ?? booked?.amount;
  if (amount === undefined) return null;
  return { amount, account: accountOf(record, layout), currency: currencyOfRow(record, layout, booked) };
}

function currencyOfRow(record: CsvRecord, layout: Layout, booked: Pick<Money, 'currency'> | null): string | null {
  const cell = cellOf(layout, record, 'currency');
  if (/\d/.test(cell)) throw new JobFailure('row_does_not_fit', `Line ${record.line} has a number in the column for the currency.`);
  return currencyIn(cell) ?? layout.currency ?? booked?.currency ?? layout.otherwiseCurrency ?? null;
}

const isTotal = ({ cells }: CsvRecord, [date]: readonly string[]): boolean =>
  date === undefined ? cells.some((cell) => TOTAL.test(cell)) : TOTAL.test(date);

function isNotBooked(record: CsvRecord, layout: Layout, dateCells: readonly string[]): boolean {
  return (
    NOT_BOOKED.test(cellOf(layout, record, 'status')) ||
    (dateCells[0] !== undefined && !writtenDate(dateCells[0]) && NOT_BOOKED.test(dateCells[0]))
  );
}

const currencyIn = (cell: string): string | null => currencyOf(cell) ?? SYMBOLS[cell] ?? null;
