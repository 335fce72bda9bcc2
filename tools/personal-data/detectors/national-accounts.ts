import { countrySpecs } from 'ibantools';
import { wordSections } from '../word-lists.js';
import { type Finding, findingsOf, matchesOf, type SearchableText, isLetterOrDigit, type Range } from '../finding.js';
import { END, START as ALONE } from '../names/phrases.js';
import { isCzechNumber, isHungarianAccount, isLuhn, isNorwegianAccount, isNrb, isRouting, mod97 } from '../../checksums/index.js';

const WORDS = wordSections<'account' | 'czech bank'>('account-words');
const ACCOUNT_WORDS = WORDS.get('account')!.join('|');
/** What may come between such a word and its number: `No.:`, `Nr `, `#`. */
const NUMBER_WORDS = '(?:[ -]?(?:number|nummer|num|no|nr|n°|n))?[ .:#=-]{0,3}';
const BETWEEN = `[ ,/.:;-]{0,3}(?:(?:${ACCOUNT_WORDS})${NUMBER_WORDS})?`;
const SORT_CODE = '\\d\\d-\\d\\d-\\d\\d';
const PLAIN_SORT_CODE = '\\d{2}[ -]?\\d{2}[ -]?\\d{2}';
const UK_ACCOUNT = new RegExp(`${ALONE}(${SORT_CODE}${BETWEEN}\\d{8})${END}`, 'giu');
const UK_ACCOUNT_BY_NAME = new RegExp(`${ALONE}(?:sort ?code|sort|s/c|sc)${NUMBER_WORDS}(${PLAIN_SORT_CODE}${BETWEEN}\\d{8})${END}`, 'giu');
const UK_ACCOUNT_BY_ACCOUNT = new RegExp(`${ALONE}(\\d{6}[ ,/]{1,3}(?:${ACCOUNT_WORDS})${NUMBER_WORDS}\\d{8})${END}`, 'giu');
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
    `rtn)){0,3}[ .:#=-]{0,3}(\\d{9})${END}`,
  'giu',
);
export const findUsRoutings = ({ hasDigits, text }: SearchableText): readonly Finding[] =>
  hasDigits ? findingsOf('us_routing', ROUTING, text, isRouting) : [];

const ACCOUNT = new RegExp(`${ALONE}(?:${ACCOUNT_WORDS})${NUMBER_WORDS}(\\d(?:[ -]?\\d){5,16})${END}`, 'giu');
/** An account number of any country, after a word for account. */
export const findAccounts = ({ hasDigits, text }: SearchableText): readonly Finding[] =>
  hasDigits ? findingsOf('account', ACCOUNT, text) : [];

interface NationalAccount {
  /** Global. Its last group, which ends the match, is the account; the bank may be a group before it. */
  readonly pattern: RegExp;
  readonly isValid?: (account: string, bank: string) => boolean;
}

const BEFORE = '(?<![\\p{L}\\p{N}]|\\p{N}[.,/-])';
const AFTER = '(?![\\p{L}\\p{N}]|[.,/-]\\p{N})';
const digitsIn = (text: string): string => text.replace(/\D/g, '');
/** Without a word before it, by its check digits. */
const checked = (form: string, isValid: (digits: string) => boolean): NationalAccount => ({
  pattern: new RegExp(`${BEFORE}(${form})${AFTER}`, 'gu'),
  isValid: (account) => isValid(digitsIn(account)),
});
const after = (words: string, number: string): RegExp => new RegExp(`${ALONE}(?:${words})${NUMBER_WORDS}(${number})${AFTER}`, 'giu');

/** Codes of Czech and Slovak banks. Any other number after a slash is a year or part of a reference. */
const CZECH_BANKS = new Set(WORDS.get('czech bank'));
const YEAR = /\/20\d\d$/;
/** A shorter number before something that may be a year is a document of that year. */
const LONGER_THAN_DOCUMENTS = 9;

