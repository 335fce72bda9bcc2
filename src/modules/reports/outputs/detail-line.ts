import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { LineConversion } from '../engine/rates/conversions.js';

/** A line of a statement with its claim, as the files show it. Amounts are exact decimals as text. */
export interface DetailLine {
  readonly statementId: string;
  readonly lineNumber: number;
  readonly bookedOn: string;
  readonly account: string | null;
  readonly counterparty: string | null;
  readonly description: string;
  readonly reference: string | null;
  /** Negative for money out. */
  readonly amount: string;
  readonly currency: string | null;
  /** Code of the category that claims the line. */
  readonly category: string | null;
  /** Position of the category in the result, from 0. */
  readonly categoryIndex: number | null;
  readonly rule: string | null;
  readonly claimablePercent: string | null;
  /** Not rounded: a report rounds once per category and month. Files show none for a line that is not in the totals. */
  readonly claimable: string | null;
  /** The tax that the claim contains, as its rule states it. */
  readonly taxPercent?: string | null;
  /** How the line came to be in the currency of the report. */
  readonly conversion?: LineConversion;
}

/** What the files say of a line in the currency of the report. */
export const amountInReport = ({ amount, conversion }: DetailLine): string => conversion?.amount ?? amount;

/** Whether the line is in the totals of a report in this currency. */
export const isInTotals = ({ currency, conversion }: DetailLine, ofReport: string | null): boolean =>
  currency === ofReport || conversion !== undefined;

/** The lines of a report. An array is one; a `LineList` is one for millions of lines. */
export interface DetailLines extends Iterable<DetailLine> {
  readonly length: number;
}

/** Few, because a report by category has a list for each of them, whose last part is not packed yet. */
const LINES_PER_PART = 250;
const FAST = { level: 1 };

/** Lines in parts, which are packed: with their texts, 100,000 lines would take 60 MB. */
export class LineList implements DetailLines {
  length = 0;
  private readonly packed: Uint8Array[] = [];
  private last: DetailLine[] = [];

  push(line: DetailLine): void {
    this.length += 1;
    this.last.push(line);
    if (this.last.length < LINES_PER_PART) return;
    // A copy, because zlib returns a part of a larger buffer.
    this.packed.push(Uint8Array.from(deflateRawSync(JSON.stringify(this.last), FAST)));
    this.last = [];
  }

  *[Symbol.iterator](): Iterator<DetailLine> {
    for (const part of this.packed) yield* JSON.parse(inflateRawSync(part).toString()) as DetailLine[];
    yield* this.last;
  }
}
