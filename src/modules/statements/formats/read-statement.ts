import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { JobFailure, type Failure } from '../../../kernel/failure.js';
import { minorDigitsOf } from '../../../kernel/money.js';
import { AccountSums, asInterim, blocksOf, finishLine, givenId, LineChecks, readBai2 } from '../../../../tools/bank-files/index.js';
import { readCamt, readCoda, readMt940, readNorma43, readOfx, readQif, readSerbianXml } from '../../../../tools/bank-files/index.js';
import { RepeatedIds, SaidPeriod, tidyAccount, widened } from '../../../../tools/bank-files/index.js';
import type { AccountSum, LineDraft, Period, ReadingWarning, StatementBalance, StatementLine } from '../../../../tools/bank-files/index.js';
import { type DraftReading, readCsv, saysOpening, type TableOptions } from '../../../../tools/bank-tables/index.js';
import { SHIPPED_BY_FINGERPRINT } from './csv/layouts/written-layout.js';
import { detectFormat, isPdf, isZip, refuseOtherFiles, unknownFormat } from './detect-format.js';
import { bookEntriesOf } from './xlsx/book-entries.js';
import { readFeed } from './feed/read-feed.js';
import { certaintyOf, type Certainty } from './certainty.js';
import { readBy, readerFor, type ReadingOptions } from './statement-reader.js';
import type { StatementFormat, StatementReading, TextFormat } from './statement-reading.js';
import { asJobFailure, textsOf, withJobFailures } from './texts.js';

export const MAX_LINES = 200_000;
const MAX_WARNINGS = 20;
const BATCH_LINES = 500;

const READERS: Readonly<Record<Exclude<TextFormat, 'csv'>, (texts: AsyncIterable<string>, options: ReadingOptions) => DraftReading>> = {
  ofx: readOfx,
  mt940: (texts) => readMt940(texts),
  mt942: (texts) => readMt940(texts, true),
  camt052: (texts) => asInterim('CAMT.052', readCamt(texts)),
  camt053: readCamt,
  camt054: (texts) => asInterim('CAMT.054', readCamt(texts)),
  qif: (texts) => readQif(texts, { saysOpening }),
  coda: readCoda,
  bai2: (texts, { currency }) => readBai2(texts, { currency, minorDigitsOf }),
  norma43: readNorma43,
  serbian_xml: readSerbianXml,
  feed: (texts) => readFeed(texts),
};

/** Their references are not unique, and their balances and control totals prove that no booking is there twice. */
const WITHOUT_IDS: ReadonlySet<StatementFormat> = new Set<StatementFormat>(['mt940', 'mt942', 'coda', 'bai2', 'norma43']);

/**
 * Reads a statement as its bytes arrive. An invalid file rejects the promise or its lines with a `JobFailure`, as early as
 * possible. The format is detected from the content. The file name is only used if the content is ambiguous.
 */
export async function readStatement(
  bytes: AsyncIterable<Uint8Array>,
  fileName: string,
  options: ReadingOptions,
): Promise<StatementReading> {
  const blocks = blocksOf(bytes);
  try {
    const first = await blocks.next();
    if (first.done) throw emptyFile();
    const all = resumed(first.value, blocks);
    const reader = readerFor(first.value, fileName);
    if (reader) refuseLayout(options);
    if (reader) return readingOf(...(await readBy(reader, all)), options);
    if (isZip(first.value)) return await readWorkbook(all, options);
    return await (isPdf(first.value) ? readPages(all, options) : readText(first.value, all, fileName, options));
  } catch (error) {
    await blocks.return(undefined);
    throw asJobFailure(error);
  }
}

async function readWorkbook(blocks: AsyncIterable<Buffer>, options: ReadingOptions): Promise<StatementReading> {
  const { readWorkbook: readSheet } = await import('../../../../tools/bank-tables/xlsx/read-workbook.js');
  return readingOf('xlsx', await readSheet(bookEntriesOf(await buffer(blocks)), tableOptions(options)), options);
}

async function readPages(blocks: AsyncIterable<Buffer>, options: ReadingOptions): Promise<StatementReading> {
  refuseLayout(options);
  const { readPdf } = await import('../../../../tools/bank-tables/pdf/read-pdf.js');
  return readingOf('pdf', await readPdf(await buffer(blocks)), options);
}

async function readText(
  start: Buffer,
  blocks: AsyncIterable<Buffer>,
  fileName: string,
  options: ReadingOptions,
): Promise<StatementReading> {
  refuseOtherFiles(start);
  const texts = textsOf(blocks);
  const head = ((await texts.next()).value as string | undefined) ?? '';
  if (!head.trim()) throw emptyFile();
  const format = detectFormat(head) ?? 'csv';
  if (format !== 'csv') refuseLayout(options);
  const all = resumed(head, texts);
  if (format !== 'csv') return readingOf(format, READERS[format](all, options), options);
  const table = readCsv(head, all, fileName, tableOptions(options));
  if (!table) throw unknownFormat();
  return readingOf(format, table, options);
}

