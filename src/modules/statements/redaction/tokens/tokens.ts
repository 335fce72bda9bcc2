import { createHmac } from 'node:crypto';

/** Crockford's base32: no letter that is easily taken for a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 60 bits: among a million names of an organization two share a token once in two million organizations. */
const LENGTH = 12;

export type TokenKind = 'person' | 'account';

/**
 * What stands for a person or an account: equal ones have equal tokens under one key, and without the key nobody can tell whose
 * token it is or make the token of a name that he guesses. No more than three digits stand side by side, so that no number is seen in it.
 */
export function tokenOf(key: Buffer, kind: TokenKind, value: string): string {
  const prefix = kind.toUpperCase();
  const same = kind === 'person' ? normalizedName(value) : normalizedAccount(value);
  for (let attempt = 0; ; attempt += 1) {
    const digest = createHmac('sha256', key).update(`${kind}\n${attempt}\n${same}`).digest();
    const letters = Array.from(digest.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
    if (!/\d{4}/.test(letters)) return `${prefix}-${letters}`;
  }
}

/** A name without its case, punctuation and spacing; `Doe, Jane` is `Jane Doe`. */
function normalizedName(name: string): string {
  const folded = name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  const parts = folded.split(',');
  const inOrder = parts.length === 2 ? `${parts[1]} ${parts[0]}` : folded;
  return inOrder.replace(/[\p{P}\p{S}\p{Z}\p{C}]+/gu, ' ').trim();
}

/** An account without the blanks and signs that it is written with. */
export const normalizedAccount = (account: string): string =>
  account
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
