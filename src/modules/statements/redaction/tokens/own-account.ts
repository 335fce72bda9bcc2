import { normalizedAccount } from '../../../../kernel/tokens.js';

/** How many characters of the own account are shown, so that its owner recognises it. */
const SHOWN = 4;
/** The end of a shorter number would reveal too much. */
const SHORTEST_TO_SHOW = 8;

const TOKEN = /^ACCOUNT-[0-9A-Z]{10,}(?: \([0-9A-Z]{4}\))?$/;
/** Stars, crosses or dots. Few enough characters in the clear to identify nobody. */
const MASKED = /(?:[*•●·#]|(?<![\p{L}\p{N}])[xX]{2})[*•●·#xX. -]*/u;
const MAX_IN_CLEAR = 6;

/** The token of the own account, with its last four characters. */
export function ownAccountToken(account: string | null, tokenOf: (account: string) => string): string | null {
  const same = normalizedAccount(account ?? '');
  if (account === null || same === '') return null;
  const token = tokenOf(account);
  return same.length < SHORTEST_TO_SHOW ? token : `${token} (${same.slice(-SHOWN)})`;
}

/** Whether an account number is already masked. */
export function looksMasked(account: string): boolean {
  if (TOKEN.test(account)) return true;
  return MASKED.test(account) && normalizedAccount(account.replace(/x/gi, '')).length <= MAX_IN_CLEAR;
}
