import { pathText, type PathPart } from '../../kernel/json.js';

export class JsonError extends Error {
  constructor(
    readonly index: number,
    expected: string,
  ) {
    super(expected);
  }
}

/** The paths of the numbers that JSON.parse would change, because a double cannot hold them. The text must be JSON. */
export function inexactNumbers(text: string): string[] {
  const paths: string[] = [];
  new JsonReader(text, (literal, path) => {
    if (!isExact(literal)) paths.push(pathText(path));
  }).read();
  return paths;
}

/** Why a text is not JSON. JSON.parse says it in words that differ between versions of Node, often without the place. */
export function errorIn(text: string): JsonError | undefined {
  try {
    new JsonReader(text, () => undefined).read();
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  return undefined;
}

/** `line 3, column 7`, both from 1. A column is a character, as editors count them. */
export function placeIn(text: string, index: number): string {
  const lines = text.slice(0, index).split('\n');
  return `line ${lines.length}, column ${[...lines.at(-1)!].length + 1}`;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

/** Reads JSON as JSON.parse does, but sees each number as it was written, and where. Only for texts of limited depth. */
class JsonReader {
  private index = 0;
  private readonly path: PathPart[] = [];

  constructor(
    private readonly text: string,
    private readonly onNumber: (literal: string, path: readonly PathPart[]) => void,
  ) {}

  read(): void {
    this.value();
    if (this.index < this.text.length) throw this.expected('the end of the body');
  }

  private value(): void {
    this.take(SPACE);
    const first = this.text[this.index];
    if (first === '{') this.members('}', () => this.member());
    else if (first === '[') this.members(']', (position) => this.within(position));
    else if (first === '"') this.string();
    else {
      const number = this.take(NUMBER);
      if (number) this.onNumber(number, this.path);
      else if (!this.take(WORD)) throw this.expected('a value');
    }
    this.take(SPACE);
  }

  private members(end: string, readOne: (position: number) => void): void {
    this.index += 1;
    this.take(SPACE);
    if (this.text[this.index] === end) return void (this.index += 1);
    for (let position = 0; ; position += 1) {
      readOne(position);
      const next = this.text[this.index];
      if (next !== ',' && next !== end) throw this.expected(`a comma or ${end}`);
      this.index += 1;
      if (next === end) return;
    }
  }

  private member(): void {
    this.take(SPACE);
    if (this.text[this.index] !== '"') throw this.expected('a name in double quotes');
    const name = JSON.parse(this.string()) as string;
    this.take(SPACE);
    if (this.text[this.index] !== ':') throw this.expected('a colon');
    this.index += 1;
    this.within(name);
  }

  private within(part: PathPart): void {
    this.path.push(part);
    this.value();
    this.path.pop();
  }

  private string(): string {
    const string = this.take(STRING);
    if (string) return string;
    // The place within the string: after its last valid character.
    const valid = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
    valid.lastIndex = this.index;
    this.index += valid.exec(this.text)![0].length;
    throw this.expected('a valid character or the end of the string');
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.index;
    const taken = pattern.exec(this.text)?.[0];
    this.index += taken?.length ?? 0;
    return taken;
  }

  private readonly expected = (what: string): JsonError => new JsonError(this.index, what);
}

/** A double holds 15 digits, wherever the point is. */
const SURELY_EXACT = /^-?[\d.]{1,15}(?:[eE][+-]?\d{1,2})?$/;

/** Whether the double that a literal becomes is written with the same digits again. What is beyond all doubles is not asked here. */
function isExact(literal: string): boolean {
  if (SURELY_EXACT.test(literal)) return true;
  const value = Number(literal);
  return !Number.isFinite(value) || decimal(literal) === decimal(String(value));
}

/** One spelling for all literals of the same number: `1.50`, `15e-1` and `1.5` are `15e-1`. */
function decimal(literal: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal)!;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`;
}
