import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { type Finding, findingsOf, matchesOf, PERSON_MASK, type SearchableText } from '../finding.js';
import { wordsBefore } from '../names/words-before.js';

// oxfmt-ignore
/** Countries that are tried for numbers without a country code. */
const HOME_COUNTRIES: readonly CountryCode[] = [
  'DE', 'GB', 'US', 'FR', 'NL', 'ES', 'IT', 'AT', 'CH', 'BE', 'IE', 'SE', 'DK', 'NO', 'FI', 'PL', 'PT', 'CZ', 'AU',
];
const NUMBER = '\\d(?:[ ()./-]{0,3}\\d){6,16}';
/** After a word for phone; or with a plus that does not follow a letter, since banks write keys such as EREF+ before numbers. */
const WITH_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${wordsBefore('phone')})(?: ?(?:number|nummer|no|nr|num))?[ .:#=-]{0,3}((?:[+(]{0,2}|\\(0\\) ?)${NUMBER})`,
  'giu',
);
const WITH_PLUS = new RegExp(`(?<![\\p{L}\\p{N}])(\\+ ?\\(?${NUMBER})`, 'gu');
/** The North American notation, which no other numbers have. */
const WITH_AREA = /(?<![\p{L}\p{N}])(\(\d{3}\) ?\d{3}[ -]\d{4})(?![\p{L}\p{N}])/gu;
const WITH_ZEROS = new RegExp(`(?<![\\p{L}\\p{N}])(00[1-9]\\d{0,2}[ ./-]\\(?${NUMBER})`, 'gu');
/** What people are paid by who are found by their number. Any number is one of a phone then, unless it follows a word for a reference. */
const BY_PHONE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${wordsBefore('phone app')})(?![\\p{L}\\p{N}])`, 'iu');
const ALONE =
  /(?<![\p{L}\p{N}]|\p{N}[.,/-]|(?:id|ref|conf|nr|no|code|ocr)[.:# ]{0,3})(\(?\d(?:[ ().-]{0,2}\d){7,13})(?![\p{L}\p{N}]|[.,/-]\d)/giu;
const DATE = /^\d{1,4}[.-]\d{1,2}[.-]\d{1,4}/;
/** A number directly after the name of a person is theirs. */
const AFTER_NAME = new RegExp(`${PERSON_MASK},? (\\(?\\d(?:[ ().-]{0,2}\\d){8,12})(?![\\p{L}\\p{N}]|[.,/-]\\d)`, 'gu');

/** National forms that references do not have: with a slash or hyphen after the area code, or in the groups of the country. */
const NATIONAL: readonly { readonly pattern: RegExp; readonly countries: readonly CountryCode[] }[] = [
  { pattern: national('0\\d{1,4} ?/ ?\\d{5,9}(?:[ -]\\d{1,4}){0,3}'), countries: ['DE', 'AT', 'CH', 'BE'] },
  { pattern: national('0\\d{1,4}-\\d{5,9}'), countries: ['DE', 'NL', 'SE', 'AT'] },
  { pattern: national('0\\d{1,3}-\\d{2,3}(?: \\d{2,3}){1,3}'), countries: ['SE', 'FI', 'NL'] },
  { pattern: national('0[1-9](?:([ .])\\d\\d)(?:\\1\\d\\d){3}', true), countries: ['FR'] },
  { pattern: national('07\\d{3} \\d{6}|07\\d{3} \\d{3} \\d{3}|02\\d \\d{4} \\d{4}|01\\d1 \\d{3} \\d{4}'), countries: ['GB'] },
  { pattern: national('[2-9]\\d\\d([.-])[2-9]\\d\\d\\1\\d{4}', true), countries: ['US'] },
];

function national(form: string, hasGroup = false): RegExp {
  // The separator that a form repeats is the second group, after the number itself.
  const numbered = hasGroup ? form.replaceAll('\\1', '\\2') : form;
  return new RegExp(`(?<![\\p{L}\\p{N}]|[\\p{N}\\p{L}][+./-])(${numbered})(?![\\p{L}\\p{N}]|[./-]\\d)`, 'gu');
}

/** Quick check before the national forms are tried. */
const MAY_BE_NATIONAL = /0\d{1,4} ?[-/] ?\d|0[1-9][ .]\d\d[ .]|0[127]\d{1,3} \d|[2-9]\d\d[.-][2-9]\d\d[.-]\d{4}/;
const FROM_DATE_ON = / (?:0?[1-9]|[12]\d|3[01])[./-](?:0?[1-9]|1[0-2])[./-].*$/;

/** Numbers that are valid in a numbering plan, if the text marks them as phone numbers. */
export function findPhones({ hasDigits, text }: SearchableText): Finding[] {
  if (!hasDigits) return [];
  return [
    ...phonesIn(text, WITH_WORD, isAnyPhone),
    ...phonesIn(text, WITH_PLUS, (number) => isPhone(number)),
    ...phonesIn(text, WITH_ZEROS, (number) => isPhone(number)),
    ...phonesIn(text, WITH_AREA, (number) => isPhone(number, 'US')),
    ...(text.includes(PERSON_MASK) ? phonesIn(text, AFTER_NAME, isAnyPhone) : []),
    ...(BY_PHONE.test(text) ? phonesIn(text, ALONE, (number) => !DATE.test(number) && isAnyPhone(number)) : []),
    ...(MAY_BE_NATIONAL.test(text) ? nationalPhones(text) : []),
  ];
}

const isAnyPhone = (number: string): boolean => HOME_COUNTRIES.some((country) => isPhone(number, country));
const nationalPhones = (text: string): Finding[] =>
  NATIONAL.flatMap(({ pattern, countries }) => phonesIn(text, pattern, (number) => countries.some((country) => isPhone(number, country))));

function phonesIn(text: string, pattern: RegExp, accepts: (number: string) => boolean): Finding[] {
  return matchesOf(pattern, text).flatMap((match) => {
    const found = match[1]!;
    const start = match.index + match[0].length - found.length;
    const length = lengthsOf(found.replace(FROM_DATE_ON, '')).find((end) => accepts(found.slice(0, end)));
    return length === undefined || /[\p{L}\p{N}]/u.test(text[start + length] ?? '') ? [] : [{ kind: 'phone', start, end: start + length }];
  });
}

/** Possible ends of the number, longest first: another number may follow it. */
const lengthsOf = (found: string): number[] =>
  matchesOf(/\d+/g, found)
    .map(({ index, 0: group }) => index + group.length)
    .reverse();

function isPhone(number: string, country?: CountryCode): boolean {
  const written = number.replace(/^00/, '+').replace(/\s/g, '');
  return parsePhoneNumberFromString(written, country)?.isValid() ?? false;
}

/** Banks without @ in their character set write (at). */
const AT = '(?:@| ?[([]at[)\\]] ?)';
const LOCAL = "[\\p{L}\\p{N}._%+'-]{1,64}";
const DOMAIN = '(?:[\\p{L}\\p{N}-]{1,63}\\.){1,8}\\p{L}{2,24}';
const ADDRESS = new RegExp(`(${LOCAL}${AT}${DOMAIN})`, 'giu');
const WORTH_LOOKING = new RegExp(AT, 'i');

export const findEmails = ({ text }: SearchableText): readonly Finding[] =>
  WORTH_LOOKING.test(text) ? findingsOf('email', ADDRESS, text) : [];
