import { JobFailure } from '../../../../kernel/failure.js';
import { currencyOf, type LineDraft } from '../statement-line.js';
import { type Column, isCurrency, SYMBOLS } from './column-names.js';
import { beginsTable, cellOf, type Layout } from './layout.js';
import type { Money, MoneyReader } from './money.js';
import type { CsvRecord } from './records.js';
import { accountOf, continuationOf, textsOf, unnamedIn } from './row-texts.js';
import { type Statement, statementIn } from './stated-balances.js';
import { writtenAmount, writtenDate, type WrittenDate } from './written-values.js';

/** Words of banks for what is not booked yet, or never will be. They come first: `nicht gebucht`. */
const SAYS_NOT_BOOKED = wordsOf(
  'pending authori[sz]ed scheduled reverted reversed declined denied failed cancell?ed rejected refunded unbooked void ' +
    'not on.?hold vorgemerkt vormerkung ausstehend offen abgelehnt storniert nicht gereserveerd geweigerd niet attente ' +
    'cours annul[ée]e?s? refus[ée]e?s? pendiente retenido rechazad[oa] cancelad[oa] attesa non rifiutat[oa] annullat[oa] ' +
    'reserv[ae]t reserveret reservert ventende avvist oczekuj[aą]c[aey] odrzucon[aey] anulowan[aey]',
);
/** Words for what is booked. Any other word in a column for the status is one that nobody has told us to count. */
const BOOKED = wordsOf(
  'booked completed? posted settled cleared executed processed accepted paid available success succeeded successful done ' +
    'ok final reconciled gebucht verbucht abgeschlossen ausgeführt ausgefuehrt erledigt verarbeitet abgerechnet bezahlt ' +
    'akzeptiert geboekt verwerkt uitgevoerd voltooid geaccepteerd comptabilis[ée]e?s? exécut[ée]e?s? execute termin[ée]e?s? ' +
    'effectu[ée]e?s? accept[ée]e?s? valid[ée]e?s? réglée?s? pass[ée]e?s? contabilizad[oa]s? ejecutad[oa]s? completad[oa]s? ' +
    'finalizad[oa]s? realizad[oa]s? liquidad[oa]s? contabilizzat[oaie] eseguit[oaie] completat[oaie] conclus[oaie] ' +
    'effettuat[oaie] bokför[dt] bokfört genomför[dt] bogført udført gennemført bokført utført kirjattu suoritettu ' +
    'zaksięgowan[aeoy] zrealizowan[aeoy] wykonan[aeoy] rozliczon[aeoy] zaúčtov[aá]n[aoéýá]? proveden[aoéýá]? könyvelt ' +
    'teljesült efetuad[oa]s? efectuad[oa]s? concluíd[oa]s? lançad[oa]s? processad[oa]s? įvykdyta izpildīts teostatud',
);

function wordsOf(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.split(' ').join('|')})(?!\\p{L})`, 'iu');
}

/** Why a row does not count, by its cell in a column for the status; undefined if it does. An empty one says nothing. */
function leftOutByStatus(cell: string): 'not booked' | 'status unknown' | undefined {
  if (cell === '') return undefined;
  if (SAYS_NOT_BOOKED.test(cell)) return 'not booked';
  return BOOKED.test(cell) ? undefined : 'status unknown';
}

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
/** Words for payments that are not booked yet, or never will be, where a date should be. */
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

/** A row that is not a booking: it states a balance, continues the booking before it, is left out, or says nothing. */
export type OtherRow = BalanceRow | Continuation | { readonly kind: LeftOut | 'note' };
/** Why a row with an amount does not count. */
export type LeftOut = 'not booked' | 'status unknown' | 'total';

export interface Continuation extends Pick<LineDraft, 'unnamed'> {
  readonly kind: 'continuation';
  readonly text: string;
}

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
  const date = writtenDate(dateCells[0] ?? '');
  if (!date) refuseAnotherTable(record, layout);
  const kind = notBooked(record, layout, dateCells);
  if (kind) {
    if (cellOf(layout, record, 'status')) refuseMisfit(record, layout);
    return { kind };
  }
  // A note has neither. A booking whose cells are shifted has both, in other columns.
  if (!date && !money.hasAmount(record) && !hasDateOrAmount(record)) return continued(record, layout, dateCells);
  if (!date && isTotal(record, layout, dateCells)) return money.hasAmount(record) ? { kind: 'total' } : NOTE;
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
  !statementOf(record, layout, money);

/** The file does not say whose account and currency another table has, and its columns may be others. */
function refuseAnotherTable(record: CsvRecord, layout: Layout): void {
  if (!beginsTable(record, layout)) return;
  const advice = 'Import each table as a file of its own, with its account and currency.';
  throw new JobFailure('several_tables', `Line ${record.line} is the header of another table. ${advice}`);
}

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
  return text ? { kind: 'continuation', text, unnamed: unnamedIn(record, layout) } : NOTE;
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

/** A shop may be called like a total, such as `TOTAL ENERGIES`: a row that names the other party is a booking without its date. */
function isTotal(record: CsvRecord, layout: Layout, [date]: readonly string[]): boolean {
  if (date !== undefined) return TOTAL.test(date);
  return !PARTIES.some((column) => cellOf(layout, record, column)) && record.cells.some((cell) => TOTAL.test(cell));
}

/**
 * Whether a row that has the words for a balance in a cell is a booking all the same, as of a shop that is called `New Balance`: it has
 * an amount and names the other party, or its amount is not the balance that it states.
 */
function isBookingOf(record: CsvRecord, layout: Layout, money: MoneyReader): boolean {
  if (!DATE_COLUMNS.some((column) => writtenDate(cellOf(layout, record, column))) || !money.hasAmount(record)) return false;
  if (PARTIES.some((column) => cellOf(layout, record, column))) return true;
  const balance = money.balance(record);
  return balance !== null && money.read(record)?.amount !== balance;
}
const PARTIES: readonly Column[] = ['counterparty', 'payer', 'payee'];

/** What a row states instead of a booking; null for any other row. */
export function statementOf(record: CsvRecord, layout: Layout, money: MoneyReader): Statement | null {
  const statement = statementIn(record);
  if (statement) refuseAnotherTable(record, layout);
  return statement && !isBookingOf(record, layout, money) ? statement : null;
}

function notBooked(record: CsvRecord, layout: Layout, [date]: readonly string[]): ReturnType<typeof leftOutByStatus> {
  const status = cellOf(layout, record, 'status');
  if (writtenAmount(status) || writtenDate(status) || isCurrency(status))
    throw new JobFailure('row_does_not_fit', `Line ${record.line} has no status in the column for it.`);
  const isPending = date !== undefined && !writtenDate(date) && NOT_BOOKED.test(date);
  return leftOutByStatus(status) ?? (isPending ? 'not booked' : undefined);
}

const currencyIn = (cell: string): string | null => currencyOf(cell) ?? SYMBOLS[cell] ?? null;
