import { findingsOf, type Finding } from '../finding.js';
import type { SearchableText } from '../searchable-text.js';
import { isRouting } from './checksums.js';

export const ALONE = '(?<![\\p{L}\\p{N}])';
const AFTER = '(?![\\p{L}\\p{N}])';
export const ACCOUNT_WORDS =
  'account|acct|acc|a/c|konto|kto|kontonummer|kontonr|ktonr|rekening|rekeningnummer|rek|compte|cuenta|conto|conta|tilinumero|számlaszám|' +
  'szamlaszam|bankszámla|bankszamla|číslo účtu|cislo uctu|č\\.ú\\.?|č\\. účtu';
/** What may come between such a word and its number: `No.:`, `Nr `, `#`. */
export const NUMBER_WORDS = '(?:[ -]?(?:number|nummer|num|no|nr|n°|n))?[ .:#=-]{0,3}';

const SORT_CODE = '\\d\\d-\\d\\d-\\d\\d';
const PLAIN_SORT_CODE = '\\d{2}[ -]?\\d{2}[ -]?\\d{2}';
const BETWEEN = `[ ,/.:;-]{0,3}(?:(?:${ACCOUNT_WORDS})${NUMBER_WORDS})?`;
const UK_ACCOUNT = new RegExp(`${ALONE}(${SORT_CODE}${BETWEEN}\\d{8})${AFTER}`, 'giu');
const UK_ACCOUNT_BY_NAME = new RegExp(
  `${ALONE}(?:sort ?code|sort|s/c|sc)${NUMBER_WORDS}(${PLAIN_SORT_CODE}${BETWEEN}\\d{8})${AFTER}`,
  'giu',
);
const UK_ACCOUNT_BY_ACCOUNT = new RegExp(`${ALONE}(\\d{6}[ ,/]{1,3}(?:${ACCOUNT_WORDS})${NUMBER_WORDS}\\d{8})${AFTER}`, 'giu');
/** Day-month-year or year-month-day. */
const DATE = /^(?:(?:0[1-9]|[12]\d|3[01])-(?:0[1-9]|1[0-2])-\d\d|\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))/;

/** A sort code and an account. If it can also be a date and a number, only after a word for it. */
export function findUkAccounts({ hasDigits, text }: SearchableText): readonly Finding[] {
  if (!hasDigits) return [];
  return [
    ...findingsOf('uk_account', UK_ACCOUNT_BY_NAME, text),
    ...findingsOf('uk_account', UK_ACCOUNT, text, (found) => !DATE.test(found) || /[a-z]/i.test(found)),
    ...findingsOf('uk_account', UK_ACCOUNT_BY_ACCOUNT, text),
  ].map((finding) => ({ ...finding, value: text.slice(finding.start, finding.end).replace(/\D/g, '') }));
}

const ROUTING = new RegExp(
  `${ALONE}(?:routing|aba|rtn|rtg|fedwire|transit)(?: ?(?:transit|routing|number|num|no|nr|id|code|/|` +
    `rtn)){0,3}[ .:#=-]{0,3}(\\d{9})${AFTER}`,
  'giu',
);
export const findUsRoutings = ({ hasDigits, text }: SearchableText): readonly Finding[] =>
  hasDigits ? findingsOf('us_routing', ROUTING, text, isRouting) : [];

const ACCOUNT = new RegExp(`${ALONE}(?:${ACCOUNT_WORDS})${NUMBER_WORDS}(\\d(?:[ -]?\\d){5,16})${AFTER}`, 'giu');
/** An account number of any country, after a word for account. */
export const findAccounts = ({ hasDigits, text }: SearchableText): readonly Finding[] =>
  hasDigits ? findingsOf('account', ACCOUNT, text) : [];
