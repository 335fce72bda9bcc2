import { isValidIBAN } from 'ibantools';
import { fail, UnreadableFile, sumOf, SYMBOLS, WaitingLines, writtenAmount } from '../../bank-files/index.js';
import { DateOrder, DecimalMark, isCurrency, negated, NO_PARTY, placeOf, readPdfRows } from '../../bank-files/index.js';
import type { LineDraft, PdfRow, WrittenAmount, WrittenDate } from '../../bank-files/index.js';
import { type DraftReading } from '../reading.js';
import { datesIn, isCardPayment, isOfCard, isOverdrawn, isReceived, LEAP_YEAR, type ReadRow, readRows, textOf } from './row-kinds.js';
import { type PdfBalance, type PdfBooking, tableOf, TOTAL } from './statement-table.js';

interface TiedBooking extends PdfBooking {
  readonly amount: string;
}

interface TiedTable {
  readonly bookings: readonly TiedBooking[];
  readonly opening: string;
  readonly closing: string;
  readonly ends: readonly [ReadRow, ReadRow];
}

type Item = PdfBooking | PdfBalance;

/** Signs of amounts and balances. Only if bookings have a direction of their own may balances be amounts that are owed. */
export function tied(items: readonly Item[], rows: readonly ReadRow[]): TiedTable {
  const decimals = new DecimalMark();
  for (const { row } of items) for (const { written } of row.amounts.values()) decimals.learn(written.digits);
  const { amounts, isDirected } = new Directions(items, decimals, rows);
  const running = items.filter((item) => item.kind === 'booking' && item.row.amounts.has('balance'));
  if (items.length > 1 && running.length === items.length) return tiedByTotals(running as PdfBooking[], amounts, decimals, rows);
  const { opening, closing } = endsOf(items);
  const attempts = (isDirected ? [false, true] : [false]).map((isOwed) => {
    const balanceAt = (row: ReadRow): string => balanceOf(row, decimals, isOwed);
    const broken = firstBreak(items, amounts, opening, closing, balanceAt);
    return { broken, opening: balanceAt(opening), closing: balanceAt(closing) };
  });
  const proven = attempts.find(({ broken }) => broken === null);
  if (!proven) throw doesNotTie(attempts[0]!.broken!);
  const bookings = items.flatMap((item) => (item.kind === 'booking' ? [{ ...item, amount: amounts.get(item)! }] : []));
  return { bookings, opening: proven.opening, closing: proven.closing, ends: [opening, closing] };
}

/**
 * A statement without an opening and a closing balance, but with one after each booking, in either order. Nothing comes before the first
 * of them, so the totals of money in and out have to be stated, too.
 */
function tiedByTotals(
  bookings: readonly PdfBooking[],
  amounts: ReadonlyMap<PdfBooking, string>,
  decimals: DecimalMark,
  rows: readonly ReadRow[],
): TiedTable {
  const steps = bookings.map((booking) => ({ booking, amount: amounts.get(booking)!, balance: balanceOf(booking.row, decimals, false) }));
  const brokenIn = (order: typeof steps) =>
    order.slice(1).find(({ amount, balance }, index) => sumOf([order[index]!.balance, amount]) !== balance);
  const [down, up] = [steps, steps.toReversed()];
  const order = [down, up].find((one) => !brokenIn(one));
  if (!order) throw doesNotTie(brokenIn(down)!.booking.row);
  const sums = (['', '-'] as const).map((sign) =>
    sumOf(steps.flatMap(({ amount }) => (amount.startsWith('-') === (sign === '-') ? [amount] : []))),
  );
  const stated = rows.filter(({ row }) => TOTAL.test(row.cells[0]?.text ?? '')).map((row) => totalsIn(row, decimals));
  const isProven = stated.some(([paidIn, paidOut, ...more]) => {
    if (!paidIn || !paidOut || more.length > 0) return false;
    return paidIn === sums[0] && negated(paidOut) === sums[1];
  });
  if (!isProven) throw withoutBalance('opening');
  const [first, last] = [order[0]!, order.at(-1)!];
  return {
    bookings: bookings.map((booking) => ({ ...booking, amount: amounts.get(booking)! })),
    opening: sumOf([first.balance, negated(first.amount)]) ?? invalid(first.booking.row),
    closing: last.balance,
    ends: [first.booking.row, last.booking.row],
  };
}

const totalsIn = ({ row }: ReadRow, decimals: DecimalMark): (string | null)[] =>
  row.cells.slice(1).flatMap(({ text }) => {
    const written = writtenAmount(text);
    return written ? [decimals.read(written.digits, row.number)] : [];
  });

