import { RE2JS, RE2Set } from 're2js';
import type { Money } from '../../../../kernel/money.js';
import { foldText, isAscii } from '../../../../kernel/text.js';
import { composed, type Pattern, type RuleCondition, type TextField, type TextOp, type ValueOp } from '../../../rules/index.js';
import type { RunLine, TokenOf } from '../inputs.js';
import { requiredTexts } from '../../../../../tools/required-texts/index.js';

/** A text to find in a field: anywhere, at the start, at the end, or as the whole field. */
export interface SearchText {
  readonly text: string;
  readonly atStart?: boolean;
  readonly atEnd?: boolean;
}

/** Marks the start and the end of a field. Not a UTF-16 code unit. */
const EDGE = 0x10000;
/** Size of the table in entries of four bytes. Texts that do not fit are searched one by one. */
const MAX_TABLE_ENTRIES = 2_000_000;

/**
 * Finds all texts that the rules of a run search in a field, in one pass over the field of each line: hundreds of texts take as
 * long as one. (An Aho-Corasick automaton with all its transitions in a table.)
 */
export class TextFinder {
  private readonly texts: (readonly number[])[][] = [];
  private readonly units = new Set([EDGE]);
  private length = 1;
  private automaton: Automaton | null = null;
  private line: ComparableLine | null = null;

  constructor(private readonly field: TextField) {}

  /** Holds if a spelling of the field has one of the folded texts. Must be called before the first line is tested. */
  anyOf(texts: readonly SearchText[]): Condition {
    const { field } = this;
    const sequences = texts.map(unitsOf);
    if (sequences.some(({ length }) => length === 0)) return () => true;
    if (!this.hasRoomFor(sequences))
      return ({ folded: { [field]: spellings } }) => spellings.some((spelling) => texts.some((one) => has(spelling, one)));
    const query = this.texts.push(sequences) - 1;
    return (line) => this.in(line).has(query);
  }

  /** All conditions are tested on one line before the next, so caching the last result is enough. */
  private in(line: ComparableLine): Automaton {
    this.automaton ??= new Automaton(this.texts, [...this.units]);
    if (line !== this.line) {
      this.automaton.read(line.folded[this.field]);
      this.line = line;
    }
    return this.automaton;
  }

  private hasRoomFor(sequences: readonly (readonly number[])[]): boolean {
    const length = sequences.reduce((sum, sequence) => sum + sequence.length, this.length);
    const added = new Set(sequences.flat().filter((unit) => !this.units.has(unit)));
    if (length * (this.units.size + added.size + 1) > MAX_TABLE_ENTRIES) return false;
    this.length = length;
    for (const unit of added) this.units.add(unit);
    return true;
  }
}

/** A state stands for the longest prefix of a text that the input so far ends with; state 0 for the empty one. */
class Automaton {
  /** The table column of a code unit: 0 for those that are in no text. */
  private readonly columns = new Uint16Array(EDGE + 1);
  private readonly width: number;
  private readonly next: Int32Array;
  /** The queries whose text is found in a state. */
  private readonly matches: (readonly number[] | undefined)[];
  /** The next shorter state with a match; 0 if there is none. */
  private readonly shorter: Int32Array;
  /** For each query, the number of the last input in which its text was found. */
  private readonly foundIn: Int32Array;
  private input = 0;

  constructor(queries: readonly (readonly (readonly number[])[])[], units: readonly number[]) {
    units.forEach((unit, index) => (this.columns[unit] = index + 1));
    this.width = units.length + 1;
    const states = queries.flat().reduce((sum, { length }) => sum + length, 1);
    this.next = new Int32Array(states * this.width);
    this.matches = Array.from({ length: states });
    this.shorter = new Int32Array(states);
    this.foundIn = new Int32Array(queries.length);
    this.growTree(queries);
    this.linkStates(states);
  }

  read(spellings: readonly string[]): void {
    this.input += 1;
    for (const spelling of spellings) {
      let state = this.step(0, EDGE);
      for (let at = 0; at < spelling.length; at += 1) state = this.step(state, spelling.charCodeAt(at));
      this.step(state, EDGE);
    }
  }

  has(query: number): boolean {
    return this.foundIn[query] === this.input;
  }

