import { readStatement } from '../formats/read-statement.js';
import type { ReadingOptions } from '../formats/reading-options.js';
import type { StatementLine } from '../formats/statement-line.js';
import { checkRedactedLine } from '../redaction/check-redacted-line.js';
import type { RedactedLine } from '../redaction/redacted-line.js';
import { REDACTION_VERSION, Redactor } from '../redaction/redactor.js';
import { accountKeyOf } from '../redaction/tokens/account-key.js';
import { looksMasked, ownAccountToken } from '../redaction/tokens/own-account.js';
import { plainText } from '../redaction/searchable-text.js';
import type { Verdict } from '../redaction/names/counterparties.js';
import { tokenOf } from '../../../kernel/tokens.js';
import type { Redaction } from '../statement.entity.js';
import { StatementFactsBuilder, type OwnAccount, type StatementFacts } from './statement-facts.js';

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
  /** What it has said that some counterparties are, by their tokens. */
  readonly decisions: ReadonlyMap<string, Verdict>;
}

/** What was read, after all lines were. */
export interface ReadFile {
  readonly facts: StatementFacts;
  readonly redaction: Pick<Redaction, 'engineVersion' | 'counts'>;
}

/** Reads a file and yields its lines redacted, in batches. */
export default async function* readAndRedact(
  { fileName, options, key, isRedacted, redactCounterparties, decisions }: FileToRead,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly RedactedLine[], ReadFile> {
  const reading = await readStatement(bytes, fileName, options);
  const redactor = new Redactor(key, { redactCounterparties, decisions });
  const redact = isRedacted ? (line: StatementLine) => checkRedactedLine(line, key) : (line: StatementLine) => redactor.redact(line);
  const facts = new StatementFactsBuilder((account) => ownAccountOf(account, key, isRedacted));
  for await (const batch of reading.lines) {
    const redacted = batch.map(redact);
    facts.add(redacted, new Set(batch.map(({ account }) => account)));
    yield redacted;
  }
  return {
    facts: facts.build(reading),
    redaction: { engineVersion: REDACTION_VERSION, counts: redactor.counts },
  };
}

function ownAccountOf(account: string, key: Uint8Array, isRedacted: boolean): OwnAccount | null {
  if (isRedacted && looksMasked(account)) return { account: plainText(account), key: null };
  const token = ownAccountToken(account, (own) => tokenOf(key, 'account', own));
  return token === null ? null : { account: token, key: accountKeyOf(account, key) };
}