function doesNotTie({ row }: ReadRow): UnreadableFile {
  const place = placeOf(row).toLowerCase();
  const message = `The bookings of the PDF do not lead from the opening balance to the one on ${place}.`;
  return new UnreadableFile('pdf_does_not_tie', `${message} A row is missing or has another form.`);
}

/** The balances before the first and after the last booking. Some statements state both at their head. */
function endsOf(items: readonly Item[]): { opening: ReadRow; closing: ReadRow } {
  const firstBooking = items.findIndex(({ kind }) => kind === 'booking');
  const lastBooking = items.findLastIndex(({ kind }) => kind === 'booking');
  const balances = (from: number, to: number) => items.slice(from, to).filter((item) => item.kind === 'balance');
  const before = balances(0, firstBooking < 0 ? items.length : firstBooking);
  const after = balances(lastBooking + 1, firstBooking < 0 ? 0 : items.length);
  const opening = before.find(({ balance }) => balance === 'opening') ?? before.find(({ balance }) => balance !== 'closing');
  const closing =
    after.find(({ balance }) => balance === 'closing') ??
    after.at(-1) ??
    before.find(({ balance }) => balance === 'closing') ??
    (firstBooking < 0 ? before.at(-1) : undefined);
  if (!opening || !closing || opening === closing) {
    throw withoutBalance(opening ? 'closing' : 'opening');
  }
  return { opening: opening.row, closing: closing.row };
}

/** Says what was looked for: people see at once whether the statement has it under another name. */
function withoutBalance(missing: 'opening' | 'closing'): UnreadableFile {
  const words =
    missing === 'opening' ? '“Opening balance”, “Previous balance” or “Saldovortrag”' : '“Closing balance”, “New balance” or “Neuer Saldo”';
  const message =
    `The PDF states no ${missing} balance that its bookings could be checked against: a row such as ${words}, ` +
    'or a balance after each booking and the totals of money in and out. Import the CSV of the bank instead.';
  return new UnreadableFile('pdf_does_not_tie', message);
}

/** The first balance that the bookings before it do not lead to; null if all tie. */
function firstBreak(
  items: readonly Item[],
  amounts: ReadonlyMap<PdfBooking, string>,
  opening: ReadRow,
  closing: ReadRow,
  balanceAt: (row: ReadRow) => string,
): ReadRow | null {
  let running: string | null = balanceAt(opening);
  const first = items.findIndex(({ kind }) => kind === 'booking');
  const last = items.findLastIndex(({ kind }) => kind === 'booking');
  for (const item of first < 0 ? [] : items.slice(first, last + 1)) {
    if (item.kind === 'booking') running = running && sumOf([running, amounts.get(item)!]);
    const isStated = item.kind === 'balance' || item.row.amounts.has('balance');
    if (isStated && running !== balanceAt(item.row)) return item.row;
  }
  return running === balanceAt(closing) ? null : closing;
}

function balanceOf(row: ReadRow, decimals: DecimalMark, isOwed: boolean): string {
  const role = (['balance', 'amount', 'credit', 'debit'] as const).find((candidate) => row.amounts.has(candidate));
  const { sign, mark, digits } = (role && row.amounts.get(role)?.written) ?? invalid(row);
  const value = decimals.read(digits, row.row.number) ?? invalid(row);
  if (isOwed) return mark === 'in' || sign === '-' ? value : negated(value);
  const isOut = sign === '-' || mark === 'out' || role === 'debit' || (row.balance !== null && isOverdrawn(textOf(row)));
  return isOut ? negated(value) : value;
}

const invalid = ({ row }: ReadRow): never => fail('invalid_amount', `${placeOf(row)} of the PDF has no valid amount.`);

class Directions {
  readonly amounts: ReadonlyMap<PdfBooking, string>;
  /** Whether columns, marks or payments say the direction; signs alone may mean either in the statement of a card. */
  readonly isDirected: boolean;
  /** Whether some amounts in the column for debits have a minus and others none: then those with a minus were taken back. */
  private readonly hasReversals: boolean;
  /** Whether a minus is money in, as in statements of cards that write what was bought without a sign. */
  private readonly isInverted: boolean;

  constructor(
    items: readonly Item[],
    private readonly decimals: DecimalMark,
    rows: readonly ReadRow[],
  ) {
    const bookings = items.filter((item) => item.kind === 'booking');
    const debits = bookings.flatMap(({ row }) => row.amounts.get('debit')?.written ?? []).filter(({ digits }) => /[1-9]/.test(digits));
    this.hasReversals = new Set(debits.map(signOf)).size > 1;
    const written = bookings.flatMap(({ row }) => row.amounts.get('amount')?.written ?? []);
    const marks = new Set(written.flatMap(({ mark }) => mark ?? []));
    const areSigned = written.some(({ sign }) => sign);
    const isUnclear = written.length > 0 && marks.size === 0;
    if (isUnclear && !areSigned) throw directionUnknown();
    const head = rows.slice(0, Math.max(0, rows.indexOf(items[0]?.row ?? rows[0]!)));
    const isOfCard = isUnclear && mentionsCard(rows);
    // An account may have the bill of a card among its bookings. What stands above them says whose statement it is.
    if (isOfCard && !mentionsCard(head)) throw directionUnknown();
    this.isInverted = isOfCard && signOfPayments(bookings, items, decimals) === '-';
    this.isDirected = !isUnclear || isOfCard;
    this.amounts = new Map(bookings.map((booking) => [booking, this.amountOf(booking, marks)]));
  }

