import { wordSections } from '../word-lists.js';
import { UnreadableFile, sumOf, type CsvRecord } from '../../bank-files/index.js';
import { keyOf } from './column-names.js';

/** What a row states instead of a booking. */
export type Statement = 'opening' | 'closing' | 'turnover';

/** Nothing that could be the name of a shop: a row with a date is left out only if it cannot be a booking. */
const STATEMENTS: ReadonlyMap<string, Statement> = new Map(
  [...wordSections<Statement>('balance-texts')].flatMap(([statement, texts]) => texts.map((text) => [keyOf(text), statement] as const)),
);

/** Such as ` AU 28/02/2026`, which tells when the balance is that. */
const DAY_BEHIND = /\s+(?:(?:au|du|vom|per|am|on|as of|at|to|del|al|op|van|den|pr\.?|na|ke dni)\s+)?\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\.?$/iu;
const MAX_STATED = 80;

/** Whether the row states a balance or a total: one of its cells says nothing else, or nothing but its day. */
export function statementIn({ cells }: CsvRecord, mayHaveDay: boolean): Statement | null {
  for (const cell of cells) {
    // No text of a balance has a digit, and most cells are ruled out by that.
    if (cell.length < 4 || cell.length > MAX_STATED || !/^\P{Nd}/u.test(cell)) continue;
    const bare = mayHaveDay ? cell.replace(DAY_BEHIND, '') : cell;
    if (/\d/.test(bare)) continue;
    const statement = STATEMENTS.get(keyOf(bare));
    if (statement) return statement;
  }
  return null;
}

/** Whether a text is the name of an opening balance. */
export const saysOpening = (text: string): boolean => statementIn({ cells: [text], line: 1 }, false) === 'opening';

export class StatedBalances {
  private readonly stated: Record<'opening' | 'closing', { readonly amount: string; readonly line: number }[]> = {
    opening: [],
    closing: [],
  };
  private sum: string | null = '0.00';

  state(statement: 'opening' | 'closing', amount: string, line: number): void {
    this.stated[statement].push({ amount, line });
  }

  book(amount: string): void {
    this.sum &&= sumOf([this.sum, amount]);
  }

  /** null without both. Of several months in one file, we do not know which rows belong together. */
  get ends(): { readonly opening: string; readonly closing: string } | null {
    const { opening, closing } = this.stated;
    return opening.length === 1 && closing.length === 1 ? { opening: opening[0]!.amount, closing: closing[0]!.amount } : null;
  }

  /** What is proven to be read wrong is not a statement. */
  refuseContradiction(): void {
    const { ends, sum } = this;
    if (!ends || sum === null || sumOf([ends.opening, sum]) === sumOf([ends.closing, '0.00'])) return;
    const [opening, closing] = [this.stated.opening[0]!.line, this.stated.closing[0]!.line];
    throw new UnreadableFile(
      'balances_contradict',
      `The bookings do not lead from the balance on line ${opening} to the one on line ${closing}: a row is missing or has another form.`,
    );
  }
}
