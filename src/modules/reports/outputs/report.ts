import { createHash } from 'node:crypto';
import { deflateRawSync, gzipSync, inflateRawSync } from 'node:zlib';
import { getOrCreate } from '../../../kernel/get-or-create.js';
import { JobFailure } from '../../../kernel/failure.js';
import { exactMoneyOf, formatMoney, readPercent, roundFraction, roundMoney, taxIn } from '../../../kernel/money.js';
import type { BookingAccounts } from '../../rules/index.js';
import type { Certainty } from '../../statements/index.js';
import { byKey, sumOf } from '../engine/amounts/currency-ledger.js';
import type { Finding } from '../engine/checks/findings.js';
import type { OutputOptions, RunLine, RunStatement } from '../engine/inputs.js';
import type { ClaimedLine, LeftOut } from '../engine/line-accumulator.js';
import type { AmountsDto, ClaimReportMonthDto, ClaimReportStatementDto, Computed } from '../result.dto.js';

/** A line of a statement with its claim, as the files show it: none for a line that is not in the totals. */
export type DetailLine = Omit<RunLine, 'fingerprint' | 'counterpartyAccount'> &
  Omit<ClaimedLine, 'line' | 'taxPercent'> &
  Partial<Pick<ClaimedLine, 'taxPercent'>>;

/** The money out of a line in the currency of the report. */
export const expenseOf = ({ amount, conversion }: DetailLine): string => negated(conversion?.amount ?? amount);

/** Statements have money out as negative amounts, and reports have expenses as positive ones. */
export function negated(amount: string): string {
  if (amount.startsWith('-')) return amount.slice(1);
  return /[1-9]/.test(amount) ? `-${amount}` : amount;
}

/** Whether the line is in the totals of a report in this currency. */
export const isInTotals = ({ currency, conversion }: DetailLine, ofReport: string | null): boolean =>
  currency === ofReport || conversion !== undefined;

/** The lines of a report. An array is one; a `LineList` is one for millions of lines. */
export interface DetailLines extends Iterable<DetailLine> {
  readonly length: number;
}

/** Few, because a report by category has a list for each of them, whose last part is not packed yet. */
const LINES_PER_PART = 250;

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

/** Whose report it is, and of which run. Names are null if the run has none. */
export interface ReportAbout {
  readonly organization: string | null;
  readonly project: string | null;
  readonly clientReference: string | null;
  readonly configuration: string | null;
  readonly runId: string;
  /** When the run was started. Files take their time from it, so that the same run makes the same bytes. */
  readonly startedAt: string;
}

/** A statement of the run, as people should see it. */
export interface ReportStatement
  extends
    Pick<RunStatement, 'id' | 'sha256' | 'periodStart' | 'periodEnd' | 'balances'>,
    Pick<ClaimReportStatementDto, 'linesRead' | 'linesUsed' | 'duplicates'> {
  /** What people call it within the report: `S1` for the first one. */
  readonly reference: string;
  /** Redacted, like the lines. */
  readonly fileName: string | null;
  readonly accountLabel: string | null;
  /** null if the statement was read by an earlier release. */
  readonly certainty: Certainty | null;
}

/** What people call the statements of a report, by their ids. */
export const referencesOf = ({ statements }: Pick<Report, 'statements'>): ReadonlyMap<string, string> =>
  new Map(statements.map(({ id, reference }) => [id, reference]));

/** Some bytes of the file of a receipt. They arrive one file after the other, for the evidence pack. */
export interface ReceiptPart {
  /** Its place among the receipts of the result. */
  readonly index: number;
  readonly bytes: Uint8Array;
}

export type ReceiptParts = AsyncIterable<ReceiptPart> | Iterable<ReceiptPart>;

/** Where a line is found, and its receipts: `S1/12, R1`. */
export const placeOf = ({ lineNumber, receipts }: DetailLine, statement: string): string =>
  [`${statement}/${lineNumber}`, receipts].filter(Boolean).join(', ');

