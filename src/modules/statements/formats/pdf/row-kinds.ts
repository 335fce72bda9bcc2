import { type Column, columnNamed } from '../csv/column-names.js';
import { writtenAmount, type WrittenAmount } from '../csv/written-values.js';
import type { PdfCell, PdfRow } from './page-rows.js';
import { leadingDate, type LeadingDate } from './statement-date.js';

/** An amount with its place in the row. */
interface PlacedAmount {
  readonly text: string;
  readonly written: WrittenAmount;
  readonly left: number;
  readonly right: number;
}

/** Two decimals: other numbers may be anything. */
const DECIMALS = /[.,]\d\d$/;
/** A sign or mark that stands apart from its amount. */
const MARK = /^(?:[+−–-]|CR|DR|C|D|H|S)$/i;
/** How far apart, in points. */
const MARK_DISTANCE = 30;
/** An amount at the end of a text. */
const AT_END = /^(.*\S)\s+((?:[A-Z]{3}|[€£$])?\s?[+−–-]?\s?(?:\d{1,3}(?:[.,' ]\d{3})+|\d+)[.,]\d\d\s?(?:[+−–-]|CR|DR)?)$/;

function amountIn(text: string): WrittenAmount | null {
  const written = writtenAmount(text);
  return written && DECIMALS.test(written.digits) ? written : null;
}

/** The cells of a row, with its amounts apart from its texts. */
interface SplitCells {
  readonly texts: readonly PdfCell[];
  readonly amounts: readonly PlacedAmount[];
}

function splitCells(cells: readonly PdfCell[]): SplitCells {
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

/** What the amounts of a column are. */
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

/** The columns of a heading; null if the row is none. */
function columnsIn(row: PdfRow): readonly PdfColumn[] | null {
  const named = row.cells.flatMap((cell) => {
    const name = columnNamed(cell.text);
    return name ? [{ cell, column: name.column, currency: name.currency }] : [];
  });
  const has = (columns: ReadonlySet<Column>): boolean => named.some(({ column }) => columns.has(column));
  if (!has(DATES) || !['amount', 'debit', 'credit'].some((role) => named.some(({ column }) => column === role))) return null;
  return named
    .filter(({ column }) => ROLES.has(column) || DATES.has(column))
    .map(({ cell, column, currency }) => ({ ...edgesOf(cell), currency, role: ROLES.has(column) ? (column as Role) : null }));
}

const edgesOf = ({ left, right }: PdfCell) => ({ left, right });

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

const words = (...parts: readonly string[]): RegExp => new RegExp(`(?<![\\p{L}])(?:${parts.join('|')})(?![\\p{L}])`, 'iu');

const OPENING = words(
  '(opening|beginning|starting|start|previous|old) (account )?balance',
  'alte[rs]? (konto)?saldo|alter kontostand|anfangs(saldo|bestand)|er(ö|oe)ffnungssaldo|saldovortrag',
  "ancien solde|solde (initial|pr[ée]c[ée]dent|de d[ée]part|d'ouverture)",
  'saldo (anterior|inicial|iniziale|precedente)|(vorig|begin) ?saldo',
);
const CLOSING = words(
  '(closing|ending|end|new|final) (account )?balance',
  'neue[rs]? (konto)?saldo|neuer kontostand|(end|schlu(ss|ß)|abschluss)saldo|endbestand',
  'nouveau solde|solde (final|de cl[ôo]ture)',
  'saldo (final|finale)|nuovo saldo|(nieuw|eind) ?saldo',
);
const CARRIED = words(
  '(brought|carried) (forward|over)|balance forward',
  '(ü|ue)bertrag|zwischensaldo',
  'solde interm[ée]diaire|[àa] reporter|report (de page|pr[ée]c[ée]dent)',
  'suma y sigue|saldo (a riportare|riportato)',
);
/** A balance on a day: before the bookings it is the opening balance, after them the closing one. */
const ON_A_DAY = /^(kontostand|saldo|solde( cr[ée]diteur| d[ée]biteur)?|balance)(?![\p{L}])/iu;
const OVERDRAWN = words('d[ée]biteur', 'overdrawn', 'soll');

/** null if the text names no balance. `day` is a balance of which only the place says which one it is. */
function balanceIn(text: string): BalanceKind | 'day' | null {
  if (CARRIED.test(text)) return 'carried';
  if (OPENING.test(text)) return 'opening';
  if (CLOSING.test(text)) return 'closing';
  return ON_A_DAY.test(text.trim()) ? 'day' : null;
}

export const isOverdrawn = (text: string): boolean => OVERDRAWN.test(text);

const OF_CARD = words(
  'kreditkarten?(abrechnung|konto|ums(ä|ae)tze)|kreditlimit|mindest(betrag|rate|zahlung)',
  'credit card (statement|account)|credit limit|minimum (payment|amount)( due)?',
  'carte de cr[ée]dit|tarjeta de cr[ée]dito|carta di credito',
);

/** Statements of cards may have purchases without a sign, and payments with a minus. */
export const isOfCard = (text: string): boolean => OF_CARD.test(text);

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

interface Parts {
  readonly row: PdfRow;
  readonly dates: readonly LeadingDate[];
  readonly texts: readonly PdfCell[];
  readonly amounts: readonly PlacedAmount[];
}

/** Reads all rows by the heading above them; without any heading, by where amounts end. */
export function readRows(rows: readonly PdfRow[]): readonly ReadRow[] {
  const hasHeading = rows.some((row) => columnsIn(row));
  const parts = rows.map(partsOf);
  const bookings = parts.filter(({ dates, amounts }) => dates.length > 0 && amounts.length > 0).map(({ amounts }) => amounts);
  let columns: readonly PdfColumn[] = hasHeading ? [] : (columnsWithoutHeading(bookings) ?? []);
  return parts.map((read) => {
    const heading = columnsIn(read.row);
    if (heading) columns = heading;
    return heading
      ? { ...read, amounts: new Map(), currency: null, balance: null, isHeading: true, hasColumns: true }
      : placed(read, columns);
  });
}

function partsOf(row: PdfRow): Parts {
  const dates: LeadingDate[] = [];
  const cells = [...row.cells];
  while (dates.length < 2 && cells[0]) {
    const date = leadingDate(cells[0].text);
    if (!date) break;
    dates.push(date);
    const [{ text, left, right }] = cells as [PdfCell];
    if (date.rest) cells[0] = { text: date.rest, left: right - ((right - left) * date.rest.length) / text.length, right };
    else cells.shift();
  }
  return { row, dates, ...splitCells(cells) };
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
  const balance = balanceIn(textOf({ texts }));
  const [only, ...more] = amounts;
  // A balance may stand in a box of its own.
  if (balance && dates.length === 0 && inColumns.size === 0 && only && more.length === 0) {
    inColumns.set('balance', only);
    currency ??= only.written.currency;
  }
  const all = [...texts, ...others].sort((one, other) => one.left - other.left).filter(({ text }) => leadingDate(text)?.rest !== '');
  return { row, dates, texts: all, amounts: inColumns, currency, balance, isHeading: false, hasColumns: columns.length > 0 };
}
