import type { StatementLine } from '../../../tools/bank-files/index.js';
import { lineWith } from '../../../tools/personal-data/fixtures/lines.js';
import type { Country } from './country.js';
import { type Kind, linesOf, type MadeLine, type Mark } from './lines.js';

export interface Measured {
  found: number;
  all: number;
  /** What was left of whom, with the line before and after. */
  readonly missed: string[];
}
export type Measures = Record<Kind, Measured>;
type Redacted = Pick<StatementLine, 'counterparty' | 'description'>;

/** How much of what has to be masked is masked, and how many firms stay, in lines that are made by chance. */
export function measure(country: Country, seed: number, perForm: number, redact: (line: StatementLine) => Redacted): Measures {
  const none = (): Measured => ({ found: 0, all: 0, missed: [] });
  const measures: Measures = { person: none(), address: none(), number: none(), firm: none() };
  for (const made of linesOf(country, seed, perForm)) {
    const { amount, counterparty, description } = made;
    const line = redact(lineWith({ amount, counterparty, description }));
    const left = `${line.counterparty ?? ''} | ${line.description}`;
    for (const mark of made.marks) {
      const measured = measures[mark.kind];
      const isRight = mark.kind === 'firm' ? isReadable(mark, left) : !isLeft(mark, made, left);
      measured.all += 1;
      measured.found += isRight ? 1 : 0;
      if (!isRight) measured.missed.push(`${mark.text}: ${counterparty ?? ''} | ${description} => ${left}`);
    }
  }
  return measures;
}

const MASKS = /(?:PERSON|ACCOUNT)-[A-Z\d]+|\[[A-Z-]+\]/g;
const wordsOf = (text: string): string[] =>
  text
    .replace(MASKS, ' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
const countOf = (words: readonly string[], word: string): number => words.filter((one) => one === word).length;
/** What stands between the names of people, and the parts of addresses that say nothing alone. */
const PARTICLES = new Set('VAN DER DEN TER DEL VON DOS DAS THE LGH ESQ DTO IZQ BIS APT'.split(' '));

/** Whether any word of a person or an address, or any group of a number, is in what is left more often than in the rest of the line. */
function isLeft({ kind, text }: Mark, { rest, marks }: MadeLine, left: string): boolean {
  const firms = marks.filter((mark) => mark.kind === 'firm').map((mark) => mark.text);
  const [ordinary, after] = [[rest, ...firms].flatMap(wordsOf), wordsOf(left)];
  const least = kind === 'number' ? 2 : 3;
  return wordsOf(text)
    .filter((word) => (word.length >= least || /\d/.test(word)) && !PARTICLES.has(word))
    .some((word) => countOf(after, word) > countOf(ordinary, word));
}

function isReadable({ text }: Mark, left: string): boolean {
  const after = wordsOf(left);
  return wordsOf(text).every((word) => after.includes(word));
}
