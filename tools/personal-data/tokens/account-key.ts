import { isValidIBAN } from 'ibantools';
import { digestWith, normalizedAccount, tokenOf } from './tokens.js';

/** How many characters of the own account are shown, so that its owner recognises it. */
const SHOWN = 4;
/** The end of a shorter number would reveal too much. */
const SHORTEST_TO_SHOW = 8;
const TOKEN = /^ACCOUNT-[0-9A-Z]{10,}(?: \([0-9A-Z]{4}\))?$/;
/** Stars, crosses or dots. Few enough characters in the clear to identify nobody. */
const MASKED = /(?:[*•●·#]|(?<![\p{L}\p{N}])[xX]{2})[*•●·#xX. -]*/u;
const MAX_IN_CLEAR = 6;

export function ownAccountToken(account: string | null, tokenOf: (account: string) => string): string | null {
  const same = normalizedAccount(account ?? '');
  if (account === null || same === '') return null;
  const token = tokenOf(account);
  return same.length < SHORTEST_TO_SHOW ? token : `${token} (${same.slice(-SHOWN)})`;
}

export function looksMasked(account: string): boolean {
  if (TOKEN.test(account)) return true;
  return MASKED.test(account) && normalizedAccount(account.replace(/x/gi, '')).length <= MAX_IN_CLEAR;
}

export interface OwnAccount {
  readonly account: string;
  /** Equal however a file writes the number; null if it does not write all of it. */
  readonly key: string | null;
}

/** null for a text without letters and digits. */
export function ownAccountOf(account: string, key: Uint8Array): OwnAccount | null {
  const token = ownAccountToken(account, (own) => tokenOf(key, 'account', own));
  return token === null ? null : { account: token, key: accountKeyOf(account, key) };
}

const HEX_DIGITS = 32;
/** Shorter numbers may be of different accounts. */
const SHORTEST = 6;
/** How many characters at the end of an IBAN are the number that the country's banks print. Of other countries all of it is. */
// oxfmt-ignore
const NUMBER_LENGTHS: Readonly<Record<string, number>> = {
  AT: 11, BE: 12, CH: 12, DE: 10, DK: 10, ES: 10, GB: 8, IE: 8, IT: 12, NL: 10, NO: 11,
};

/** Equal however a file writes it: as IBAN, `37040044/532013000` or `532013000`. null if it does not write the whole number. */
export function accountKeyOf(account: string, key: Uint8Array): string | null {
  const number = numberOf(account);
  return number === null ? null : digestWith(key, `own account\n${number}`).toString('hex').slice(0, HEX_DIGITS);
}

function numberOf(account: string): string | null {
  if (looksMasked(account)) return null;
  const whole = normalizedAccount(account);
  const length = isValidIBAN(whole) ? NUMBER_LENGTHS[whole.slice(0, 2)] : undefined;
  // A bank writes its own number before the account's.
  const written = length === undefined ? normalizedAccount(account.split('/').at(-1)!) : whole.slice(-length);
  const number = written.replace(/^0+/, '');
  return number.length < SHORTEST ? null : number;
}
