import { normalizedAccount } from './tokens.js';

/** What is left of the own account, for its owner to tell it by. */
const SHOWN = 4;
/** Of a shorter number its end would tell too much. */
const SHORTEST_TO_SHOW = 8;

const TOKEN = /^ACCOUNT-[0-9A-Z]{10,}(?: \([0-9A-Z]{4}\))?$/;
/** Stars, crosses or dots, and no more characters in the clear than what identifies nobody. */
const MASKED = /(?:[*•●·#]|(?<![\p{L}\p{N}])[xX]{2})[*•●·#xX. -]*/u;
const MOST_IN_CLEAR = 6;

/** The token of the own account, with its last four characters. */
export function ownAccountToken(account: string | null, tokenOf: (account: string) => string): string | null {
  const same = normalizedAccount(account ?? '');
  if (account === null || same === '') return null;
  const token = tokenOf(account);
  return same.length < SHORTEST_TO_SHOW ? token : `${token} (${same.slice(-SHOWN)})`;
}

/** Whether an account's number is written as somebody has masked it. */
export function looksMasked(account: string): boolean {
  if (TOKEN.test(account)) return true;
  return MASKED.test(account) && normalizedAccount(account.replace(/x/gi, '')).length <= MOST_IN_CLEAR;
}
