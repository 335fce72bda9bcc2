import { RE2JS, RE2Set } from 're2js';
import type { ComparedLine, TextField } from './compared-line.js';
import type { Condition } from './conditions.js';
import { requiredText } from './required-text.js';

const ASCII = /^[\0-\x7f]*$/;
const LENGTH_MAX = 500;
/** Texts are matched in linear time; what a character of them costs grows with the size of the program. */
const PROGRAM_MAX = 1000;
/** So many are looked for at once, which saves more than half. With many more the automaton of all of them would outgrow its memory. */
const TOGETHER = 4;

/** Finds the patterns that rules look for in a field. No pattern can make it slow: it never goes back in a text. */
export class Patterns {
  private group: PatternGroup;

  constructor(private readonly field: TextField) {
    this.group = new PatternGroup(field);
  }

  /** Undefined when it is no pattern, or too large a one. */
  read(pattern: string): Condition | undefined {
    if (!isFit(pattern)) return undefined;
    const required = requiredText(pattern);
    if (required !== undefined) return withText(this.field, required, RE2JS.compile(composed(pattern), RE2JS.CASE_INSENSITIVE));
    if (this.group.size === TOGETHER) this.group = new PatternGroup(this.field);
    return this.group.add(pattern);
  }
}

/** Tries a pattern only where the text stands that it requires. Of other letters than ASCII's there are several cases, so there it is always tried. */
function withText(field: TextField, required: string, pattern: RE2JS): Condition {
  return (line) => {
    const { [field]: written } = line.written;
    const { [field]: folded } = line.folded;
    for (let index = 0; index < written.length; index += 1) {
      if ((folded[index]!.includes(required) || !ASCII.test(written[index]!)) && pattern.test(written[index]!)) return true;
    }
    return false;
  };
}

class PatternGroup {
  size = 0;
  private readonly set = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE);
  private line: ComparedLine | null = null;
  private found: readonly number[] = [];

  constructor(private readonly field: TextField) {}

  add(pattern: string): Condition {
    const index = this.set.add(composed(pattern));
    this.size += 1;
    return (line) => this.foundIn(line).includes(index);
  }

  /** All conditions of a line are asked before those of the next one, so one answer is enough to keep. */
  private foundIn(line: ComparedLine): readonly number[] {
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
