import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { matchesOf, type Finding } from '../finding.js';
import type { SearchableText } from '../searchable-text.js';

/** Countries that are tried for numbers without a country code. */
const HOME_COUNTRIES: readonly CountryCode[] = [
  'DE',
  'GB',
  'US',
  'FR',
  'NL',
  'ES',
  'IT',
  'AT',
  'CH',
  'BE',
  'IE',
  'SE',
  'DK',
  'NO',
  'FI',
  'PL',
  'PT',
  'AU',
];
const WORDS =
  'telephone|telefonnummer|telefon|telefono|teléfono|téléphone|telefoon|tel|tél|tlf|tfn|phone|ph|fax|mobile|mobil|' +
  'movil|móvil|mobiel|mob|handy|gsm|cell|cellphone|call|whatsapp|sms|rufnummer';
const NUMBER = '\\d(?:[ ()./-]{0,3}\\d){6,16}';
/** After a word for phone; or with a plus that does not follow a letter, since banks write keys such as EREF+ before numbers. */
const WITH_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${WORDS})(?: ?(?:number|nummer|no|nr|num))?[ .:#=-]{0,3}((?:[+(]{0,2}|\\(0\\) ?)${NUMBER})`,
  'giu',
);
const WITH_PLUS = new RegExp(`(?<![\\p{L}\\p{N}])(\\+ ?\\(?${NUMBER})`, 'gu');
/** The North American notation, which no other numbers have. */
const WITH_AREA = /(?<![\p{L}\p{N}])(\(\d{3}\) ?\d{3}[ -]\d{4})(?![\p{L}\p{N}])/gu;
const WITH_ZEROS = new RegExp(`(?<![\\p{L}\\p{N}])(00[1-9]\\d{0,2}[ ./-]\\(?${NUMBER})`, 'gu');

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
    ...phonesIn(text, WITH_WORD, (number) => HOME_COUNTRIES.some((country) => isPhone(number, country))),
    ...phonesIn(text, WITH_PLUS, (number) => isPhone(number)),
    ...phonesIn(text, WITH_ZEROS, (number) => isPhone(number)),
    ...phonesIn(text, WITH_AREA, (number) => isPhone(number, 'US')),
    ...(MAY_BE_NATIONAL.test(text) ? nationalPhones(text) : []),
  ];
}

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
function lengthsOf(found: string): number[] {
  return matchesOf(/\d+/g, found)
    .map(({ index, 0: group }) => index + group.length)
    .reverse();
}

function isPhone(number: string, country?: CountryCode): boolean {
  const written = number.replace(/^00/, '+').replace(/\s/g, '');
  return parsePhoneNumberFromString(written, country)?.isValid() ?? false;
}