const NATIONAL_ACCOUNTS: readonly NationalAccount[] = [
  // Poland.
  checked('\\d{2}(?:[ -]?\\d{4}){6}', isNrb),
  // Hungary: two or three groups of eight.
  checked('\\d{8}([ -])\\d{8}(?:\\2\\d{8})?', isHungarianAccount),
  // Czechia and Slovakia.
  { pattern: new RegExp(`${BEFORE}((?:\\d{1,6}-)?\\d{6,10}/\\d{4})${AFTER}`, 'gu'), isValid: isCzechAccount },
  // Norway, in its groups. Without them only after a word for account.
  checked('\\d{4}([. ])\\d\\d\\2\\d{5}', isNorwegianAccount),
  // Sweden: giro numbers, and accounts with the number of their branch.
  { pattern: after('bankgiro|bg', '\\d{3,4}-?\\d{4}'), isValid: (account) => isLuhn(digitsIn(account)) },
  { pattern: after('plusgiro|postgiro|pg', '\\d(?: ?\\d){0,6}-?\\d'), isValid: (account) => isLuhn(digitsIn(account)) },
  { pattern: after('clearing|clearingnr|clearingnummer|cl', `\\d{4}(?:-\\d)?${BETWEEN}\\d(?:[ -]?\\d){5,10}`) },
  // Denmark: the number of the branch and the account.
  { pattern: after('reg|reg\\.|regnr|reg\\.nr|registreringsnr|registreringsnummer', `\\d{4}${BETWEEN}\\d(?:[ -]?\\d){5,9}`) },
  // Brazil: the branch and the account, of which some banks write the name without a blank: `TBI 1430.35708-5JANE`.
  { pattern: new RegExp(`${BEFORE}(\\d{4}\\.\\d{5}-\\d)(?!\\d)`, 'gu'), isValid: (account) => isLuhn(digitsIn(account)) },
  // Australia: the bank, state and branch, and the account.
  { pattern: after('bsb', `\\d{3}[ -]?\\d{3}${BETWEEN}\\d(?:[ -]?\\d){4,9}`) },
  // United States: the account directly after a routing number.
  {
    pattern: new RegExp(`${ALONE}(?:routing|aba|rtn|rtg)${NUMBER_WORDS}(\\d{9})[ ,/:-]{1,3}(\\d{4,17})${AFTER}`, 'giu'),
    isValid: (_account, routing) => isRouting(routing),
  },
];
const WORTH_LOOKING = /\d{4}/;

/** Account numbers in the notation of their country: by their check digits, or after a word for them if they have none. */
export function findNationalAccounts({ hasDigits, text }: SearchableText): readonly Finding[] {
  if (!hasDigits || !WORTH_LOOKING.test(text)) return [];
  return NATIONAL_ACCOUNTS.flatMap(({ pattern, isValid = () => true }) =>
    matchesOf(pattern, text)
      .map((match) => ({ end: match.index + match[0].length, account: accountOf(match), bank: match[1]! }))
      .filter(({ account, bank }) => isValid(account, bank))
      .map(({ end, account }): Finding => ({ kind: 'account', start: end - account.length, end, value: account })),
  );
}

/** The last group, but for a group that is the sign between the others. */
const accountOf = (match: RegExpExecArray): string => (match.at(-1)!.length > 1 ? match.at(-1)! : match[1]!);

function isCzechAccount(account: string): boolean {
  const [number, bank] = account.split('/') as [string, string];
  const [main, prefix = '0'] = number.split('-').reverse() as [string, string?];
  if (!CZECH_BANKS.has(bank) || Number(main) === 0) return false;
  if (YEAR.test(account) && prefix === '0' && main.length < LONGER_THAN_DOCUMENTS) return false;
  return isCzechNumber(main) && isCzechNumber(prefix);
}

const FORMS = new Map(
  Object.entries(countrySpecs).flatMap(([country, { chars, bban_regexp: national }]) =>
    chars && national ? [[country, { length: chars, national: new RegExp(national) }] as const] : [],
  ),
);
const START = /[A-Z]{2}(?=\d\d)/g;
/** A hyphen or a blank, or both as at a line break. */
const WRITTEN = /^[\p{L}\p{N}](?:[ -]{0,3}[\p{L}\p{N}])*$/u;
/** The end of a word and the text after it are not an IBAN, as in `VISA 3434`. But `IBANDE02` contains one. */
const GLUED = /^[\p{L}]{2}\d\d/u;

