import { createHmac } from 'node:crypto';
import type { StatementLine } from '../../formats/statement-line.js';
import { plainText } from '../searchable-text.js';
import { normalizedAccount } from './tokens.js';

const HEX_DIGITS = 32;

/**
 * Equal for what is the same booking, also in another statement: by the bank's own id where it has one, else by all that is said.
 * Only who has the organization's key can make it, so that nobody can try out what a line may have said.
 */
export function fingerprintOf(line: StatementLine, key: Buffer): string {
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
  return createHmac('sha256', key).update(`line\n${whole}`).digest('hex').slice(0, HEX_DIGITS);
}

const normalizedText = (text: string | null): string => plainText(text ?? '').toUpperCase();

/** A decimal without sign and zeros that say nothing. */
function normalizedAmount(amount: string): string {
  const [, minus, whole, fraction] = /^\s*([+-]?)0*(\d*?)(?:\.(\d*?)0*)?\s*$/.exec(amount) ?? ['', '', amount, ''];
  const digits = `${whole || '0'}${fraction ? `.${fraction}` : ''}`;
  return minus === '-' && digits !== '0' ? `-${digits}` : digits;
}
