import type { Money } from '../../../../kernel/money.js';
import type { RuleCondition, TextField, TextOp, ValueOp } from '../../../rules/index.js';
import type { TokenOf } from '../inputs.js';
import { foldedValue, type ComparableLine, type Condition } from './comparable-line.js';
import { Patterns } from './patterns.js';
import { TextFinder, type SearchText } from './text-finder.js';

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

/** Makes the conditions of all rules of a run. */
export class Conditions {
  private readonly finders: Readonly<Record<TextField, TextFinder>>;
  private readonly patterns: Readonly<Record<TextField, Patterns>>;

  constructor(private readonly tokenOf: TokenOf) {
    const finder = (field: TextField) => new TextFinder(field);
    this.finders = {
      description: finder('description'),
      counterparty: finder('counterparty'),
      account: finder('account'),
      reference: finder('reference'),
    };
    const patterns = (field: TextField) => new Patterns(field, this.finders[field]);
    this.patterns = {
      description: patterns('description'),
      counterparty: patterns('counterparty'),
      account: patterns('account'),
      reference: patterns('reference'),
    };
  }

  of(condition: RuleCondition): Condition {
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
