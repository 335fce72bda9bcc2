import { type Finding, findingsOf, PERSON_MASK, type SearchableText } from '../finding.js';
import { wordsBefore } from '../names/words-before.js';
import { isBelgian, isBirthNumber, isCodiceFiscale, isCpf, isDivisibleBy11, isDni, isEan13 } from '../../checksums/index.js';
import { isEleven, isHetu, isLuhn, isMod11And10, isNif, isNir, isPesel } from '../../checksums/index.js';

interface NationalId {
  /** Global. Its last group is the id. */
  readonly pattern: RegExp;
  /** Checks the letters and digits of the id, in upper case. */
  readonly isValid: (id: string) => boolean;
}

/** An id that is not part of a longer word. Ids of digits only need one of the words before them. */
function idAs(form: string, isValid: NationalId['isValid'] = () => true, words?: string): NationalId {
  const context = words
    ? `(?<![\\p{L}\\p{N}])(?:${words})[^\\p{L}\\d]{0,3}(?:(?:number|nummer|num|no|nr|n°)[^\\p{L}\\d]{0,3})?`
    : '(?<![\\p{L}\\p{N}]|\\d[.,-])';
  return { pattern: new RegExp(`${context}(${form})(?![\\p{L}\\p{N}]|[.,-]\\d)`, 'giu'), isValid };
}

const MONTH = '(?:0[1-9]|1[0-2])';
const DAY = '(?:0[1-9]|[12]\\d|3[01])';
const CZECH_MONTH = '(?:[05][1-9]|[16][0-2]|[27][1-9]|[38][0-2])';
/** A digit of an Italian code, or the letter that replaces it if two codes would be equal. */
const OMO = '[\\dlmnpqrstuv]';

/** The check letter is that of the code as it is written, the stand-in letters included. */
const isItalian = (code: string): boolean => code.length === 16 && isCodiceFiscale(code);

const NATIONAL_IDS: readonly NationalId[] = [
  // United Kingdom: national insurance. It has no check digit.
  idAs('(?!bg|gb|kn|nk|nt|tn|zz)[a-ceghj-pr-tw-z][a-ceghj-npr-tw-z](?:[ -]?\\d\\d){3}[ -]?[a-d]'),
  // United States: social security. It has no check digit.
  idAs('(?!000|666|9)\\d{3}-(?!00)\\d\\d-(?!0000)\\d{4}'),
  idAs('(?!000|666|9)\\d{3}[ -]?(?!00)\\d\\d[ -]?(?!0000)\\d{4}', undefined, 'ssn|ss#|social ?security'),
  // Germany: tax id.
  idAs(
    '[1-9](?:[ ./]?\\d){10}',
    isMod11And10,
    'steuer-?id(?:-?nr)?|steuer-?identifikations-?(?:nummer|nr)|steueridentnummer|steuerliche identifikationsnummer|' +
      'id-?nr|identnr|tax ?id|tin',
  ),
  // Netherlands: citizen service number.
  idAs('\\d(?:[ .]?\\d){8}', isEleven, 'bsn|burgerservicenummer|sofi(?:-?nummer)?'),
  // Spain: identity card, and the number of a foreigner.
  idAs('\\d{8}[ -]?[a-hj-np-tv-z]', isDni),
  idAs('[xyz][ -]?\\d{7}[ -]?[a-hj-np-tv-z]', isDni),
  // Italy: tax code.
  idAs(`[a-z]{6} ?${OMO}{2}[a-ehlmprst]${OMO}{2} ?[a-z]${OMO}{3} ?[a-z]`, isItalian),
  // France: social security.
  idAs(`[12] ?\\d\\d ?(?:${MONTH}|[2-9]\\d) ?(?:\\d\\d|2[ab]) ?\\d{3} ?\\d{3}[ /-]?\\d\\d`, isNir),
  // Sweden: personal number.
  idAs(`(?:19|20)?\\d\\d${MONTH}${DAY}[+-]\\d{4}`, (id) => isLuhn(id.slice(-10))),
  idAs(`(?:19|20)\\d\\d${MONTH}${DAY}\\d{4}`, (id) => isLuhn(id.slice(-10))),
  idAs(`\\d\\d${MONTH}${DAY}\\d{4}`, isLuhn, 'person-?(?:nr|nummer)|pers-?nr|pnr'),
  // Denmark. It has no check digit any more.
  idAs(`${DAY}${MONTH}\\d\\d-\\d{4}`),
  idAs(`${DAY}${MONTH}\\d\\d ?\\d{4}`, undefined, 'cpr(?:-?(?:nr|nummer))?'),
  // Norway: birth number.
  idAs(`${DAY}${MONTH}\\d\\d ?\\d{5}`, isBirthNumber),
  // Czechia and Slovakia: birth number, by its slash or a word for it. Women have a month of more than 50.
  idAs(`\\d\\d${CZECH_MONTH}${DAY}/\\d{4}`, isDivisibleBy11),
  idAs(`\\d\\d${CZECH_MONTH}${DAY} ?/? ?\\d{3,4}`, undefined, 'r\\.?[čc]\\.?|rodn[ée] [čc][íi]slo'),
  // Portugal: tax number.
  idAs('[1-3]\\d\\d[ .]?\\d{3}[ .]?\\d{3}', isNif, 'nif|n\\.i\\.f\\.?|contribuinte'),
  // Finland: personal code.
  idAs(`${DAY}${MONTH}\\d\\d[+a-]\\d{3}[\\da-y]`, isHetu),
  // Poland: PESEL.
  idAs('\\d{11}', isPesel, 'pesel'),
  // Belgium: national register.
  idAs(`\\d\\d[.]${MONTH}[.]${DAY}-\\d{3}[.]\\d\\d`, isBelgian),
  // Brazil: tax number, in its groups, or after a word for it or the name that was masked: `Pix enviado - Jane Doe 12345678909`.
  idAs('\\d{3}\\.\\d{3}\\.\\d{3}-\\d\\d', isCpf),
  idAs('\\d{11}', isCpf, `cpf|${PERSON_MASK}`),
  // Switzerland: old-age insurance.
  idAs('756[. ]?\\d{4}[. ]?\\d{4}[. ]?\\d\\d', isEan13),
];

