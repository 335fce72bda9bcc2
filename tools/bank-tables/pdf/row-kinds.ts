import { wordSections } from '../word-lists.js';
import { type Column, columnNamed } from '../csv/column-names.js';
import { leftOutByStatus } from '../csv/status-words.js';
import { writtenAmount, writtenDate } from '../../bank-files/index.js';
import type { PdfCell, PdfRow, WrittenAmount, WrittenDate } from '../../bank-files/index.js';

export interface LeadingDate {
  /** null if it has no such day in that year. The year is only used if the date has none. */
  readonly in: (year: number) => WrittenDate | null;
  readonly hasYear: boolean;
  readonly rest: string;
}

const WITH_YEAR = [
  /^(\d{1,2}([-./])\d{1,2}\2(?:\d{4}|\d\d))(?=\s|,|$)/,
  /^(\d{4}-\d\d-\d\d)(?=\s|,|$)/,
  /^(\d{1,2}[-. ]{1,2}\p{L}{3,12}\.?[-. ]\d{4})(?=\s|,|$)/u,
  /^(\d{1,2}[- ]\p{L}{3,12}[- ]\d\d)$/u,
  /^(\p{L}{3,12}\.? \d{1,2},? \d{4})(?=\s|$)/u,
];
/** Day and month, with a point, a slash or the name of the month. */
const WITHOUT_YEAR: readonly (readonly [RegExp, (match: readonly string[], year: number) => string])[] = [
  [/^(\d{1,2})\.\s?(\d{1,2})\.?(?=\s|$)/, ([, day, month], year) => `${day}.${month}.${year}`],
  [/^(\d{1,2})\/(\d{1,2})(?=\s|$)/, ([, first, second], year) => `${first}/${second}/${year}`],
  [/^(\d{1,2})[-. ]{1,2}(\p{L}{3,12})\.?(?=\s|$)/u, ([, day, month], year) => `${day} ${month} ${year}`],
  [/^(\p{L}{3,12})\.? (\d{1,2})(?=\s|$)/u, ([, month, day], year) => `${month} ${day}, ${year}`],
];
/** For a test whether there is such a date at all, on 29 February too. */
export const LEAP_YEAR = 2024;

export function leadingDate(text: string): LeadingDate | null {
  for (const pattern of WITH_YEAR) {
    const [, found] = pattern.exec(text) ?? [];
    const date = found === undefined ? null : writtenDate(found);
    if (found !== undefined && date) return { in: () => date, hasYear: true, rest: text.slice(found.length).replace(/^[\s,]+/, '') };
  }
  for (const [pattern, write] of WITHOUT_YEAR) {
    const match = pattern.exec(text);
    if (!match || !writtenDate(write(match, LEAP_YEAR))) continue;
    return { in: (year) => writtenDate(write(match, year)), hasYear: false, rest: text.slice(match[0].length).trim() };
  }
  return null;
}

export function datesIn(text: string): WrittenDate[] {
  const words = text.split(/\s+/);
  return words.flatMap((_word, index) => {
    const date = leadingDate(words.slice(index, index + 3).join(' '));
    return date?.hasYear ? (date.in(LEAP_YEAR) ?? []) : [];
  });
}

interface PlacedAmount extends PdfCell {
  readonly written: WrittenAmount;
}

