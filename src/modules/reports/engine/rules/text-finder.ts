import type { ComparableLine, Condition, TextField } from './comparable-line.js';

/** A text that a field may have: somewhere, at its begin, at its end, or as the whole of it. */
export interface SearchText {
  readonly text: string;
  readonly fromBegin?: boolean;
  readonly toEnd?: boolean;
}

/** Stands before and after what is read, and is no character. */
const EDGE = 0x10000;
/** Of the table, in entries of four bytes. Texts beyond are looked for one by one. */
const TABLE_MAX = 2_000_000;

/**
 * Looks for all texts that the rules of a run ask for in a field at once, in one pass over each line's field: to look for hundreds
 * costs what to look for one does. (The automaton of Aho and Corasick, with every step in a table.)
 */
export class TextFinder {
  private readonly wanted: (readonly number[])[][] = [];
  private readonly units = new Set([EDGE]);
  private length = 1;
  private automaton: Automaton | null = null;
  private line: ComparableLine | null = null;

  constructor(private readonly field: TextField) {}

  /** Holds when a spelling of the field has one of the folded texts. All are asked for before the first line is looked at. */
  anyOf(wanted: readonly SearchText[]): Condition {
    const { field } = this;
    const sequences = wanted.map(unitsOf);
    if (sequences.some(({ length }) => length === 0)) return () => true;
    if (!this.hasRoomFor(sequences))
      return ({ folded: { [field]: spellings } }) => spellings.some((spelling) => wanted.some((one) => has(spelling, one)));
    const question = this.wanted.push(sequences) - 1;
    return (line) => this.in(line).has(question);
  }

  /** All conditions of a line are asked before those of the next one, so one answer is enough to keep. */
  private in(line: ComparableLine): Automaton {
    this.automaton ??= new Automaton(this.wanted, [...this.units]);
    if (line !== this.line) {
      this.automaton.read(line.folded[this.field]);
      this.line = line;
    }
    return this.automaton;
  }

  private hasRoomFor(sequences: readonly (readonly number[])[]): boolean {
    const length = sequences.reduce((sum, sequence) => sum + sequence.length, this.length);
    const added = new Set(sequences.flat().filter((unit) => !this.units.has(unit)));
    if (length * (this.units.size + added.size + 1) > TABLE_MAX) return false;
    this.length = length;
    for (const unit of added) this.units.add(unit);
    return true;
  }
}

/** A state is the longest begin of a text that what was read ends with; state 0 is none. */
class Automaton {
  /** The column of a character: 0 for all that stand in no text. */
  private readonly columns = new Uint16Array(EDGE + 1);
  private readonly width: number;
  private readonly next: Int32Array;
  /** The questions that are answered in a state. */
  private readonly answers: (readonly number[] | undefined)[];
  /** The next shorter state with answers; 0 for none. */
  private readonly shorter: Int32Array;
  /** For each question in which reading it was last answered. */
  private readonly answered: Int32Array;
  private reading = 0;

  constructor(questions: readonly (readonly (readonly number[])[])[], units: readonly number[]) {
    units.forEach((unit, index) => (this.columns[unit] = index + 1));
    this.width = units.length + 1;
    const states = questions.flat().reduce((sum, { length }) => sum + length, 1);
    this.next = new Int32Array(states * this.width);
    this.answers = Array.from({ length: states });
    this.shorter = new Int32Array(states);
    this.answered = new Int32Array(questions.length);
    this.growTree(questions);
    this.linkStates(states);
  }

  read(spellings: readonly string[]): void {
    this.reading += 1;
    for (const spelling of spellings) this.readOne(spelling);
  }

  has(question: number): boolean {
    return this.answered[question] === this.reading;
  }

  private readOne(spelling: string): void {
    let state = this.step(0, EDGE);
    for (let at = 0; at < spelling.length; at += 1) state = this.step(state, spelling.charCodeAt(at));
    this.step(state, EDGE);
  }

  private step(from: number, unit: number): number {
    const to = this.next[from * this.width + this.columns[unit]!]!;
    for (let state = to; state !== 0; state = this.shorter[state]!) {
      for (const question of this.answers[state] ?? []) this.answered[question] = this.reading;
    }
    return to;
  }

  private growTree(questions: readonly (readonly (readonly number[])[])[]): void {
    let states = 1;
    questions.forEach((sequences, question) => {
      for (const sequence of sequences) {
        let state = 0;
        for (const unit of sequence) {
          const entry = state * this.width + this.columns[unit]!;
          if (this.next[entry] === 0) this.next[entry] = states++;
          state = this.next[entry]!;
        }
        this.answers[state] = [...(this.answers[state] ?? []), question];
      }
    });
  }

  /** Where a text does not go on, another may: the one that begins with the longest end of what was read. Shorter states go first. */
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
          this.shorter[following] = this.answers[otherwise] ? otherwise : this.shorter[otherwise]!;
          queue.push(following);
        }
      }
    }
  }
}

function unitsOf({ text, fromBegin, toEnd }: SearchText): readonly number[] {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return [...(fromBegin ? [EDGE] : []), ...units, ...(toEnd ? [EDGE] : [])];
}

function has(spelling: string, { text, fromBegin, toEnd }: SearchText): boolean {
  if (fromBegin && toEnd) return spelling === text;
  return fromBegin ? spelling.startsWith(text) : toEnd ? spelling.endsWith(text) : spelling.includes(text);
}