  private amountOf({ row }: PdfBooking, marks: ReadonlySet<'in' | 'out'>): string {
    const found = (['amount', 'debit', 'credit'] as const).flatMap((role) => {
      const written = row.amounts.get(role)?.written;
      return written ? [{ role, written }] : [];
    });
    // Some statements write a zero in the other column.
    const [only, ...others] = found.length > 1 ? found.filter(({ written }) => /[1-9]/.test(written.digits)) : found;
    if (!only || others.length > 0) return invalid(row);
    const { role, written } = only;
    const value = this.decimals.read(written.digits, row.row.number) ?? invalid(row);
    const signed = (written.sign === '-') === this.isInverted ? value : negated(value);
    if (role === 'credit') return signed;
    if (role === 'debit') return this.hasReversals && written.sign === '-' ? value : negated(value);
    if (marks.size === 2 && !written.mark) throw directionUnknown();
    const isOut = written.mark ? written.mark === 'out' : marks.has('in');
    return isOut ? negated(value) : signed;
  }
}

const mentionsCard = (rows: readonly ReadRow[]): boolean => rows.some(({ row }) => isOfCard(row.cells.map(({ text }) => text).join(' ')));
const signOf = ({ sign }: WrittenAmount): '+' | '-' => (sign === '-' ? '-' : '+');

/**
 * The sign of the payments of a card bill, which are money in. It is believed if one of them pays the last bill, or all say that they
 * were received; if fewer bookings have the sign than have the other; and if the balances, which are owed as a rule, have the other one.
 */
function signOfPayments(bookings: readonly PdfBooking[], items: readonly Item[], decimals: DecimalMark): '+' | '-' {
  const valueOf = ({ digits }: WrittenAmount): string | null => decimals.read(digits, 0);
  const signed = bookings.flatMap(({ row, texts }) => {
    const written = row.amounts.get('amount')?.written;
    return written ? [{ written, text: texts.join(' ') }] : [];
  });
  const payments = signed.filter(({ text }) => isCardPayment(text));
  const [sign, ...others] = new Set(payments.map(({ written }) => signOf(written)));
  const balances = items
    .flatMap(({ kind, row }) => (kind === 'balance' ? [...row.amounts.values()] : []))
    .flatMap(({ written }) => (/[1-9]/.test(written.digits) ? [written] : []));
  const areOwed = balances.length > 0 && balances.every((balance) => signOf(balance) !== sign);
  const areFewer = signed.filter(({ written }) => signOf(written) === sign).length * 2 < signed.length;
  const pays = payments.some(({ written }) => balances.some((balance) => valueOf(balance) === valueOf(written)));
  const isSure = pays || payments.every(({ text }) => isReceived(text));
  if (sign === undefined || others.length > 0 || !areOwed || !areFewer || !isSure) throw directionUnknown();
  return sign;
}

const directionUnknown = (): UnreadableFile =>
  new UnreadableFile(
    'direction_unknown',
    'The PDF does not show which of its amounts are money in and which are money out: they have no marks or columns for it, or no signs ' +
      'that its payments explain. Import the CSV of the bank instead.',
  );

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

const placeIn = ({ row }: TiedBooking): string => `${placeOf(row.row)} of the PDF`;

function draftsOf(table: TiedTable, common: Pick<LineDraft, 'account' | 'currency'>): LineDraft[] {
  const waiting = new WaitingLines<{ date: WrittenDate; booking: TiedBooking }>(({ booking }) => placeIn(booking));
  const yearOf = yearsOf(table);
  for (const booking of table.bookings) {
    const date = booking.date.hasYear ? booking.date.in(0) : yearOf(booking);
    if (!date) throw new UnreadableFile('invalid_date', `${placeIn(booking)} has a date that does not exist.`);
    waiting.add({ date, booking });
  }
  return waiting.finish().map(({ bookedOn, booking: { amount, texts } }) => ({
    ...common,
    bookedOn,
    amount,
    description: texts.filter(Boolean).join(' '),
    ...NO_PARTY,
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

const withoutYear = ({ row }: ReadRow): UnreadableFile =>
  new UnreadableFile(
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