export function findNationalIds({ hasDigits, text }: SearchableText): readonly Finding[] {
  if (!hasDigits) return [];
  return NATIONAL_IDS.flatMap(({ pattern, isValid }) =>
    findingsOf('national_id', pattern, text, (id) => isValid(id.toUpperCase().replace(/[^A-Z\d]/g, ''))),
  );
}

const MONTH_NAMES =
  'jan|feb|m[aä]r|mrz|apr|ma[iyj]|jun|jul|aug|sep|okt|oct|nov|de[zc]|ene|abr|ago|dic|' +
  'fév|fev|avr|juin|juil|août|aout|déc|gen|mag|giu|lug|set|ott|out';
const DATE =
  `(?:0?[1-9]|[12]\\d|3[01])(?:[./ -]{1,2}(?:0?[1-9]|1[0-2])[./ -]{1,2}|\\.? ?(?:${MONTH_NAMES})\\p{L}{0,7}\\.? ?)(?:19|20)?\\d\\d|` +
  '(?:0?[1-9]|1[0-2])[/-](?:0?[1-9]|[12]\\d|3[01])[/-](?:19|20)?\\d\\d|' +
  '(?:19|20)\\d\\d[./-](?:0[1-9]|1[0-2])[./-](?:0[1-9]|[12]\\d|3[01])|' +
  '(?:19|20)\\d\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])|(?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\\d\\d';
const BIRTH_DATE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${wordsBefore('birth')})[.:,)]{0,2} ?(?:(?:am|le|il|el|em|op|den|dne|on|the)[.:]? )?(${DATE})(?![\\p{L}\\p{N}])`,
  'giu',
);
/** The German and Danish sign: an asterisk directly before a date in full. */
const WITH_SIGN = /(?<![\p{L}\p{N}*])\* ?((?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)\d\d)(?![\p{L}\p{N}])/gu;

export const findBirthDates = ({ hasDigits, text }: SearchableText): readonly Finding[] =>
  hasDigits ? [...findingsOf('birth_date', BIRTH_DATE, text), ...findingsOf('birth_date', WITH_SIGN, text)] : [];

const NUMBER_WORDS = '(?:[ -]?(?:number|nummer|numero|numéro|número|numer|num|no|nr|n°|#))?';
/** Letters and digits in at most a few groups; the check that it has enough digits comes after. */
const DOCUMENT = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${wordsBefore('document')})${NUMBER_WORDS}[ .:#=-]{0,3}` +
    `([a-z\\d]{6,20}|[a-z\\d]{2,6}(?:[ -](?=[a-z]*\\d)[a-z\\d]{2,8}){1,4})(?![\\p{L}\\p{N}])`,
  'giu',
);
const MIN_DIGITS = 3;

/** Numbers of passports, identity cards and driving licences, after a word for them. */
export const findDocuments = ({ hasDigits, text }: SearchableText): readonly Finding[] =>
  hasDigits ? findingsOf('document', DOCUMENT, text, (found) => found.replace(/\D/g, '').length >= MIN_DIGITS) : [];
