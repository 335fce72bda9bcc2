import { isZero, negated, sumOf } from '../amounts.js';
import { cellOf, type Layout } from './layout.js';
import type { CsvRecord } from './records.js';
import { ambiguous } from './written-values.js';

export type Direction = 'in' | 'out';
/** The direction that a cell names; null if it names none. */
export type DirectionOf = (record: CsvRecord) => Direction | null;
type Words = ReadonlyMap<string, Direction>;

// oxfmt-ignore
const OUT = [
  's', 'soll', 'd', 'dr', 'debit', 'debet', 'dbit', 'af', 'out', 'debito', 'débito', 'débit', 'dare', 'cargo', 'debe', 'lastschrift', '-',
  'deebet', 'debetas', 'debets', 'belastning', 'obciążenie', 'terhelés', 'kimenő', 'výdaj', 'breme', 'duguje', 'borç',
  'дебет', 'дебит', 'дт', 'расход', 'списание', 'видаток', 'списання', 'задужење', 'дугује', 'исплата', 'חובה', 'χρέωση', 'χρεωση', 'χ',
];
// oxfmt-ignore
const IN = [
  'h', 'haben', 'c', 'cr', 'credit', 'crdt', 'bij', 'in', 'credito', 'crédito', 'crédit', 'avere', 'abono', 'haber', 'gutschrift', '+',
  'kredit', 'kreedit', 'kreditas', 'kredīts', 'uznanie', 'jóváírás', 'bejövő', 'příjem', 'dobro', 'potražuje', 'alacak',
  'кредит', 'кт', 'приход', 'зачисление', 'поступление', 'надходження', 'зарахування', 'одобрење', 'потражује', 'уплата', 'זכות',
  'πίστωση', 'πιστωση', 'π',
];

const wordsOf = (out: readonly string[], into: readonly string[]): Words =>
  new Map([...out.map((word) => [word, 'out'] as const), ...into.map((word) => [word, 'in'] as const)]);

/** Words that mean the same in every language of our readers. */
const WORDS = wordsOf(OUT, IN);
/** Short codes that mean a direction only in a column for it, by language. */
const CODES: readonly Words[] = [
  // Swedish, Danish, Norwegian, Baltic
  wordsOf(['d'], ['k']),
  // Polish
  wordsOf(['wn'], ['ma']),
  // Hungarian
  wordsOf(['t'], ['j']),
  // Turkish
  wordsOf(['b'], ['a']),
  // Czech and Slovak, where D is money in
  wordsOf(['md', 'má dáti'], ['d', 'dal']),
];

/** How the rows say the direction of their amounts; null if only signs can say it. */
export function directionsOf(layout: Layout, rows: readonly CsvRecord[], hasSigns: boolean): DirectionOf | null {
  const { written } = layout;
  const directionCell = (record: CsvRecord): string => cellOf(layout, record, 'direction');
  if (written?.direction) return byWords(wordsOf(lowerCase(written.direction.out), lowerCase(written.direction.in)), directionCell);
  if (layout.columns.has('direction')) return byCells(rows, directionCell);
  if (written?.amounts === 'charges-positive') return null;
  // Signs say more than words that may mean the kind of booking.
  if (hasSigns) return null;
  const kind = (record: CsvRecord): string => cellOf(layout, record, 'kind');
  if (allName(rows.map(kind).filter(Boolean))) return byWords(WORDS, kind);
  const unknown = layout.unknown.find((index) => allName(rows.map(({ cells }) => cells[index] ?? '')));
  return unknown === undefined ? null : byCells(rows, ({ cells }) => cells[unknown] ?? '');
}

const lowerCase = (words: readonly string[]): string[] => words.map((word) => word.toLowerCase());
const allName = (cells: readonly string[]): boolean => cells.length > 0 && cells.every((cell) => WORDS.has(cell.toLowerCase()));

function byCells(rows: readonly CsvRecord[], cell: (record: CsvRecord) => string): DirectionOf {
  const found = new Set(rows.map((row) => cell(row).toLowerCase()).filter(Boolean));
  const language = CODES.find((codes) => [...found].some((word) => !WORDS.has(word) && codes.has(word)));
  return byWords(new Map([...WORDS, ...(language ?? [])]), cell);
}

const byWords =
  (words: Words, cell: (record: CsvRecord) => string): DirectionOf =>
  (record) =>
    words.get(cell(record).toLowerCase()) ?? null;

interface Step {
  readonly line: number;
  readonly amount: string;
  readonly balance: string;
}

/** The direction of amounts without signs, if each balance differs from the one before by its amount; null if that proves nothing. */
export function provenDirection(steps: readonly Step[]): Direction | null {
  const moving = steps.filter(({ amount }) => !isZero(amount));
  for (const isNewestFirst of [false, true]) {
    const directions = moving.slice(1).map((step, index) => directionOf(step, moving[index]!, isNewestFirst));
    if (directions.length === 0 || directions.includes(null)) continue;
    const other = directions.findIndex((direction) => direction !== directions[0]);
    const message = 'has an amount without a sign, and its balance shows another direction than those before it';
    if (other >= 0) throw ambiguous(moving[other + 1]!.line, message);
    return directions[0]!;
  }
  return null;
}

function directionOf(step: Step, before: Step, isNewestFirst: boolean): Direction | null {
  const { amount } = isNewestFirst ? before : step;
  const change = isNewestFirst ? sumOf([before.balance, negated(step.balance)]) : sumOf([step.balance, negated(before.balance)]);
  if (change === amount) return 'in';
  return change === negated(amount) ? 'out' : null;
}
