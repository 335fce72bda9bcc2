import { serialize } from 'node:v8';
import { JobFailure } from '../../../kernel/failure.js';
import { MAX_UNPACKED_BYTES, MAX_UNPACKED_SIZE } from '../formats/limits.js';
import { readStatement } from '../formats/read-statement.js';
import type { ReadingOptions } from '../formats/statement-reader.js';
import type { StatementLine } from '../formats/statement-line.js';
import type { RedactedLine } from '../redaction/redacted-line.js';
import { checkRedactedLine, type MaskedName, REDACTION_VERSION, Redactor } from '../redaction/redactor.js';
import { looksMasked, type OwnAccount, ownAccountOf } from '../redaction/tokens/account-key.js';
import { plainText } from '../redaction/finding.js';
import type { Verdict } from '../redaction/names/counterparties.js';
import type { Redaction } from '../statement.entity.js';
import { StatementFactsBuilder, type StatementFacts } from './statement-facts.js';

/** Everything that is needed to read a file, but its bytes. */
export interface FileToRead {
  readonly fileName: string;
  readonly options: ReadingOptions;
  /** The account of the lines that name none, if the importer says it. */
  readonly account: OwnAccount | null;
  /** The tenant's redaction key. */
  readonly key: Uint8Array;
  /** Whether the importer says that it was redacted already. Then nothing is masked but the own account. */
  readonly isRedacted: boolean;
  /** What the organization has decided about counterparties that are not recognised as organisations. */
  readonly redactCounterparties: boolean;
  /** What it has said that some counterparties are, by their tokens. */
  readonly decisions: ReadonlyMap<string, Verdict>;
  /** Whether it keeps the names that are masked. */
  readonly keepNames: boolean;
}

/** What was read, after all lines were. */
export interface ReadFile {
  readonly facts: StatementFacts;
  readonly redaction: Pick<Redaction, 'engineVersion' | 'counts'>;
  readonly names: readonly MaskedName[];
}

/** Redacted lines, serialized. */
export interface RedactedBatch {
  readonly lines: Uint8Array;
}

/** Reads a file and yields its lines redacted, in batches. They wait in memory until all were read, so they have a bound together. */
export default async function* readAndRedact(
  { fileName, options, account, key, isRedacted, redactCounterparties, decisions, keepNames }: FileToRead,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<RedactedBatch, ReadFile> {
  const reading = await readStatement(bytes, fileName, options);
  const redactor = new Redactor(key, { redactCounterparties, decisions, keepNames });
  const redact = isRedacted ? (line: StatementLine) => checkRedactedLine(line, key) : (line: StatementLine) => redactor.redact(line);
  const facts = new StatementFactsBuilder((text) => accountIn(text, key, isRedacted), account);
  let size = 0;
  for await (const batch of reading.lines) {
    const redacted: RedactedLine[] = batch
      .map(redact)
      .map((line) => (line.account === null && account ? { ...line, account: account.account } : line));
    facts.add(redacted, new Set(batch.map(({ account }) => account)));
    const lines = new Uint8Array(serialize(redacted));
    size += lines.byteLength;
    if (size > MAX_UNPACKED_BYTES)
      throw new JobFailure('file_too_large', `The lines of the file are together larger than ${MAX_UNPACKED_SIZE}.`);
    yield { lines };
  }
  return {
    facts: facts.build(reading),
    redaction: { engineVersion: REDACTION_VERSION, counts: redactor.counts },
    names: redactor.names,
  };
}

function accountIn(text: string, key: Uint8Array, isRedacted: boolean): OwnAccount | null {
  return isRedacted && looksMasked(text) ? { account: plainText(text), key: null } : ownAccountOf(text, key);
}
