import type { StatementLine } from '../formats/statement-line.js';
import { looksMasked, ownAccountToken } from './tokens/own-account.js';
import { textDetectors } from './detectors/all.js';
import { fingerprintOf } from './tokens/fingerprint.js';
import { accountDetector, personDetector } from './detectors/known-values.js';
import { firstKindFound } from './masking.js';
import { looksLikePerson } from './names/people.js';
import { SearchableText, plainText } from './searchable-text.js';
import { type RedactedLine, residualDataFailure } from './redacted-line.js';
import { tokenOf } from '../../../kernel/tokens.js';

const orNull = (text: string | null): string | null => (text === null ? null : plainText(text) || null);

/**
 * Accepts a line of a statement that was imported as redacted. Only its own account is masked, which every file contains.
 * Anything else that a detector finds fails the statement.
 */
export function checkRedactedLine(line: StatementLine, key: Uint8Array): RedactedLine {
  const { lineNumber, bookedOn, amount, currency } = line;
  const account = orNull(line.account);
  const isMasked = account !== null && looksMasked(account);
  const counterpartyAccount = orNull(line.counterpartyAccount);
  if (counterpartyAccount !== null && !looksMasked(counterpartyAccount))
    throw residualDataFailure(lineNumber, 'account', 'counterpartyAccount');
  const texts = { description: plainText(line.description), counterparty: orNull(line.counterparty), reference: orNull(line.reference) };
  const owner = plainText(line.owner ?? '');
  const detectors = textDetectors([
    ...(account === null || isMasked ? [] : [accountDetector(account)]),
    ...(looksLikePerson(owner) ? [personDetector(owner)] : []),
  ]);
  for (const [field, text] of Object.entries({ ...texts, counterpartyAddress: orNull(line.counterpartyAddress) })) {
    const kind = firstKindFound(new SearchableText(text ?? ''), detectors);
    if (kind) throw residualDataFailure(lineNumber, kind, field);
  }
  return {
    lineNumber,
    account: isMasked ? account : ownAccountToken(account, (own) => tokenOf(key, 'account', own)),
    bookedOn,
    amount,
    currency,
    ...texts,
    counterpartyAccount,
    fingerprint: fingerprintOf(line, key),
  };
}
