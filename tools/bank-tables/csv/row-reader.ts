import { UnreadableFile, currencyOf, isCurrency, isZero, SYMBOLS, writtenAmount, writtenDate } from '../../bank-files/index.js';
import type { CsvRecord, LineDraft, WrittenDate } from '../../bank-files/index.js';
import { type Column, DATE_COLUMNS } from './column-names.js';
import { beginsTable, cellOf, type Layout } from './layout.js';
import type { Money, MoneyReader } from './money.js';
import { type Statement, statementIn } from './stated-balances.js';
import { isLeftOutByFlag, leftOutByStatus, saysPending } from './status-words.js';

type RowTexts = Omit<LineDraft, 'bookedOn' | 'amount' | 'currency'>;

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
function continuationOf(record: CsvRecord, layout: Layout): string {
  const described = new Set(layout.columns.get('description'));
  const notes = layout.notes.map(({ index, name }) => ({ name, text: described.has(index) ? '' : (record.cells[index] ?? '') }));
  return [descriptionOf(record, layout), ...notes.filter(({ text }) => saysMore(text)).map(({ name, text }) => noteOf(name, text))]
    .filter(Boolean)
    .join(' ');
}

function unnamedIn({ cells }: CsvRecord, { unknown }: Layout): readonly string[] | undefined {
  const texts = unknown.flatMap((index) => (saysMore(cells[index] ?? '') ? [cells[index]!] : []));
  return texts.length > 0 ? texts : undefined;
}

const descriptionOf = (record: CsvRecord, layout: Layout): string => allOf(record, layout, 'description') ?? '';

/** As Excel writes a number of many digits. */
const ROUNDED = /^\d(?:[.,]\d+)?E\+\d+$/i;

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

/** A booking. Its date may be ambiguous until a later date proves the order of day and month. */
export interface Row {
  readonly kind: 'booking';
  readonly line: number;
  readonly draft: Omit<LineDraft, 'bookedOn'>;
  readonly date: WrittenDate;
  /** All dates of the row: each of them may prove the order. */
  readonly dates: readonly WrittenDate[];
  readonly balance: string | null;
  /** Whether it says nothing but a word for a total: it may be one, or a purchase at a shop of that name. */
  readonly isCalledTotal: boolean;
}

/** Words for payments that are not booked yet, or never will be, where a date should be. */
const NOT_BOOKED = new RegExp(
  '(?<![\\p{L}\\p{N}_])(pending|authori[sz]ed|scheduled|reverted|declined|denied|failed|cancell?ed|rejected|unbooked|' +
    'vorgemerkt|vormerkung|ausstehend|offen|abgelehnt|storniert|gereserveerd|in behandeling|geweigerd|en attente|en cours|annul[ée]e?|' +
    'pendiente|retenido|rechazad[oa]|in attesa|non contabilizzat[oa]|rifiutat[oa]|reserv[ae]t|reserveret|reservert|' +
    'ventende|oczekuj[aą]c[aey]|в обработке|ожида\\p{L}*|отклонен\\p{L}*|отменен\\p{L}*|в обробці|очіку\\p{L}*|відхилен\\p{L}*|' +
    'чакащ\\p{L}*|на чекању|одбијен\\p{L}*|ממתין|בתהליך|εκκρεμ\\p{L}*)(?![\\p{L}\\p{N}_])',
  'iu',
);
const TOTAL = new RegExp(
  '^(total|totaal|totale|summe|gesamt|saldo|kontostand|solde|balance|opening balance|closing balance|' +
    'anfangssaldo|endsaldo|beginsaldo|eindsaldo|end of|ende|fin|итого|всего|обороты|разом|усього|общо|всичко|укупно|промет|' +
    'סה"כ|סה״כ|סך הכל|σύνολο|σύνολα)(?![\\p{L}\\p{N}_])',
  'iu',
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
  if (lacksBookingDay(record, layout, money)) {
    refuseMisfit(record, layout);
    return { kind: 'not booked' };
  }
  // A note has neither. A booking whose cells are shifted has both, in other columns.
  if (!date && !money.hasAmount(record) && !hasDateOrAmount(record)) return continued(record, layout, dateCells);
  if (!date && isTotal(record, layout, dateCells)) return mayBeBooking(record, money) ? { kind: 'total' } : NOTE;
  refuseMisfit(record, layout);
  refuseMoved(record, layout);
  if (!date && !money.hasAmount(record)) return continuedUnlessMoved(record, layout, dateCells);
  if (!date) throw new UnreadableFile('invalid_date', `Line ${record.line} has no valid date.`);
  const booked = money.read(record);
  const balance = money.balance(record);
  const currency = currencyOfRow(record, layout, booked);
  const { line } = record;
  // A balance brought forward.
  if (!booked && balance) return { kind: 'balance', line, date, balance, currency, account: accountOf(record, layout) };
  if (!booked) throw new UnreadableFile('invalid_amount', `Line ${line} has no amount.`);
  return {
    kind: 'booking',
    line,
    date,
    dates,
    balance,
    isCalledTotal: isCalledTotal(record),
    draft: { ...textsOf(record, layout, booked.amount), amount: booked.amount, currency },
  };
}

/** Some words for a part of a sum are no names of shops, whatever follows them. */
const TOTAL_ALONE = new RegExp(
  '^(sub-?total|total|totaal|subtotaal|totale|totalt|summe|zwischensumme|gesamt|gesamtsumme|somme|suma|razem|celkem|summa|yhteensä|' +
    'i alt|sum)$|^(sub-?total|zwischensumme|sous-total|subtotaal|subtotale|delsumma|suma częściowa|mezisoučet)(?!\\p{L})',
  'i',
);