/** Everything that the files of a run are made from. */
export interface Report {
  readonly about: ReportAbout;
  readonly result: Computed;
  /** The warnings of the result, for files that say them in their own language. */
  readonly findings: readonly Finding[];
  readonly options: OutputOptions;
  /** Whether people have decided about lines. If not, no file has a column for it. */
  readonly hasDecisions: boolean;
  /** What files of extensions were told, by their formats. */
  readonly optionsOfAdded: Readonly<Record<string, unknown>>;
  /** In the order of the run, as in the result. */
  readonly statements: readonly ReportStatement[];
  /** The accounts of each category of the result, by its position there. None if no file has bookings. */
  readonly accounts: readonly BookingAccounts[];
  /** Every line if the options or a file ask for it. Else those that a category claims if a file lists these, and none if no file does. */
  readonly lines: DetailLines;
  /** The lines that are not in the figures, by the reason. None if no file shows them. */
  readonly leftOut: Readonly<Record<LeftOut, DetailLines>>;
  /** The largest file that may be made. */
  readonly maxFileBytes: number;
}

/** Decimals of the tax of one line, which may have no end. The tax of a category and month is computed from exact fractions. */
const SHOWN_DECIMALS = 6;

/** Whether a rule of the run states a tax. If none does, no file has a column for it. */
export const hasTax = ({ totals }: Pick<Computed, 'totals'>): boolean => totals.claimableTax !== undefined;

/** The tax that the claim of a line contains; null if neither receipts nor its rule state one. */
export function containedTax(
  { claimable, taxPercent, statedTax }: DetailLine,
  minDigits: number,
  decimals = SHOWN_DECIMALS,
): string | null {
  if (claimable !== null && statedTax !== undefined) return formatMoney(roundMoney(exactMoneyOf(statedTax), decimals), minDigits);
  if (claimable === null || taxPercent === undefined || taxPercent === null) return null;
  return formatMoney(roundFraction(taxIn(exactMoneyOf(claimable), readPercent(taxPercent)!), decimals), minDigits);
}

/** Where the bytes of a file go while it is written. */
export interface FileSink {
  add(chunk: Uint8Array): void;
}

/** A file that was written, compressed: a report of many lines is ten times as large without. */
export interface PackedFile {
  /** Of the file itself, as `sha256` is. */
  readonly bytes: number;
  readonly sha256: string;
  /** Each of them is compressed by itself. */
  readonly gzip: readonly Uint8Array[];
}

/** How much of a file is in a part. */
const PART_BYTES = 1024 * 1024;
const FAST = { level: 1 };

/** The bytes of a file, up to the limit of a run. They are compressed as they come, so that the whole file is never in memory. */
export class OutputFile implements FileSink {
  private readonly hash = createHash('sha256');
  private readonly packed: Uint8Array[] = [];
  private part: Uint8Array[] = [];
  private partBytes = 0;
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  add(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes)
      throw new JobFailure(
        'file_too_large',
        `An output file is larger than ${this.maxBytes} bytes. Report a shorter period, or set outputOptions.detail to "none".`,
      );
    this.hash.update(chunk);
    this.part.push(chunk);
    this.partBytes += chunk.length;
    if (this.partBytes >= PART_BYTES) this.pack();
  }

  finish(): PackedFile {
    if (this.partBytes > 0 || this.packed.length === 0) this.pack();
    return { bytes: this.bytes, sha256: this.hash.digest('hex'), gzip: this.packed };
  }

  private pack(): void {
    // A copy, because zlib returns a part of a larger buffer.
    this.packed.push(Uint8Array.from(gzipSync(Buffer.concat(this.part), FAST)));
    this.part = [];
    this.partBytes = 0;
  }
}

export const claimedOf = ({ categories, currency }: Pick<Computed, 'categories' | 'currency'>): AmountsDto =>
  together(categories, currency);

export function claimedMonthsOf({ categories, currency }: Computed): ClaimReportMonthDto[] {
  const months = new Map<string, ClaimReportMonthDto[]>();
  for (const month of categories.flatMap((category) => category.months)) getOrCreate(months, month.month, () => []).push(month);
  return [...months].sort(byKey).map(([month, parts]) => ({ month, ...together(parts, currency) }));
}

function together(parts: readonly AmountsDto[], currency: string | null): AmountsDto {
  const amountsOf = (field: Exclude<keyof AmountsDto, 'count'>) => parts.map((part) => part[field] ?? '0');
  const sum = (field: Exclude<keyof AmountsDto, 'count'>) => sumOf(amountsOf(field), currency);
  return {
    count: parts.reduce((count, part) => count + part.count, 0),
    gross: sum('gross'),
    refunds: sum('refunds'),
    net: sum('net'),
    claimable: sum('claimable'),
    ...(parts.some(({ claimableTax }) => claimableTax !== undefined) && {
      claimableTax: sum('claimableTax'),
      claimableNet: sum('claimableNet'),
    }),
  };
}
