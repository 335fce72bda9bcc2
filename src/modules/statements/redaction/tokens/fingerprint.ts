import type { StatementLine } from '../../formats/statement-line.js';
import { usualSpelling } from '../finding.js';
import { digestWith, normalizedAccount } from '../../../../kernel/tokens.js';

const HEX_DIGITS = 32;

/**
 * Equal for the same booking, also across statements: by the bank's id if there is one, else by all fields. Depends on the
 * tenant's key, so that nobody can find the content of a line by trying.
 */
export function fingerprintOf(line: StatementLine, key: Uint8Array): string {
  const { account, bookedOn, amount, currency, bankReference } = line;
  const said = bankReference?.trim()
    ? [bankReference.trim()]
    : [
        normalizedText(line.description),
        normalizedText(line.counterparty),
        normalizedAccount(line.counterpartyAccount ?? ''),
        normalizedText(line.reference),
      ];
  const whole = JSON.stringify([normalizedAccount(account ?? ''), bookedOn, normalizedAmount(amount), currency, ...said]);
  return digestWith(key, `line\n${whole}`).toString('hex').slice(0, HEX_DIGITS);
}

const normalizedText = (text: string | null): string => usualSpelling(text ?? '').toUpperCase();

/** A decimal without plus sign and unnecessary zeros. */
function normalizedAmount(amount: string): string {
  const [, minus, whole, fraction] = /^\s*([+-]?)0*(\d*?)(?:\.(\d*?)0*)?\s*$/.exec(amount) ?? ['', '', amount, ''];
  const digits = `${whole || '0'}${fraction ? `.${fraction}` : ''}`;
  return minus === '-' && digits !== '0' ? `-${digits}` : digits;
}
