import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { type Finding, findingsOf, matchesOf, PERSON_MASK, type SearchableText } from '../finding.js';
import { wordsBefore, streetWords } from '../names/words-before.js';
import { isCardPaymentText } from '../names/card-payments.js';
import { END as AFTER, startsKnownPlaceOrMerchant } from '../names/phrases.js';
import { isOfInstitution, isOfStatement, kindOf, maybeName } from '../names/word-kinds.js';
import { isAnnouncedAsPersonal } from './people/announced-names.js';

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

const BEFORE = '(?<![\\p{L}\\p{N}.-])';
/** Between the words of a place: `Alcalá de Henares`, `Frankfurt am Main`. */
const PARTICLE = `(?:${streetWords('within places')})`;
const WORD = "\\p{L}[\\p{L}'’.-]{0,30}";
/** A place, with the letter or number of its district, and with one word more than it may have. */
const REST_OF_PLACE = new RegExp(`(?:(?: ${PARTICLE}){1,2} ${WORD}| ${WORD}){0,2}(?: \\p{Lu}| \\d{1,2}| ?\\(\\p{L}{2}\\))?${AFTER}`, 'yiu');
const IS_PARTICLE = new RegExp(`^${PARTICLE}$`, 'iu');
const OF_PLACES = new RegExp(`^(?:${streetWords('of places')})$`, 'iu');
const STATES = 'a[klrz]|c[aot]|d[ce]|fl|ga|hi|i[adln]|k[sy]|la|m[adeinost]|n[cdehjmvy]|o[hkr]|pa|ri|s[cd]|t[nx]|ut|v[at]|w[aivy]';
const UNIT = '(?:(?:flat|apt|unit|suite) ?[\\p{L}\\d]{1,4},? )?';
const ENGLISH = `(?:${streetWords('english')}|(?:county road|cr|route|rte?) \\d{1,4})`;
const FRENCH = `(?:${streetWords('french')})`;

/** The house comes first, and the form of the postcode or the word for the street says what it is. */
const HOUSE_FIRST: readonly RegExp[] = [
  // United Kingdom: no other words are between a number and a postcode.
  new RegExp(`${BEFORE}(${UNIT}\\d{1,5}[a-z]?,? (?:[\\p{L}'’.-]{1,20},? ){1,8}[a-z]{1,2}\\d[a-z\\d]? ?\\d[a-z]{2})${AFTER}`, 'giu'),
  // United States: many shops have a number, a place and its postcode, too.
  new RegExp(
    `${BEFORE}(\\d{1,5}[a-z]?,? (?:[\\p{L}\\d'’.-]{1,20} ){0,4}?${ENGLISH}(?![\\p{L}\\p{N}])[.,]?` +
      `(?:,? [\\p{L}\\d#'’.-]{1,20},?){0,6} (?:${STATES}),? \\d{5}(?:-\\d{4})?)${AFTER}`,
    'giu',
  ),
  // France.
  new RegExp(`${BEFORE}(\\d{1,4}(?: ?(?:bis|ter|[a-c]))?,? ${FRENCH}\\.?(?: [\\p{L}\\d'’.-]{1,20}){1,6}?,? \\d{5} ${WORD})${AFTER}`, 'giu'),
];

const PREFIX = new RegExp(`(?<![\\p{L}\\p{N}])(?:${streetWords('before')})(?:\\. ?|(?<=[/.])| )(?=[\\p{L}\\d])`, 'giu');
const SUFFIX = new RegExp(`(?:${streetWords('end')})\\.?$`, 'iu');

/** Between the house and the place: the number of a flat and the like. */
const HOUSE =
  '\\d{1,4}(?:[/-]\\d{1,5})?(?: ?[a-h](?!\\p{L}))?(?:,? (?:[\\p{L}.]{1,5} ?\\d{0,4}|\\d{1,3}[ºª°.]{0,2} ?\\p{L}{1,4}\\.?)){0,2}?';
const MARKED_ZIP =
  '\\d{3} \\d\\d(?!\\d)|\\d\\d-\\d{3}(?!\\d)|\\d{4}-\\d{3}(?!\\d)|\\d{4} ?[a-z]{2}(?!\\p{L})|[a-z]{1,2}-(?:\\d{3} \\d\\d|\\d{4,5})';
