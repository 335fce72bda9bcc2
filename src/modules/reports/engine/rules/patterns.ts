import { RE2JS, RE2Set } from 're2js';
import type { ComparableLine, Condition, TextField } from './comparable-line.js';
import { requiredTexts } from './required-texts.js';
import type { TextFinder } from './text-finder.js';

const LENGTH_MAX = 500;
/** Texts are matched in linear time; what a character of them costs grows with the size of the program. */
const PROGRAM_MAX = 1000;
/** So many are looked for at once, which saves more than half. With many more the automaton of all of them would outgrow its memory. */
const TOGETHER = 4;

/** Finds the patterns that rules look for in a field. No pattern can make it slow: it never goes back in a text. */
export class Patterns {
  private group: PatternGroup;

  constructor(
    private readonly field: TextField,
    private readonly finder: TextFinder,
  ) {
    this.group = new PatternGroup(field);
  }

  /** Undefined when it is no pattern, or too large a one. */
  read(pattern: string): Condition | undefined {
    if (!isFit(pattern)) return undefined;
    const required = requiredTexts(pattern);
    if (required !== undefined) return this.withOneOf(required, RE2JS.compile(composed(pattern), RE2JS.CASE_INSENSITIVE));
    if (this.group.size === TOGETHER) this.group = new PatternGroup(this.field);
    return this.group.add(pattern);
  }

  /** Tries a pattern only where a text stands that it requires; always where the letters of the text may have become others in upper case. */
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

  /** All conditions of a line are asked before those of the next one, so one answer is enough to keep. */
  private foundIn(line: ComparableLine): readonly number[] {
    if (line !== this.line) {
      const [text = '', ...others] = line.written[this.field];
      this.found = others.length === 0 ? this.set.match(text) : [text, ...others].flatMap((spelling) => this.set.match(spelling));
      this.line = line;
    }
    return this.found;
  }
}

function isFit(pattern: string): boolean {
  try {
    return pattern.length <= LENGTH_MAX && RE2JS.compile(composed(pattern), RE2JS.CASE_INSENSITIVE).programSize() <= PROGRAM_MAX;
  } catch {
    // What it says would repeat the pattern.
    return false;
  }
}

/** As texts are; NFKC would turn characters into others that mean something in a pattern. */
function composed(pattern: string): string {
  return pattern.normalize('NFC');
}
