import { RE2JS, RE2Set } from 're2js';
import type { Money } from '../../../../kernel/money.js';
import { composed, type Pattern, type RuleCondition, type TextField, type TextOp, type ValueOp } from '../../../rules/index.js';
import type { TokenOf } from '../inputs.js';
import { type ComparableLine, type Condition, foldedValue } from './comparable-line.js';
import { requiredTexts } from './required-texts.js';
import { type SearchText, TextFinder } from './text-finder.js';

/** How many patterns are compiled into one set, which takes less than half the time. A much larger set would outgrow RE2's memory limit. */
const PATTERNS_PER_SET = 4;

/** Matches the patterns of all rules against a field. RE2 never backtracks, so no pattern takes more than linear time. */
export class Patterns {
  private group: PatternGroup;

  constructor(
    private readonly field: TextField,
    private readonly finder: TextFinder,
  ) {
    this.group = new PatternGroup(field);
  }

  matching({ source, compiled }: Pattern): Condition {
    const required = requiredTexts(source);
    if (required !== undefined) return this.withOneOf(required, compiled);
    if (this.group.size === PATTERNS_PER_SET) this.group = new PatternGroup(this.field);
    return this.group.add(source);
  }

  /**
   * Tries the pattern only on lines with a text that it requires, and on lines with combining marks: in upper case, these may
   * not have the required text although the pattern matches.
   */
  private withOneOf(required: readonly string[], pattern: RE2JS): Condition {
    const { field } = this;
    const hasOne = this.finder.anyOf(required.map((text) => ({ text })));
    return (line) => (hasOne(line) || line.hasMarks) && line.written[field].some((text) => pattern.test(text));
  }
}

class PatternGroup {
  size = 0;
  private readonly set = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE);
  private line: ComparableLine | null = null;
  private found: readonly number[] = [];

  constructor(private readonly field: TextField) {}

  add(pattern: string): Condition {
    const index = this.set.add(composed(pattern));
    this.size += 1;
    return (line) => this.foundIn(line).includes(index);
  }

  /** All conditions are tested on one line before the next, so caching the last result is enough. */
  private foundIn(line: ComparableLine): readonly number[] {
    if (line !== this.line) {
      const [text = '', ...others] = line.written[this.field];
      this.found = others.length === 0 ? this.set.match(text) : [text, ...others].flatMap((spelling) => this.set.match(spelling));
      this.line = line;
    }
    return this.found;
  }
}

const EDGES: Readonly<Record<TextOp, Omit<SearchText, 'text'>>> = {
  is: { atStart: true, atEnd: true },
  isNot: { atStart: true, atEnd: true },
  oneOf: { atStart: true, atEnd: true },
  contains: {},
  startsWith: { atStart: true },
  endsWith: { atEnd: true },
};

const VALUE_OF = {
  amount: (line: ComparableLine) => line.size,
  date: (line: ComparableLine) => line.date,
  direction: (line: ComparableLine) => line.direction,
  currency: (line: ComparableLine) => line.currency,
};

const FIELDS: readonly TextField[] = ['description', 'counterparty', 'account', 'reference'];
const byField = <T>(make: (field: TextField) => T): Readonly<Record<TextField, T>> =>
  Object.fromEntries(FIELDS.map((field) => [field, make(field)])) as Record<TextField, T>;

export class Conditions {
  private readonly finders: Readonly<Record<TextField, TextFinder>>;
  private readonly patterns: Readonly<Record<TextField, Patterns>>;

  constructor(private readonly tokenOf: TokenOf) {
    this.finders = byField((field) => new TextFinder(field));
    this.patterns = byField((field) => new Patterns(field, this.finders[field]));
  }

  compile(condition: RuleCondition): Condition {
    const { field, op } = condition;
    switch (field) {
      case 'amount':
        return valueCondition<Money>(VALUE_OF.amount, op, condition.values);
      case 'date':
      case 'direction':
      case 'currency':
        return valueCondition<string | null>(VALUE_OF[field], op, condition.values);
      default:
        return op === 'matches' ? this.patterns[field].matching(condition.values[0]) : this.textCondition(field, op, condition.values);
    }
  }

  /** A field may have several spellings: a condition holds if one of them satisfies it, and `isNot` if none of them is the value. */
  private textCondition(field: TextField, op: TextOp, values: readonly string[]): Condition {
    const isWhole = op === 'is' || op === 'isNot' || op === 'oneOf';
    const texts = isWhole ? values.flatMap((value) => this.spellingsOf(field, value)) : values.map(foldedValue);
    const found = this.finders[field].anyOf(texts.map((text) => ({ text, ...EDGES[op] })));
    return op === 'isNot' ? not(found) : found;
  }

  /** Redacted lines have tokens in place of names and accounts. */
  private spellingsOf(field: TextField, value: string): string[] {
    if (field !== 'counterparty' && field !== 'account') return [foldedValue(value)];
    return [foldedValue(value), foldedValue(this.tokenOf(field, value))];
  }
}

function valueCondition<T extends Money | string | null>(of: (line: ComparableLine) => T, op: ValueOp, values: readonly T[]): Condition {
  const [first, second] = values as readonly [NonNullable<T>, NonNullable<T>];
  switch (op) {
    case 'gte':
      return (line) => of(line)! >= first;
    case 'lte':
      return (line) => of(line)! <= first;
    case 'between':
      return (line) => of(line)! >= first && of(line)! <= second;
    default: {
      const wanted = new Set(values);
      return op === 'isNot' ? (line) => !wanted.has(of(line)) : (line) => wanted.has(of(line));
    }
  }
}

const not =
  (condition: Condition): Condition =>
  (line) =>
    !condition(line);
