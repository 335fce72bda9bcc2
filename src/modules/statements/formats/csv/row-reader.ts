import { JobFailure } from '../../../../kernel/failure.js';
import { currencyOf, type LineDraft } from '../line-draft.js';
import { SYMBOLS, type Column } from './column-names.js';
import { cellOf, type Layout } from './layout.js';
import type { MoneyReader } from './money.js';
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
  if (!date && (!money.hasAmount(record) || isTotal(record, dateCells))) return null;
  if (!date) throw new JobFailure('invalid_date', `Line ${record.line} has no valid date.`);
  const booked = money.read(record);
  const balance = money.balance(record);
  // A balance brought forward.
  if (!booked && balance) return null;
  if (!booked) throw new JobFailure('invalid_amount', `Line ${record.line} has no amount.`);
  const currency = currencyIn(cellOf(layout, record, 'currency')) ?? layout.currency ?? booked.currency;
  return { line: record.line, date, dates, balance, draft: { ...textsOf(record, layout), amount: booked.amount, currency } };
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

function textsOf(record: CsvRecord, layout: Layout): Omit<LineDraft, 'bookedOn' | 'amount' | 'currency'> {
  const textOf = (column: Column): string | null => cellOf(layout, record, column) || null;
  const descriptions = (layout.columns.get('description') ?? []).map((index) => record.cells[index]).filter(Boolean);
  return {
    // A stray quotation mark is not part of the account.
    account: textOf('ownAccount')?.replaceAll('"', '') ?? layout.account,
    description: descriptions.join(' ') || (textOf('kind') ?? ''),
    counterparty: textOf('counterparty'),
    counterpartyAccount: textOf('counterpartyAccount'),
    counterpartyAddress: textOf('counterpartyAddress'),
    reference: textOf('reference'),
    bankReference: textOf('bankReference'),
  };
}
