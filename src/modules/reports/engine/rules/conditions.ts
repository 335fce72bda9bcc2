import { isCalendarDate } from '../../../../kernel/dates.js';
import { foldedValue, type ComparableLine, type Condition, type TextField } from './comparable-line.js';
import type { TokenOf } from '../inputs.js';
import { readMoney, type Money } from '../amounts/money.js';
import { MAX_PATTERN_LENGTH, Patterns } from './patterns.js';
import type { JsonField } from '../json-field.js';
import { TextFinder, type SearchText } from './text-finder.js';

/** The ops of a field. Each turns the value of a condition into the condition. */
type Ops = Readonly<Record<string, (value: JsonField) => Condition>>;
export type ConditionFields = Readonly<Record<string, Ops>>;

const MAX_TEXT_LENGTH = 1000;

/** The fields that conditions can use, for all rules of a run. Redacted lines have tokens in place of names and accounts. */
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
      (json) => json.oneOf(['in', 'out']),
    ),
    currency: equality((line) => line.currency, readCurrency),
    date: { ...equality(date, readDate), ...order(date, readDate) },
  };
}

export function readCondition(json: JsonField, fields: ConditionFields): Condition {
  const ops = fields[json.key('field').oneOf(Object.keys(fields))]!;
  return ops[json.key('op').oneOf(Object.keys(ops))]!(json.key('value'));
}

/** A field may have several spellings: a condition holds if one of them satisfies it, and `isNot` if none of them is the value. */
function textOps(field: TextField, spellingsOf: (value: string) => readonly string[]): Ops {
  const finder = new TextFinder(field);
  const patterns = new Patterns(field, finder);
  const among = (items: readonly JsonField[]) =>
    finder.anyOf(items.flatMap((json) => spellingsOf(readText(json))).map((text) => ({ text, atStart: true, atEnd: true })));
  const part = (edges: Omit<SearchText, 'text'>) => (json: JsonField) => finder.anyOf([{ text: foldedValue(readText(json)), ...edges }]);
  return {
    is: (json) => among([json]),
    isNot: (json) => not(among([json])),
    oneOf: (json) => among(readList(json)),
    contains: part({}),
    startsWith: part({ atStart: true }),
    endsWith: part({ atEnd: true }),
    matches: (json) =>
      patterns.read(readText(json)) ??
      json.fail(`be a pattern in RE2 syntax of at most ${MAX_PATTERN_LENGTH} characters, without large repetitions`),
  };
}

function equality<T>(of: (line: ComparableLine) => T, read: (json: JsonField) => T): Ops {
  const among = (items: readonly JsonField[]): Condition => {
    const wanted = new Set(items.map(read));
    return (line) => wanted.has(of(line));
  };
  return { is: (json) => among([json]), isNot: (json) => not(among([json])), oneOf: (json) => among(readList(json)) };
}

function order<T extends Money | string>(of: (line: ComparableLine) => T, read: (json: JsonField) => T): Ops {
  const inRange =
    (from: T | undefined, to: T | undefined): Condition =>
    (line) =>
      (from === undefined || of(line) >= from) && (to === undefined || of(line) <= to);
  return {
    gte: (json) => inRange(read(json), undefined),
    lte: (json) => inRange(undefined, read(json)),
    between: (json) => {
      const [from, to] = readList(json, { min: 2, max: 2 }).map(read) as [T, T];
      return from <= to ? inRange(from, to) : json.fail('have the smaller value first');
    },
  };
}

const not =
  (condition: Condition): Condition =>
  (line) =>
    !condition(line);

function readList(json: JsonField, bounds: { min: number; max?: number } = { min: 1 }): JsonField[] {
  return json.isGiven ? json.items(bounds) : json.fail('be a list');
}

function readText(json: JsonField): string {
  return json.text(MAX_TEXT_LENGTH);
}

function readSize(json: JsonField): Money {
  const { value } = json;
  const size = typeof value === 'string' || typeof value === 'number' ? readMoney(String(value)) : undefined;
  return size === undefined || size < 0n
    ? json.fail('be an amount of 0 or more, such as "12.50", with at most 18 decimals (amounts are compared without their sign)')
    : size;
}

function readCurrency(json: JsonField): string {
  const { value } = json;
  return typeof value === 'string' && /^[a-z]{3}$/i.test(value)
    ? value.toUpperCase()
    : json.fail('be a three-letter currency code, such as EUR');
}

function readDate(json: JsonField): string {
  const { value } = json;
  return typeof value === 'string' && isCalendarDate(value) ? value : json.fail('be an existing date, such as 2026-03-31');
}
