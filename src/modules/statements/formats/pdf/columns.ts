import type { Column } from '../csv/column-names.js';
import { columnNamed } from '../csv/named-column.js';
import type { PlacedAmount } from './pdf-amount.js';
import type { PdfCell, PdfRow } from './page-rows.js';

/** What the amounts of a column are. */
export type Role = 'amount' | 'debit' | 'credit' | 'balance';

/** A column of amounts, or of something else, such as value dates. */
export interface PdfColumn {
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
export function columnsIn(row: PdfRow): readonly PdfColumn[] | null {
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
export function columnOf(amount: Pick<PlacedAmount, 'left' | 'right'>, columns: readonly PdfColumn[]): PdfColumn | null {
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
export function columnsWithoutHeading(bookings: readonly (readonly PlacedAmount[])[]): readonly PdfColumn[] | null {
  const edges: number[] = [];
  for (const { right } of bookings.flat()) if (!edges.some((edge) => Math.abs(edge - right) < SAME_EDGE)) edges.push(right);
  if (edges.length === 0 || edges.length > 2) return null;
  return edges
    .sort((one, other) => one - other)
    .map((right, index) => ({ role: index === 0 ? 'amount' : 'balance', left: right - 1, right, currency: null }));
}
