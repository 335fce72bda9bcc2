import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { type Finding, findingsOf, matchesOf, type SearchableText } from '../finding.js';

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

/** Banks without @ in their character set write (at). */
const AT = '(?:@| ?[([]at[)\\]] ?)';
const LOCAL = "[\\p{L}\\p{N}._%+'-]{1,64}";
const DOMAIN = '(?:[\\p{L}\\p{N}-]{1,63}\\.){1,8}\\p{L}{2,24}';
const ADDRESS = new RegExp(`(${LOCAL}${AT}${DOMAIN})`, 'giu');
const WORTH_LOOKING = new RegExp(AT, 'i');

export const findEmails = ({ text }: SearchableText): readonly Finding[] =>
  WORTH_LOOKING.test(text) ? findingsOf('email', ADDRESS, text) : [];

const BEFORE = '(?<![\\p{L}\\p{N}.-])';
const AFTER = '(?![\\p{L}\\p{N}])';
const HOUSE = '\\d{1,4}(?: ?[a-z])?';
const CITY = '(?: \\p{L}[\\p{L}-]{2,30})?';

const ENGLISH_STREET =
  'street|st|road|rd|avenue|ave|lane|ln|close|drive|dr|way|court|ct|place|pl|gardens|gdns|terrace|crescent|cres|' +
  'square|sq|hill|grove|mews|row|walk|boulevard|blvd|parkway|pkwy|highway|hwy';
const STATES = 'a[klrz]|c[aot]|d[ce]|fl|ga|hi|i[adln]|k[sy]|la|m[adeinost]|n[cdehjmvy]|o[hkr]|pa|ri|s[cd]|t[nx]|ut|v[at]|w[aivy]';
const STREET_IN_ENGLISH = `\\d{1,5}[a-z]?,? (?:[\\p{L}'.-]{1,20} ){1,4}?(?:${ENGLISH_STREET})(?![\\p{L}\\p{N}])[.,]?`;
const GERMANIC_STREET =
  'straße|strasse|str\\.?|weg|platz|allee|gasse|ring|damm|ufer|steig|chaussee|promenade|straat|laan|plein|kade|gracht|dijk|singel|dreef';
const FRENCH_STREET = 'rue|avenue|av|boulevard|bd|place|allée|allee|chemin|impasse|quai|route|cours';

/** Street, house number and postcode in the notation of the country. Less than that may be a shop or an invoice number. */
const ADDRESSES: readonly RegExp[] = [
  // United Kingdom.
  new RegExp(`${BEFORE}(${STREET_IN_ENGLISH}(?:,? [\\p{L}'.-]{1,20},?){0,4} [a-z]{1,2}\\d[a-z\\d]? ?\\d[a-z]{2})${AFTER}`, 'giu'),
  // United States.
  new RegExp(`${BEFORE}(${STREET_IN_ENGLISH}(?:,? [\\p{L}\\d#'.-]{1,20},?){0,6} (?:${STATES}),? \\d{5}(?:-\\d{4})?)${AFTER}`, 'giu'),
  // Germany, Austria, Switzerland, Netherlands: four digits alone may be a year, so a place has to follow them.
  new RegExp(
    `${BEFORE}((?:[\\p{L}.-]{1,30} (?:${GERMANIC_STREET})|` +
      `[\\p{L}.-]{0,30}?(?:${GERMANIC_STREET})) ?${HOUSE},? (?:(?:d-?)?\\d{5}${CITY}|(?:a-|` +
      `ch-)?\\d{4}(?: ?[a-z]{2}(?!\\p{L})${CITY}| \\p{L}[\\p{L}-]{2,30})))${AFTER}`,
    'giu',
  ),
  // France.
  new RegExp(`${BEFORE}(\\d{1,4}(?: ?(?:bis|ter))?,? (?:${FRENCH_STREET})(?: [\\p{L}'.-]{1,20}){1,6}?,? \\d{5}${CITY})${AFTER}`, 'giu'),
];

export const findPostalAddresses = ({ hasDigits, text }: SearchableText): readonly Finding[] =>
  hasDigits ? ADDRESSES.flatMap((pattern) => findingsOf('postal_address', pattern, text)) : [];
