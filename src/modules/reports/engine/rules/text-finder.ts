import type { TextField } from '../../../rules/index.js';
import type { ComparableLine, Condition } from './comparable-line.js';

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
    for (const spelling of spellings) this.readOne(spelling);
  }

  has(query: number): boolean {
    return this.foundIn[query] === this.input;
  }

  private readOne(spelling: string): void {
    let state = this.step(0, EDGE);
    for (let at = 0; at < spelling.length; at += 1) state = this.step(state, spelling.charCodeAt(at));
    this.step(state, EDGE);
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