const HOUSE_LAST = new RegExp(`(?<=\\p{L}\\.?)(,? (?:n[.ºr°]{1,2} ?)?)${HOUSE}(,? |,? - )(?:(${MARKED_ZIP})|\\d{4,5}) (${WORD})`, 'giu');
const WORDS_BEFORE = /[\p{L}\d'’./-]+/gu;
const LONGEST_STREET = 70;
const MAX_WORDS = 6;
const MAX_WORDS_BEFORE_END = 3;
/** After a word for it, as in the structured texts of SWIFT. */
const LABELLED = new RegExp(`(?:/ADDR/|(?<!\\p{L})(?:${streetWords('label')}): ?)([^/|;]{6,90})`, 'giu');

/** Street, house number and postcode in the notation of the country. Less than that may be a shop or an invoice number. */
export function findPostalAddresses({ hasDigits, text }: SearchableText): readonly Finding[] {
  if (!hasDigits) return [];
  const first = HOUSE_FIRST.flatMap((pattern) => findingsOf('postal_address', pattern, text));
  const last = matchesOf(HOUSE_LAST, text).flatMap((match): Finding[] => {
    const place = match.at(-1)!;
    if (isOfStatement(place) && !OF_PLACES.test(place) && !IS_PARTICLE.test(place)) return [];
    const isMarked = match[3] !== undefined || match[2]!.includes(',') || isAnnouncedAsPersonal(text);
    const start = streetBefore(text.slice(0, match.index), isMarked);
    return start === undefined ? [] : [{ kind: 'postal_address', start, end: match.index + match[0].length }];
  });
  const labelled = findingsOf('postal_address', LABELLED, text, (found) => /\d/.test(found));
  return [...first, ...last].map((finding) => ({ ...finding, end: endOfPlace(text, finding.end) })).concat(labelled);
}

/** Where the street begins that ends before a house number; undefined if the words are not those of a street. */
function streetBefore(before: string, isMarked: boolean): number | undefined {
  const from = Math.max(0, before.length - LONGEST_STREET, ...[':', ';', '|', ','].map((sign) => before.lastIndexOf(sign) + 1));
  const street = before.slice(from);
  const prefixes = matchesOf(PREFIX, street).filter(({ index }) => wordsIn(street.slice(index)).length <= MAX_WORDS);
  const prefix = prefixes.findLast(({ index }, at) => index !== endOf(prefixes[at - 1]));
  if (prefix) return from + prefix.index;
  const words = wordsIn(street);
  const end = words.findLastIndex(({ 0: word }) => SUFFIX.test(word));
  const isKnown = end >= 0 && words.length - end <= 2;
  if (!isKnown && (!isMarked || isCardPaymentText(before))) return undefined;
  let begin = isKnown ? end : words.length;
  while (begin > 0 && words.length - begin < MAX_WORDS_BEFORE_END + (isKnown ? 1 : 0) && isOfStreet(words[begin - 1]![0])) begin -= 1;
  if (begin === words.length || (!isKnown && startsKnownPlaceOrMerchant(street.slice(words[begin]!.index)))) return undefined;
  return from + words[begin]!.index;
}

const endOf = (match: RegExpExecArray | undefined): number => (match ? match.index + match[0].length : -1);
const wordsIn = (text: string): readonly RegExpExecArray[] => matchesOf(WORDS_BEFORE, text);
const isOfStreet = (word: string): boolean =>
  IS_PARTICLE.test(word) || OF_PLACES.test(word) || (!isOfStatement(word) && !isOfInstitution(word));

/** The place has one word more if that is none of statements and firms. If more follow, they are the name of somebody. */
function endOfPlace(text: string, from: number): number {
  REST_OF_PLACE.lastIndex = from;
  const [rest = ''] = REST_OF_PLACE.exec(text) ?? [];
  let [end, count, isOfPlace] = [from, 0, false];
  for (const { 0: word, index } of matchesOf(/[\p{L}\d'’.-]+|\(\p{L}{2}\)/gu, rest)) {
    if (IS_PARTICLE.test(word)) {
      isOfPlace = true;
      continue;
    }
    if (!OF_PLACES.test(word) && (isOfStatement(word) || kindOf(word) === 'trade')) break;
    if (word === word.toLowerCase() && !/\d/.test(word)) break;
    count += isOfPlace || OF_PLACES.test(word) || word.length === 1 || !/\p{L}{3}/u.test(word) ? 0 : 1;
    if (count > 1 || (count === 1 && isNameAfter(text.slice(from + index + word.length)))) break;
    end = from + index + word.length;
    isOfPlace = OF_PLACES.test(word);
  }
  return end;
}

function isNameAfter(text: string): boolean {
  const [, word] = /^,? (\p{Lu}\p{L}{2,})(?![\p{L}:])/u.exec(text) ?? [];
  return word !== undefined && maybeName(word) && !isOfStatement(word);
}
