import { readStatement } from '../formats/read-statement.js';
import type { ReadingOptions } from '../formats/reading-options.js';
import type { StatementLine } from '../formats/statement-line.js';
import { checkRedactedLine } from '../redaction/check-redacted-line.js';
import type { RedactedLine } from '../redaction/redacted-line.js';
import { REDACTION_VERSION, Redactor } from '../redaction/redactor.js';
import { ownAccountToken } from '../redaction/tokens/own-account.js';
import { tokenOf } from '../../../kernel/tokens.js';
import type { Redaction } from '../statement.entity.js';
import { StatementFactsBuilder, type StatementFacts } from './statement-facts.js';

/** Everything that is needed to read a file, but its bytes. */
export interface FileToRead {
  readonly fileName: string;
  readonly options: ReadingOptions;
  /** The tenant's redaction key. */
  readonly key: Uint8Array;
  /** Whether the importer says that it was redacted already. Then nothing is masked but the own account. */
  readonly isRedacted: boolean;
  /** What the organization has decided about counterparties that are not recognised as organisations. */
  readonly redactCounterparties: boolean;
}

/** What was read, after all lines were. */
export interface ReadFile {
  readonly facts: StatementFacts;
  readonly redaction: Pick<Redaction, 'engineVersion' | 'counts'>;
}

/** Reads a file and yields its lines redacted, in batches. */
export default async function* readAndRedact(
  { fileName, options, key, isRedacted, redactCounterparties }: FileToRead,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly RedactedLine[], ReadFile> {
  const reading = await readStatement(bytes, fileName, options);
  const redactor = new Redactor(key, { redactCounterparties });
  const redact = isRedacted ? (line: StatementLine) => checkRedactedLine(line, key) : (line: StatementLine) => redactor.redact(line);
  const facts = new StatementFactsBuilder();
  for await (const batch of reading.lines) {
    const redacted = batch.map(redact);
    facts.add(redacted);
    yield redacted;
  }
  return {
    facts: facts.build(reading, (account) => ownAccountToken(account, (own) => tokenOf(key, 'account', own))),
    redaction: { engineVersion: REDACTION_VERSION, counts: redactor.counts },
  };
}