/** Two decimals: other numbers may be anything. */
const DECIMALS = /[.,]\d\d$/;
/** A sign or mark that stands apart from its amount. */
const MARK = /^(?:[+−–-]|CR|DR|C|D|H|S)$/i;
/** How far apart, in points. */
const MARK_DISTANCE = 30;
const AT_END = /^(.*\S)\s+((?:[A-Z]{3}|[€£$])?\s?[+−–-]?\s?(?:\d{1,3}(?:[.,' ]\d{3})+|\d+)[.,]\d\d\s?(?:[+−–-]|CR|DR)?)$/;

function amountIn(text: string): WrittenAmount | null {
  const written = writtenAmount(text);
  return written && DECIMALS.test(written.digits) ? written : null;
}

interface SplitCells {
  readonly texts: readonly PdfCell[];
  readonly amounts: readonly PlacedAmount[];
}

/** The amounts of columns that stand so close that they were taken for one text: `1,000.00 250.00`. */
function apart(cell: PdfCell): PdfCell[] {
  const [, first, last = ''] = AT_END.exec(cell.text) ?? [];
  return first === undefined || !amountIn(first) || !amountIn(last) ? [cell] : inTwo(cell, first, last);
}

/** The two parts of a text where they stand, if its letters are of one width. */
function inTwo({ text, left, right }: PdfCell, first: string, last: string): [PdfCell, PdfCell] {
  const width = (right - left) / text.length;
  return [
    { text: first, left, right: left + first.length * width },
    { text: last, left: right - last.length * width, right },
  ];
}

function splitCells(together: readonly PdfCell[]): SplitCells {
  const cells = together.flatMap(apart);
  const texts: PdfCell[] = [];
  const amounts: PlacedAmount[] = [];
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index]!;
    const next = cells[index + 1];
    const marked = next && MARK.test(next.text) && next.left - cell.right < MARK_DISTANCE ? amountIn(`${cell.text} ${next.text}`) : null;
    const [, text, ending = ''] = AT_END.exec(cell.text) ?? [];
    const written = marked ?? amountIn(cell.text) ?? amountIn(ending);
    if (!written) {
      texts.push(cell);
      continue;
    }
    if (marked) index += 1;
    else if (text !== undefined && !amountIn(cell.text)) texts.push({ ...cell, text });
    amounts.push({ text: ending || cell.text, written, left: cell.left, right: cell.right });
  }
  return { texts, amounts };
}

type Role = 'amount' | 'debit' | 'credit' | 'balance';

/** A column of amounts, or of something else, such as value dates. */
interface PdfColumn {
  readonly role: Role | null;
  readonly left: number;
  readonly right: number;
  readonly currency: string | null;
}

const ROLES: ReadonlySet<Column> = new Set<Column>(['amount', 'debit', 'credit', 'balance']);
const DATES: ReadonlySet<Column> = new Set<Column>(['bookingDate', 'date', 'valueDate']);
/** How far an amount may stand from the heading of its column, in points. */
const MAX_DISTANCE = 60;

/** Two names of columns that stand so close that they were taken for one: `Withdrawn Balance`. */
function namesApart(cell: PdfCell): PdfCell[] {
  const { text } = cell;
  if (columnNamed(text)) return [cell];
  const isAmount = (name: string): boolean => ROLES.has(columnNamed(name)?.column ?? 'note');
  const blanks = [...text.matchAll(/ /g)].map(({ index }) => index);
  const blank = blanks.find((at) => isAmount(text.slice(0, at)) && isAmount(text.slice(at + 1)));
  return blank === undefined ? [cell] : inTwo(cell, text.slice(0, blank), text.slice(blank + 1));
}

/** The columns of a heading; null if the row is none. */
function columnsIn(row: PdfRow): readonly PdfColumn[] | null {
  const named = row.cells.flatMap(namesApart).flatMap((cell) => {
    const name = columnNamed(cell.text);
    return name ? [{ cell, column: name.column, currency: name.currency }] : [];
  });
  const has = (columns: ReadonlySet<Column>): boolean => named.some(({ column }) => columns.has(column));
  if (!has(DATES) || !['amount', 'debit', 'credit'].some((role) => named.some(({ column }) => column === role))) return null;
  return named
    .filter(({ column }) => ROLES.has(column) || DATES.has(column))
    .map(({ cell: { left, right }, column, currency }) => ({ left, right, currency, role: ROLES.has(column) ? (column as Role) : null }));
}

/** The column of an amount: the one that it stands below, else the nearest; null if it stands apart from all. */
function columnOf(amount: Pick<PlacedAmount, 'left' | 'right'>, columns: readonly PdfColumn[]): PdfColumn | null {
  const distanceTo = ({ left, right }: PdfColumn): number => Math.max(0, left - amount.right, amount.left - right);
  const fromEdge = ({ right }: PdfColumn): number => Math.abs(right - amount.right);
  const [nearest] = [...columns].sort((one, other) => distanceTo(one) - distanceTo(other) || fromEdge(one) - fromEdge(other));
  return nearest && distanceTo(nearest) <= MAX_DISTANCE ? nearest : null;
}

/** Amounts of one column end at the same place, within these points. */
const SAME_EDGE = 6;

/**
 * The columns of a statement without a heading, from where the amounts of its bookings end: one of amounts, or amounts and the
 * balance after each. null if there are more.
 */
function columnsWithoutHeading(bookings: readonly (readonly PlacedAmount[])[]): readonly PdfColumn[] | null {
  const edges: number[] = [];
  for (const { right } of bookings.flat()) if (!edges.some((edge) => Math.abs(edge - right) < SAME_EDGE)) edges.push(right);
  if (edges.length === 0 || edges.length > 2) return null;
  return edges
    .sort((one, other) => one - other)
    .map((right, index) => ({ role: index === 0 ? 'amount' : 'balance', left: right - 1, right, currency: null }));
}

/** What a row with a balance says about the bookings around it. */
export type BalanceKind = 'opening' | 'closing' | 'carried';

const PHRASES = wordSections('row-phrases');
const words = (section: string): RegExp => new RegExp(`(?<![\\p{L}])(?:${PHRASES.get(section)!.join('|')})(?![\\p{L}])`, 'iu');

const OPENING = words('opening');
const CLOSING = words('closing');
/** In a row with a date, these may be the text of a payment. */
const CLOSING_WITHOUT_DATE = words('closing without a date');
const CARRIED = words('carried');
/** A balance on a day: before the bookings it is the opening balance, after them the closing one. */
const ON_A_DAY = /^(kontostand|saldo|solde( cr[ée]diteur| d[ée]biteur)?|balance)(?![\p{L}])/iu;
const OVERDRAWN = words('overdrawn');
/** Brought or carried forward, if the row says nothing else. */
const FORWARD = /^[bc] ?\/ ?f\.?$/i;

/** null if the text names no balance. `day` is a balance of which only the place says which one it is. */
function balanceIn(text: string, isDated: boolean): BalanceKind | 'day' | null {
  if (CARRIED.test(text) || FORWARD.test(text.trim())) return 'carried';
  if (OPENING.test(text)) return 'opening';
  if (CLOSING.test(text) || (!isDated && CLOSING_WITHOUT_DATE.test(text))) return 'closing';
  return ON_A_DAY.test(text.trim()) ? 'day' : null;
}

export const isOverdrawn = (text: string): boolean => OVERDRAWN.test(text);

const OF_CARD = words('card');

/** Statements of cards may have purchases without a sign, and payments with a minus. */
export const isOfCard = (text: string): boolean => OF_CARD.test(text);

/** How statements of cards call what their holder pays: at the start, since purchases may be paid with what is called a payment. */
const CARD_PAYMENT = new RegExp(`^(?:${PHRASES.get('payment at the start')!.join('|')})`, 'i');
export const isCardPayment = (text: string): boolean => CARD_PAYMENT.test(text.trim());
/** Whether it says that it was received, which only the issuer of a card says. */
export const isReceived = (text: string): boolean => /received|thank|erhalten|dankend|re[cç]u\b|recibido|ricevuto/i.test(text);

/** A row whose dates, texts and amounts are told apart. */
export interface ReadRow {
  readonly row: PdfRow;
  /** At its start: the booking date, and sometimes the value date. */
  readonly dates: readonly LeadingDate[];
  readonly texts: readonly PdfCell[];
  readonly amounts: ReadonlyMap<Role, PlacedAmount>;
  readonly currency: string | null;
  readonly balance: BalanceKind | 'day' | null;
  readonly isHeading: boolean;
  /** Above the first heading there are no columns, and only balances are read. */
  readonly hasColumns: boolean;
}

export const textOf = ({ texts }: Pick<ReadRow, 'texts'>): string => texts.map(({ text }) => text).join(' ');

type Parts = SplitCells & Pick<ReadRow, 'row' | 'dates'>;

/** Reads all rows by the heading above them; without any heading, by where amounts end. */
export function readRows(rows: readonly PdfRow[]): readonly ReadRow[] {
  const hasHeading = rows.some((row) => columnsIn(row));
  const parts = rows.map(partsOf);
  const bookings = parts.filter(({ dates, amounts }) => dates.length > 0 && amounts.length > 0).map(({ amounts }) => amounts);
  let columns: readonly PdfColumn[] = hasHeading ? [] : (columnsWithoutHeading(bookings) ?? []);
  let status: PdfCell | undefined;
  return parts.map((one) => {
    const heading = columnsIn(one.row);
    if (heading) columns = heading;
    if (heading) status = one.row.cells.find(({ text }) => columnNamed(text)?.column === 'status');
    const read = status && one.dates.length > 0 ? { ...one, texts: withoutStatus(one.texts, status) } : one;
    return heading
      ? { ...read, amounts: new Map(), currency: null, balance: null, isHeading: true, hasColumns: true }
      : placed(read, columns);
  });
}

/** A word below the name of the column for the status stands between a text and its next row, and would part what is written there. */
const withoutStatus = (texts: readonly PdfCell[], status: PdfCell): PdfCell[] =>
  texts.flatMap((cell) => {
    const [, before = '', word = ''] = /^(?:(.*\S) )?(\S+)$/.exec(cell.text) ?? [];
    if (cell.right <= status.left || cell.left >= status.right || leftOutByStatus(word) !== undefined) return [cell];
    return before ? [{ ...cell, text: before }] : [];
  });

const RECEIPT = /^(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])([A-Z0-9]{8,12})(?:\s+(.+))?$/;
const TIME = /^\d{1,2}:\d\d(:\d\d)?$/;

/** The receipt apart from what comes after it; undefined if the row does not begin with one before a date. */
function receiptOf([first, ...others]: readonly PdfCell[]): { receipt: PdfCell; rest: PdfCell[] } | undefined {
  const [, receipt, text] = RECEIPT.exec(first?.text ?? '') ?? [];
  const rest = first && text !== undefined ? [{ ...first, text }, ...others] : others;
  return first && receipt !== undefined && rest[0] && leadingDate(rest[0].text)?.hasYear
    ? { receipt: { ...first, text: receipt }, rest }
    : undefined;
}

function partsOf(row: PdfRow): Parts {
  const dates: LeadingDate[] = [];
  const all = row.cells.filter(({ text }) => !TIME.test(text));
  const found = receiptOf(all);
  const cells = found?.rest ?? all;
  while (dates.length < 2 && cells[0]) {
    const date = leadingDate(cells[0].text);
    if (!date) break;
    dates.push(date);
    const [{ text, left, right }] = cells as [PdfCell];
    if (date.rest && !TIME.test(date.rest))
      cells[0] = { text: date.rest, left: right - ((right - left) * date.rest.length) / text.length, right };
    else cells.shift();
  }
  return { row, dates, ...splitCells(found ? [found.receipt, ...cells] : cells) };
}

/** Amounts that stand in no column are part of the text. */
function placed({ row, dates, texts, amounts }: Parts, columns: readonly PdfColumn[]): ReadRow {
  const inColumns = new Map<Role, PlacedAmount>();
  const others: PdfCell[] = [];
  let currency: string | null = null;
  for (const amount of amounts) {
    const column = columnOf(amount, columns);
    if (column?.role && !inColumns.has(column.role)) {
      inColumns.set(column.role, amount);
      currency ??= amount.written.currency ?? column.currency;
    } else if (column?.role !== null) others.push(amount);
  }
  const balance = balanceIn(textOf({ texts }), dates.length > 0);
  const [only, ...more] = amounts;
  // A balance may stand in a box of its own.
  if (balance && dates.length === 0 && inColumns.size === 0 && only && more.length === 0) {
    inColumns.set('balance', only);
    currency ??= only.written.currency;
  }
  const all = [...texts, ...others].sort((one, other) => one.left - other.left).filter(({ text }) => leadingDate(text)?.rest !== '');
  return { row, dates, texts: all, amounts: inColumns, currency, balance, isHeading: false, hasColumns: columns.length > 0 };
}