function isCalledTotal({ cells }: CsvRecord): boolean {
  const texts = cells.filter((cell) => /\p{L}/u.test(cell) && !writtenDate(cell) && !writtenAmount(cell) && !isCurrency(cell));
  return texts.length === 1 && TOTAL_ALONE.test(texts[0]!);
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
  throw new UnreadableFile('several_tables', `Line ${record.line} is the header of another table. ${advice}`);
}

/** Only a description that is continued may have a date or an amount in it. Elsewhere it is that of a booking whose cells have moved. */
function continuedUnlessMoved(record: CsvRecord, layout: Layout, dateCells: readonly string[]): OtherRow {
  const described = new Set(dateCells.length > 0 ? [] : layout.columns.get('description'));
  const cells = record.cells.map((cell, index) => (described.has(index) ? '' : cell));
  if (!hasDateOrAmount({ ...record, cells })) return continued(record, layout, dateCells);
  throw new UnreadableFile('row_does_not_fit', `Line ${record.line} has a date or an amount, but not in the columns for them.`);
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
function refuseMisfit({ cells, line }: CsvRecord, { cells: { least, most, whole, filled } }: Layout): void {
  const isWide = cells.slice(most).some(Boolean);
  const hasMoved = cells.length < whole && filled.some((index) => !cells[index]);
  if (!isWide && !hasMoved && cells.length >= least) return;
  const cause = `A cell with a ${isWide ? 'delimiter' : 'line break'} in it may lack its quotation marks.`;
  const wanted = whole === most ? `${most}` : `${whole} to ${most}`;
  throw new UnreadableFile('row_does_not_fit', `Line ${line} has ${cells.length} cells, but the header has ${wanted}. ${cause}`);
}

/** What an account or an id never looks like. */
const AMOUNT = /^[-+−]?\d{1,3}(?:[., ']?\d{3})*[.,]\d\d$/;

/** Columns that have changed places: both may have numbers. */
function refuseMoved(record: CsvRecord, layout: Layout): void {
  // Excel has rounded it, so several accounts are one.
  if (ROUNDED.test(cellOf(layout, record, 'ownAccount')))
    throw new UnreadableFile('row_does_not_fit', `Line ${record.line} has a rounded number as its account. Export the column as text.`);
  const numbers = (['ownAccount', 'counterpartyAccount', 'bankReference'] as const).map((column) => cellOf(layout, record, column));
  if (!numbers.some((cell) => AMOUNT.test(cell))) return;
  throw new UnreadableFile('row_does_not_fit', `Line ${record.line} has an amount in a column for accounts or ids.`);
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
  if (/\d/.test(cell)) throw new UnreadableFile('row_does_not_fit', `Line ${record.line} has a number in the column for the currency.`);
  return layout.amountCurrency ?? currencyIn(cell) ?? layout.currency ?? booked?.currency ?? layout.otherwiseCurrency ?? null;
}

/** A shop may be called like a total, such as `TOTAL ENERGIES`: a row that names the other party is a booking without its date. */
function isTotal(record: CsvRecord, layout: Layout, [date]: readonly string[]): boolean {
  if (date !== undefined) return TOTAL.test(date);
  return !PARTIES.some((column) => cellOf(layout, record, column)) && record.cells.some((cell) => TOTAL.test(cell));
}

/** A row without a date in its place has an amount, or a date before the word and an amount behind it: its cells have moved. */
function mayBeBooking(record: CsvRecord, money: MoneyReader): boolean {
  if (money.hasAmount(record)) return true;
  const word = record.cells.findIndex((cell) => TOTAL.test(cell));
  return record.cells.slice(0, word).some((cell) => writtenDate(cell)) && record.cells.slice(word).some((cell) => AMOUNT.test(cell));
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
  // With its balance in the column for balances, it is one of the rows that lead to each other.
  const statement = statementIn(record, money.hasAmount(record));
  if (statement) refuseAnotherTable(record, layout);
  return statement && !isBookingOf(record, layout, money) ? statement : null;
}

function notBooked(record: CsvRecord, layout: Layout, [date]: readonly string[]): ReturnType<typeof leftOutByStatus> {
  const status = cellOf(layout, record, 'status');
  if (writtenAmount(status) || writtenDate(status) || isCurrency(status))
    throw new UnreadableFile('row_does_not_fit', `Line ${record.line} has no status in the column for it.`);
  const isPending = date !== undefined && !writtenDate(date) && NOT_BOOKED.test(date);
  const isMarked =
    layout.notes.some(({ index, name }) => isLeftOutByFlag(name, record.cells[index] ?? '')) ||
    saysPending(cellOf(layout, record, 'description'));
  return leftOutByStatus(status, layout.written?.statuses) ?? (isPending || isMarked ? 'not booked' : undefined);
}

/** A payment that the bank has not booked yet: without a day for it, and without a status or a balance that says otherwise. */
function lacksBookingDay(record: CsvRecord, layout: Layout, money: MoneyReader): boolean {
  const has = (column: Column): boolean => cellOf(layout, record, column) !== '';
  if (!layout.hasBookingDays || has('bookingDate') || has('status') || has('balance')) return false;
  return writtenDate(cellOf(layout, record, 'date')) !== null && money.hasAmount(record);
}

const currencyIn = (cell: string): string | null => currencyOf(cell) ?? SYMBOLS[cell.toUpperCase().replace(/\.$/, '')] ?? null;

/** Whether the cell for the currency names another one than the header does of the amounts. */
export function hasOtherCurrency(record: CsvRecord, layout: Layout): boolean {
  const beside = currencyIn(cellOf(layout, record, 'currency'));
  return layout.amountCurrency !== undefined && beside !== null && beside !== layout.amountCurrency;
}
