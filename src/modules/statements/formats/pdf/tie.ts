import { JobFailure } from '../../../../kernel/failure.js';
import { negated, sumOf } from '../amounts.js';
import { DecimalMark } from '../csv/written-amount.js';
import { isOverdrawn } from './balance-words.js';
import { placeOf } from './page-rows.js';
import { textOf, type ReadRow } from './row-kinds.js';
import type { PdfBalance, PdfBooking } from './statement-table.js';

/** A booking with its amount, which the balances prove. */
export interface TiedBooking extends PdfBooking {
  readonly amount: string;
}

export interface TiedTable {
  readonly bookings: readonly TiedBooking[];
  readonly opening: string;
  readonly closing: string;
  /** The rows of both. */
  readonly ends: readonly [ReadRow, ReadRow];
}

type Item = PdfBooking | PdfBalance;

/** Signs of amounts and balances. Only if bookings have a direction of their own may balances be amounts that are owed. */
export function tied(items: readonly Item[], isOfCard: boolean): TiedTable {
  const decimals = new DecimalMark();
  for (const { row } of items) for (const { written } of row.amounts.values()) decimals.learn(written.digits);
  const { amounts, isDirected } = new Directions(items, decimals, isOfCard);
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

function doesNotTie({ row }: ReadRow): JobFailure {
  const place = placeOf(row).toLowerCase();
  const message = `The bookings of the PDF do not lead from the opening balance to the one on ${place}.`;
  return new JobFailure('pdf_does_not_tie', `${message} A row is missing or has another form.`);
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
    const missing = opening ? 'closing' : 'opening';
    throw new JobFailure('pdf_does_not_tie', `The PDF states no ${missing} balance that its bookings could be checked against.`);
  }
  return { opening: opening.row, closing: closing.row };
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

function invalid(row: ReadRow): never {
  throw new JobFailure('invalid_amount', `${placeOf(row.row)} of the PDF has no valid amount.`);
}

/** The amounts of the bookings with their signs. */
class Directions {
  readonly amounts: ReadonlyMap<PdfBooking, string>;
  /** Whether columns or marks say the direction; signs alone may mean either in the statement of a card. */
  readonly isDirected: boolean;

  constructor(
    items: readonly Item[],
    private readonly decimals: DecimalMark,
    isOfCard: boolean,
  ) {
    const bookings = items.filter((item) => item.kind === 'booking');
    const written = bookings.flatMap(({ row }) => row.amounts.get('amount')?.written ?? []);
    const marks = new Set(written.flatMap(({ mark }) => mark ?? []));
    this.isDirected = written.length === 0 || marks.size > 0;
    const areSigned = written.some(({ sign }) => sign);
    if (written.length > 0 && marks.size === 0 && (!areSigned || isOfCard)) throw directionUnknown();
    this.amounts = new Map(bookings.map((booking) => [booking, this.amountOf(booking, marks)]));
  }

  private amountOf({ row }: PdfBooking, marks: ReadonlySet<'in' | 'out'>): string {
    const found = (['amount', 'debit', 'credit'] as const).flatMap((role) => {
      const written = row.amounts.get(role)?.written;
      return written ? [{ role, written }] : [];
    });
    const [only, ...others] = found;
    if (!only || others.length > 0) return invalid(row);
    const { role, written } = only;
    const value = this.decimals.read(written.digits, row.row.number) ?? invalid(row);
    const signed = written.sign === '-' ? negated(value) : value;
    if (role === 'credit') return signed;
    if (role === 'debit') return negated(value);
    if (marks.size === 2 && !written.mark) throw directionUnknown();
    const isOut = written.mark ? written.mark === 'out' : marks.has('in');
    return isOut ? negated(value) : signed;
  }
}

const directionUnknown = (): JobFailure =>
  new JobFailure(
    'direction_unknown',
    'The PDF does not show which of its amounts are money in and which are money out: they have no signs, marks or columns for it.',
  );
