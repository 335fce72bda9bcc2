import { JobFailure } from '../../../kernel/failure.js';
import { readCamt } from './camt/read-camt.js';
import { readCsv } from './csv/read-csv.js';
import { blocksOf, textsOf } from './decode.js';
import { finishLine, tidyAccount, type DraftReading, type LineDraft } from './line-draft.js';
import { MAX_LINES, MAX_WARNINGS } from './limits.js';
import { readMt940 } from './mt940/read-mt940.js';
import { readOfx } from './ofx/read-ofx.js';
import { detectFormat, refuseOtherFiles } from './detect-format.js';
import type { ReadingOptions } from './reading-options.js';
import type { ReadingWarning, StatementFormat, StatementLine, StatementReading } from './statement-line.js';

const BATCH_LINES = 500;

const READERS: Readonly<Record<Exclude<StatementFormat, 'csv'>, (texts: AsyncIterable<string>) => DraftReading>> = {
  ofx: readOfx,
  mt940: readMt940,
  camt053: readCamt,
};

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
    refuseOtherFiles(first.value);
    const texts = textsOf(resumed(first.value, blocks));
    const head = ((await texts.next()).value as string | undefined) ?? '';
    if (!head.trim()) throw emptyFile();
    const format = detectFormat(head) ?? 'csv';
    const all = resumed(head, texts);
    const reading = format === 'csv' ? readCsv(head, all, fileName, options) : READERS[format](all);
    return {
      format,
      lines: batchesOf(reading.lines),
      balances: () => reading.balances().map((balance) => ({ ...balance, account: tidyAccount(balance.account) })),
      period: reading.period,
      warnings: () => bounded(reading.warnings?.() ?? []),
    };
  } catch (error) {
    await blocks.return(undefined);
    throw error;
  }
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

async function* batchesOf(drafts: AsyncIterable<readonly LineDraft[]>): AsyncGenerator<readonly StatementLine[]> {
  let batch: StatementLine[] = [];
  let count = 0;
  for await (const some of drafts) {
    for (const draft of some) {
      count += 1;
      if (count > MAX_LINES) throw new JobFailure('too_many_lines', `The file has more than ${MAX_LINES} lines.`);
      batch.push(finishLine(draft, count));
      if (batch.length < BATCH_LINES) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
