import { JobFailure } from '../../../../kernel/failure.js';
import { currencyOf, type LineDraft } from '../line-draft.js';
import { SYMBOLS, type Column } from './column-names.js';
import { cellOf, type Layout } from './layout.js';
import type { Money, MoneyReader } from './money.js';
import type { CsvRecord } from './records.js';
import { writtenDate, type WrittenDate } from './written-date.js';

/** A booking. Its date may be ambiguous until a later date proves the order of day and month. */
export interface Row {
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
  '\\b(pending|authori[sz]ed|scheduled|reverted|declined|failed|cancell?ed|rejected|vorgemerkt|vormerkung|' +
    'ausstehend|offen|abgelehnt|storniert|gereserveerd|in behandeling|geweigerd|en attente|en cours|annul[ée]e?|' +
    'pendiente|retenido|rechazad[oa]|in attesa|non contabilizzat[oa]|rifiutat[oa])\\b',
  'i',
);
/** Words at the start of lines with totals. */
const TOTAL = new RegExp(
  '^(total|totaal|totale|summe|gesamt|saldo|kontostand|solde|balance|opening balance|closing balance|' +
    'anfangssaldo|endsaldo|beginsaldo|eindsaldo|end of|ende|fin)\\b',
  'i',
);

/** null for a row that is not a booking, such as a note, a total or a pending payment. */
export function rowOf(record: CsvRecord, layout: Layout, money: MoneyReader): Row | null {
  const dateCells = DATE_COLUMNS.map((column) => cellOf(layout, record, column)).filter(Boolean);
  const dates = dateCells.map(writtenDate).filter((written) => written !== null);
  if (isNotBooked(record, layout, dateCells)) return null;
  const date = writtenDate(dateCells[0] ?? '');
  if (!date && isTotal(record, dateCells)) return null;
  // A note has neither. A booking whose cells are shifted has both, in other columns.
  if (!date && !money.hasAmount(record) && !hasDateOrAmount(record)) return null;
  refuseMisfit(record, layout);
  if (!date && !money.hasAmount(record)) return null;
  if (!date) throw new JobFailure('invalid_date', `Line ${record.line} has no valid date.`);
  const booked = money.read(record);
  const balance = money.balance(record);
  // A balance brought forward.
  if (!booked && balance) return null;
  if (!booked) throw new JobFailure('invalid_amount', `Line ${record.line} has no amount.`);
  const currency = currencyOfRow(record, layout, booked);
  return { line: record.line, date, dates, balance, draft: { ...textsOf(record, layout), amount: booked.amount, currency } };
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

const currencyOfRow = (record: CsvRecord, layout: Layout, booked: Pick<Money, 'currency'> | null): string | null =>
  currencyIn(cellOf(layout, record, 'currency')) ?? layout.currency ?? booked?.currency ?? null;

/** A stray quotation mark is not part of the account. */
const accountOf = (record: CsvRecord, layout: Layout): string | null =>
  cellOf(layout, record, 'ownAccount').replaceAll('"', '') || layout.account;

const isTotal = ({ cells }: CsvRecord, [date]: readonly string[]): boolean =>
  date === undefined ? cells.some((cell) => TOTAL.test(cell)) : TOTAL.test(date);

function isNotBooked(record: CsvRecord, layout: Layout, dateCells: readonly string[]): boolean {
  return (
    NOT_BOOKED.test(cellOf(layout, record, 'status')) ||
    (dateCells[0] !== undefined && !writtenDate(dateCells[0]) && NOT_BOOKED.test(dateCells[0]))
  );
}

const currencyIn = (cell: string): string | null => currencyOf(cell) ?? SYMBOLS[cell] ?? null;

function textsOf(record: CsvRecord, layout: Layout): Omit<LineDraft, 'bookedOn' | 'amount' | 'currency'> {
  const textOf = (column: Column): string | null => cellOf(layout, record, column) || null;
  const descriptions = (layout.columns.get('description') ?? []).map((index) => record.cells[index]).filter(Boolean);
  return {
    account: accountOf(record, layout),
    description: descriptions.join(' ') || (textOf('kind') ?? ''),
    counterparty: textOf('counterparty'),
    counterpartyAccount: textOf('counterpartyAccount'),
    counterpartyAddress: textOf('counterpartyAddress'),
    reference: textOf('reference'),
    bankReference: textOf('bankReference'),
  };
}