  private step(from: number, unit: number): number {
    const to = this.next[from * this.width + this.columns[unit]!]!;
    for (let state = to; state !== 0; state = this.shorter[state]!) {
      for (const query of this.matches[state] ?? []) this.foundIn[query] = this.input;
    }
    return to;
  }

  private growTree(queries: readonly (readonly (readonly number[])[])[]): void {
    let states = 1;
    queries.forEach((sequences, query) => {
      for (const sequence of sequences) {
        let state = 0;
        for (const unit of sequence) {
          const entry = state * this.width + this.columns[unit]!;
          if (this.next[entry] === 0) this.next[entry] = states++;
          state = this.next[entry]!;
        }
        this.matches[state] = [...(this.matches[state] ?? []), query];
      }
    });
  }

  /** Where a text does not continue, the automaton falls back to the longest suffix that is the prefix of a text. Breadth first. */
  private linkStates(states: number): void {
    const fallback = new Int32Array(states);
    const queue = [0];
    for (const state of queue) {
      for (let column = 1; column < this.width; column += 1) {
        const entry = state * this.width + column;
        const otherwise = state === 0 ? 0 : this.next[fallback[state]! * this.width + column]!;
        const following = this.next[entry]!;
        if (following === 0) this.next[entry] = otherwise;
        else {
          fallback[following] = otherwise;
          this.shorter[following] = this.matches[otherwise] ? otherwise : this.shorter[otherwise]!;
          queue.push(following);
        }
      }
    }
  }
}

function unitsOf({ text, atStart, atEnd }: SearchText): readonly number[] {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return [...(atStart ? [EDGE] : []), ...units, ...(atEnd ? [EDGE] : [])];
}

function has(spelling: string, { text, atStart, atEnd }: SearchText): boolean {
  if (atStart && atEnd) return spelling === text;
  return atStart ? spelling.startsWith(text) : atEnd ? spelling.endsWith(text) : spelling.includes(text);
}

/** A field may have several spellings. Conditions compare with each of them. */
type Texts = Readonly<Record<TextField, readonly string[]>>;

/** A line prepared for comparison: made once, used by every rule. */
export interface ComparableLine {
  /** Case-folded: for all ops except `matches`. */
  readonly folded: Texts;
  /** Not case-folded, for `matches`: there ß is not ss, and the pattern itself ignores case. */
  readonly written: Texts;
  /** Whether the line has combining marks. In upper case a letter and its mark may become one character. */
  readonly hasMarks: boolean;
  /** The amount without its sign. */
  readonly size: Money;
  readonly direction: 'in' | 'out';
  readonly currency: string | null;
  readonly date: string;
}

export type Condition = (line: ComparableLine) => boolean;

export function comparableLine(line: RunLine, amount: Money): ComparableLine {
  const written = {
    description: [collapsed(line.description)],
    counterparty: [collapsed(line.counterparty ?? '')],
    account: [...ownAccountSpellings(line.account), collapsed(line.counterpartyAccount ?? '')],
    reference: [collapsed(line.reference ?? '')],
  };
  return {
    hasMarks: Object.values(written).some((texts) => texts.some((text) => !isAscii(text) && /\p{M}/u.test(text))),
    folded: {
      description: written.description.map(foldText),
      counterparty: written.counterparty.map(foldText),
      account: written.account.map(foldText),
      reference: written.reference.map(foldText),
    },
    written,
    size: amount < 0n ? -amount : amount,
    direction: amount < 0n ? 'out' : 'in',
    currency: line.currency,
    date: line.bookedOn,
  };
}

const foldedValue = (value: string): string => foldText(collapsed(value));

/** ASCII words separated by single blanks, as nearly all texts are. To test for that is faster than to normalize. */
const IS_COLLAPSED = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/** NFKC first: it turns most kinds of blanks into plain ones. */
function collapsed(text: string): string {
  return IS_COLLAPSED.test(text)
    ? text
    : text
        .normalize('NFKC')
        .replace(/\s{2,}|[^\S ]/g, ' ')
        .trim();
}

/** `ACCOUNT-7Q2M4XKD9A (3000)` matches as a whole, by its token alone, and by its end, 3000. */
function ownAccountSpellings(account: string | null): string[] {
  if (account === null) return [];
  const whole = collapsed(account);
  const match = /^(\S+) \((\S+)\)$/.exec(whole);
  return match ? [whole, match[1]!, `${match[1]} ${match[2]}`] : [whole];
}

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
