import { RE2JS, RE2Set } from 're2js';
import { composed, type Pattern, type TextField } from '../../../rules/index.js';
import type { ComparableLine, Condition } from './comparable-line.js';
import { requiredTexts } from './required-texts.js';
import type { TextFinder } from './text-finder.js';

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
