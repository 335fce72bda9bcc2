import { isCalendarDate } from '../../../../kernel/dates.js';
import { foldedValue, type ComparableLine, type Condition, type TextField } from './comparable-line.js';
import type { TokenOf } from '../inputs.js';
import { readMoney, type Money } from '../amounts/money.js';
import { Patterns } from './patterns.js';
import type { JsonField } from '../json-field.js';
import { TextFinder, type SearchText } from './text-finder.js';

/** The ops of a field: each makes a condition of its value. */
type Ops = Readonly<Record<string, (value: JsonField) => Condition>>;
export type ConditionFields = Readonly<Record<string, Ops>>;

const TEXT_MAX = 1000;

/** What conditions can look at, for all rules of a run. The tokens stand in lines where names and accounts were. */
export function conditionFields(tokenOf: TokenOf): ConditionFields {
  const plain = (value: string) => [foldedValue(value)];
  const orToken = (field: 'counterparty' | 'account') => (value: string) => [foldedValue(value), foldedValue(tokenOf(field, value))];
  const size = (line: ComparableLine) => line.size;
  const date = (line: ComparableLine) => line.date;
  return {
    description: textOps('description', plain),
    counterparty: textOps('counterparty', orToken('counterparty')),
    account: textOps('account', orToken('account')),
    reference: textOps('reference', plain),
    amount: { ...equality(size, readSize), ...order(size, readSize) },
    direction: equality(
      (line) => line.direction,
      (place) => place.oneOf(['in', 'out']),
    ),
    currency: equality((line) => line.currency, readCurrency),
    date: { ...equality(date, readDate), ...order(date, readDate) },
  };
}

export function readCondition(place: JsonField, fields: ConditionFields): Condition {
  const ops = fields[place.key('field').oneOf(Object.keys(fields))]!;
  return ops[place.key('op').oneOf(Object.keys(ops))]!(place.key('value'));
}

/** Lines have several spellings of a field: a condition holds when one of them satisfies it, and `isNot` when none is the value. */
function textOps(field: TextField, spellingsOf: (value: string) => readonly string[]): Ops {
  const finder = new TextFinder(field);
  const patterns = new Patterns(field, finder);
  const among = (places: readonly JsonField[]) =>
    finder.anyOf(places.flatMap((place) => spellingsOf(readText(place))).map((text) => ({ text, fromBegin: true, toEnd: true })));
  const part = (edges: Omit<SearchText, 'text'>) => (place: JsonField) => finder.anyOf([{ text: foldedValue(readText(place)), ...edges }]);
  return {
    is: (place) => among([place]),
    isNot: (place) => not(among([place])),
    oneOf: (place) => among(readList(place)),
    contains: part({}),
    startsWith: part({ fromBegin: true }),
    endsWith: part({ toEnd: true }),
    matches: (place) =>
      patterns.read(readText(place)) ??
      place.fail('be a pattern in the syntax of RE2, of at most 500 characters and without large repetitions'),
  };
}

function equality<T>(of: (line: ComparableLine) => T, read: (place: JsonField) => T): Ops {
  const among = (places: readonly JsonField[]): Condition => {
    const wanted = new Set(places.map(read));
    return (line) => wanted.has(of(line));
  };
  return { is: (place) => among([place]), isNot: (place) => not(among([place])), oneOf: (place) => among(readList(place)) };
}

function order<T extends Money | string>(of: (line: ComparableLine) => T, read: (place: JsonField) => T): Ops {
  const within =
    (from: T | undefined, to: T | undefined): Condition =>
    (line) =>
      (from === undefined || of(line) >= from) && (to === undefined || of(line) <= to);
  return {
    gte: (place) => within(read(place), undefined),
    lte: (place) => within(undefined, read(place)),
    between: (place) => {
      const [from, to] = readList(place, { min: 2, max: 2 }).map(read) as [T, T];
      return from <= to ? within(from, to) : place.fail('begin with the smaller value');
    },
  };
}

const not =
  (condition: Condition): Condition =>
  (line) =>
    !condition(line);

/** Of a list that was left out nobody knows what was meant. */
function readList(place: JsonField, bounds: { min: number; max?: number } = { min: 1 }): JsonField[] {
  return place.isGiven ? place.items(bounds) : place.fail('be a list');
}

function readText(place: JsonField): string {
  return place.text(TEXT_MAX);
}

function readSize(place: JsonField): Money {
  const { value } = place;
  const size = typeof value === 'string' || typeof value === 'number' ? readMoney(String(value)) : undefined;
  return size === undefined || size < 0n
    ? place.fail('be an amount of 0 or more such as "12.50", with at most 18 decimals; amounts are compared without their sign')
    : size;
}

function readCurrency(place: JsonField): string {
  const { value } = place;
  return typeof value === 'string' && /^[a-z]{3}$/i.test(value) ? value.toUpperCase() : place.fail('be three letters such as EUR');
}

function readDate(place: JsonField): string {
  const { value } = place;
  return typeof value === 'string' && isCalendarDate(value) ? value : place.fail('be a day that exists, such as 2026-03-31');
}
