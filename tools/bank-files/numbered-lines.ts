import { UnreadableFile } from './unreadable-file.js';
import { isZero, negated, sumOf } from './amounts.js';

export interface NumberedLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

const MAX_LINE = 100_000;
/** Old programs end a file with it. */
const END_OF_FILE = '\x1a';

/** All lines, in batches. `tooLong` is what a line is said to be that has more characters than any may have. */
export async function* linesOf(texts: AsyncIterable<string>, tooLong: string): AsyncGenerator<readonly string[]> {
  let count = 0;
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    count += lines.length;
    if (rest.length > MAX_LINE) throw invalidLine(count + 1, tooLong);
    yield lines;
  }
  yield [rest];
}

export async function* numberedLinesOf(texts: AsyncIterable<string>): AsyncGenerator<readonly NumberedLine[]> {
  let count = 0;
  for await (const lines of linesOf(texts, `has more than ${MAX_LINE} characters`)) {
    const all = lines.map((line, index) => ({ text: line.replace(END_OF_FILE, ''), number: count + index + 1 }));
    count += lines.length;
    yield all.filter(({ text }) => text.trim());
  }
}

export const invalidLine = (number: number, what: string): UnreadableFile => new UnreadableFile('invalid_line', `Line ${number} ${what}.`);

/** The characters of a record at these positions, which descriptions of formats count from 1 and name both of. */
export const at = (text: string, first: number, last = first): string => text.slice(first - 1, last);

export type Side = 'in' | 'out';

/** How many bookings there are, with which sum, so that control totals of a file can be checked. */
export class ControlSums {
  private readonly sides: Record<Side, { count: number; sum: string | null }> = {
    in: { count: 0, sum: '0.00' },
    out: { count: 0, sum: '0.00' },
  };

  /** `side` is that of a zero, too. */
  book(amount: string, by: Side): void {
    const side = this.sides[by];
    side.count += 1;
    side.sum &&= sumOf([side.sum, amount]);
  }

  /** Whether the bookings of a side add up to this total, which has no sign, and are as many as stated. */
  agree(side: Side, total: string, stated?: string): boolean {
    const { sum, count } = this.sides[side];
    return sum === (side === 'out' ? negated(total) : total) && (stated === undefined || Number(stated) === count);
  }

  leads(opening: string, closing: string): boolean {
    const { in: credits, out: debits } = this.sides;
    if (credits.sum === null || debits.sum === null) return false;
    const rest = sumOf([opening, credits.sum, debits.sum, negated(closing)]);
    return rest !== null && isZero(rest);
  }
}

/** What is proven to be read wrong, or to be incomplete, is not a statement. `where` names the line of the total. */
export const totalsContradict = (where: string): UnreadableFile =>
  new UnreadableFile(
    'totals_contradict',
    `${where} states other control totals than the records before it have: a record is missing, or was changed.`,
  );

export const balancesContradict = (where: string): UnreadableFile =>
  new UnreadableFile(
    'balances_contradict',
    `The bookings do not lead from the opening balance to the closing balance ${where}: a record is missing, or was changed.`,
  );