const tableOptions = (options: ReadingOptions): TableOptions => ({ ...options, shipped: SHIPPED_BY_FINGERPRINT, minorDigitsOf });

function readingOf(format: StatementFormat, reading: DraftReading, { today, currency, period }: ReadingOptions): StatementReading {
  // Tables are checked while they are read, where more is known of their rows.
  const checks = format === 'csv' || format === 'xlsx' ? null : new LineChecks(today);
  const ids = WITHOUT_IDS.has(format) ? null : new RepeatedIds();
  const days = new SaidPeriod(period);
  const inCurrency = <T extends { readonly currency: string | null }>(item: T): T =>
    currency !== undefined && item.currency === null ? { ...item, currency } : item;
  const balances = (): StatementBalance[] =>
    reading.balances().map((balance) => inCurrency({ ...balance, account: tidyAccount(balance.account) }));
  const known = (): readonly ReadingWarning[] =>
    (reading.warnings?.() ?? []).filter(({ code }) => currency === undefined || code !== 'currency_unknown');
  const warnings = (): readonly ReadingWarning[] => [
    ...known(),
    ...days.warnings(reading.period()),
    ...(ids?.warnings ?? []),
    ...(checks?.warnings(balances()) ?? []),
  ];
  const isProven = (): boolean => (reading.isProven?.() ?? false) || (checks?.areProvenBy(balances()) ?? false);
  return {
    format,
    lines: withJobFailures(batchesOf(reading.lines, inCurrency, { checks, ids, days })),
    balances,
    period: () => days.unless(reading.period()),
    columns: reading.columns ?? [],
    layout: reading.layout ?? null,
    warnings: () => bounded(warnings()),
    certainty: () => certaintyOf(warnings(), isProven()),
  };
}

/** A layout that is not used would be a surprise. */
function refuseLayout({ layout }: ReadingOptions): void {
  if (layout) throw new JobFailure('layout_does_not_fit', 'The file is no table, so it cannot be read by a layout.');
}

const emptyFile = (): JobFailure => new JobFailure('empty_file', 'The file is empty.');

/** The first warnings, and how many more there are. */
function bounded(warnings: readonly ReadingWarning[]): readonly ReadingWarning[] {
  if (warnings.length <= MAX_WARNINGS) return warnings;
  const shown = warnings.slice(0, MAX_WARNINGS - 1);
  return [...shown, { code: 'more_warnings', message: `${warnings.length - shown.length} more warnings are not shown.` }];
}

/** The whole sequence, including the first item, which was already taken. */
async function* resumed<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

async function* batchesOf(
  drafts: AsyncIterable<readonly LineDraft[]>,
  completed: (draft: LineDraft) => LineDraft,
  { checks, ids, days }: { readonly checks: LineChecks | null; readonly ids: RepeatedIds | null; readonly days: SaidPeriod },
): AsyncGenerator<readonly StatementLine[]> {
  let batch: StatementLine[] = [];
  let [count, read] = [0, 0];
  for await (const some of drafts) {
    for (const found of some) {
      const draft = { ...found, bankReference: givenId(found.bankReference) };
      read += 1;
      if (ids?.isRepeated(draft, read)) continue;
      count += 1;
      if (count > MAX_LINES) throw new JobFailure('too_many_lines', `The file has more than ${MAX_LINES} lines.`);
      const line = finishLine(completed(draft), count);
      checks?.take(line);
      days.take(line);
      batch.push(line);
      if (batch.length < BATCH_LINES) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

const FIRST_LINES = 5;

/** How a file is read. Unlike everything that is stored, it has the content of lines as the bank wrote it. */
export interface CheckedStatement extends Pick<StatementReading, 'format' | 'columns' | 'layout'> {
  readonly lines: number;
  readonly period: Period | null;
  readonly accounts: readonly AccountSum[];
  readonly warnings: readonly ReadingWarning[];
  readonly certainty: Certainty;
  readonly firstLines: readonly StatementLine[];
}

/** Reads a file as an import would, and stores nothing. */
export async function checkStatement(
  file: Uint8Array,
  fileName: string,
  options: ReadingOptions,
): Promise<CheckedStatement | { readonly failure: Failure }> {
  try {
    return await checked(await readStatement(Readable.from([file]), fileName, options));
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return { failure: { code: error.code, message: error.message } };
  }
}

async function checked(reading: StatementReading): Promise<CheckedStatement> {
  const sums = new AccountSums();
  const firstLines: StatementLine[] = [];
  let [lines, days]: [number, Period | null] = [0, null];
  for await (const batch of reading.lines) {
    lines += batch.length;
    firstLines.push(...batch.slice(0, FIRST_LINES - firstLines.length));
    for (const line of batch) {
      sums.add(line);
      days = widened(days, line.bookedOn, line.bookedOn);
    }
  }
  const { format, columns, layout } = reading;
  return {
    ...{ format, lines, period: reading.period() ?? days, columns, layout },
    accounts: sums.with(reading.balances()),
    warnings: reading.warnings(),
    certainty: reading.certainty(),
    firstLines,
  };
}