/** In any case, with blanks, hyphens or line breaks anywhere, directly beside other words; but not the beginning of a longer number. */
export function findIbans(searchable: SearchableText): Finding[] {
  const findings: Finding[] = [];
  if (!searchable.hasDigits) return findings;
  const { letters, offsets } = searchable.compact;
  START.lastIndex = 0;
  for (let match = START.exec(letters); match; match = START.exec(letters)) {
    const iban = ibanAt(letters, match.index);
    const end = iban === undefined ? 0 : offsets[match.index + iban.length - 1]! + 1;
    if (iban === undefined || !standsAt(searchable.text, offsets[match.index]!, end)) {
      START.lastIndex = match.index + 1;
      continue;
    }
    findings.push({ kind: 'iban', start: offsets[match.index]!, end, value: iban });
    START.lastIndex = match.index + iban.length;
  }
  return findings;
}

function ibanAt(letters: string, start: number): string | undefined {
  const form = FORMS.get(letters.slice(start, start + 2));
  if (!form) return undefined;
  const iban = letters.slice(start, start + form.length);
  const national = iban.slice(4);
  return iban.length === form.length && form.national.test(national) && mod97(national + iban.slice(0, 4)) === 1 ? iban : undefined;
}

function standsAt(text: string, start: number, end: number): boolean {
  const written = text.slice(start, end);
  return WRITTEN.test(written) && !/^[.,]?\d/.test(text.slice(end, end + 2)) && (!isLetterOrDigit(text[start - 1]) || GLUED.test(written));
}

const ISSUED = new RegExp(
  `^(?:${[
    '4(?:\\d{12}|\\d{15}|\\d{18})', // Visa
    '5[1-5]\\d{14}|(?:222[1-9]|22[3-9]\\d|2[3-6]\\d\\d|27[01]\\d|2720)\\d{12}', // Mastercard
    '3[47]\\d{13}', // American Express
    '3(?:0[0-5]|[689]\\d)\\d{11,16}', // Diners
    '(?:6011|64[4-9]\\d|65\\d\\d)\\d{12,15}', // Discover
    '35(?:2[89]|[3-8]\\d)\\d{12,15}', // JCB
    '62\\d{14,17}', // UnionPay
    '(?:5018|5020|5038|5893|6304|6759|676[1-3])\\d{9,15}', // Maestro
    '220[0-4]\\d{12,15}', // Mir
  ].join('|')})$`,
);
const RUN = /\d(?:[ -]{0,2}\d){12,}/g;
const GROUP = /\d+/g;
const LONGEST = 19;

/** Card numbers by issuer and check digit, also in groups; never part of a group, which would be a longer number. */
export function findCards({ hasDigits, text }: SearchableText): Finding[] {
  return hasDigits ? matchesOf(RUN, text).flatMap((run) => findInRun(run[0], run.index, text)) : [];
}

function findInRun(run: string, offset: number, text: string): Finding[] {
  const groups = matchesOf(GROUP, run)
    .map(({ index, 0: digits }) => ({ digits, start: offset + index, end: offset + index + digits.length }))
    .filter(({ start, end }) => !isOfOther(text, start, end));
  const findings: Finding[] = [];
  for (let first = 0; first < groups.length; first += 1) {
    const last = lastOfCard(groups, first);
    if (last === undefined) continue;
    findings.push({ kind: 'card', start: groups[first]!.start, end: groups[last]!.end });
    first = last;
  }
  return findings;
}

/** A group of a date or an amount. */
const isOfOther = (text: string, start: number, end: number): boolean =>
  /^[.,/:]\d/.test(text.slice(end, end + 2)) || /\d[.,/:]$/.test(text.slice(Math.max(0, start - 2), start));

/** The last of the groups that make a card's number, the longest one if there are several. */
function lastOfCard(groups: readonly (Range & { readonly digits: string })[], first: number): number | undefined {
  let number = '';
  let last: number | undefined;
  for (let at = first; at < groups.length; at += 1) {
    number += groups[at]!.digits;
    if (number.length > LONGEST) break;
    if (ISSUED.test(number) && isLuhn(number)) last = at;
  }
  return last;
}
