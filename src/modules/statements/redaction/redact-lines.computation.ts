import type { StatementLine } from '../../../../tools/bank-files/index.js';
import { type RedactedLine, type MaskedName, type RedactionOptions, Redactor } from '../../../../tools/personal-data/index.js';
import { redactBatch } from './redact-batch.js';

export interface LinesToRedact extends RedactionOptions {
  readonly key: Uint8Array;
}

export interface Masked {
  readonly counts: Readonly<Record<string, number>>;
  readonly names: readonly MaskedName[];
}

/** Redacts the lines of a file that another thread reads, batch by batch. */
export default async function* redactLines(
  { key, ...options }: LinesToRedact,
  batches: AsyncIterable<readonly StatementLine[]>,
): AsyncGenerator<readonly RedactedLine[], Masked> {
  const redactor = new Redactor(key, options);
  for await (const batch of batches) yield redactBatch(batch, (line) => redactor.redact(line));
  return { counts: redactor.counts, names: redactor.names };
}
