import { type Finding, findingsOf, type SearchableText } from '../finding.js';
import { isBelgian, isCodiceFiscale, isDni, isEan13, isEleven, isHetu, isLuhn, isMod11And10, isNir, isPesel } from './checksums.js';

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
/** A digit of an Italian code, or the letter that replaces it if two codes would be equal. */
const OMO = '[\\dlmnpqrstuv]';

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
  // Finland: personal code.
  idAs(`${DAY}${MONTH}\\d\\d[+a-]\\d{3}[\\da-y]`, isHetu),
  // Poland: PESEL.
  idAs('\\d{11}', isPesel, 'pesel'),
  // Belgium: national register.
  idAs(`\\d\\d[.]${MONTH}[.]${DAY}-\\d{3}[.]\\d\\d`, isBelgian),
  // Switzerland: old-age insurance.
  idAs('756[. ]?\\d{4}[. ]?\\d{4}[. ]?\\d\\d', isEan13),
];

export function findNationalIds({ hasDigits, text }: SearchableText): readonly Finding[] {
  if (!hasDigits) return [];
  return NATIONAL_IDS.flatMap(({ pattern, isValid }) =>
    findingsOf('national_id', pattern, text, (id) => isValid(id.toUpperCase().replace(/[^A-Z\d]/g, ''))),
  );
}

/** The check letter is that of the code as it is written, the stand-in letters included. */
function isItalian(code: string): boolean {
  return code.length === 16 && isCodiceFiscale(code);
}

const BIRTH_WORDS =
  'geb|geboren|geboren am|geb\\.? ?am|geb\\.? ?dat|geburtsdatum|geburtstag|date of birth|d\\.o\\.b|dob|born|born on|birth ?date|' +
  'né le|née le|ne le|nee le|né\\(e\\) le|date de naissance|nato il|nata il|data di nascita|fecha de nacimiento|nacido el|nacida el|' +
  'data de nascimento|nascido em|nascida em|geboren op|geboortedatum|født|fodt|fødselsdato|fodselsdato|född|fodd|födelsedatum|' +
  'fodelsedatum|syntynyt|syntymäaika|data urodzenia|ur|urodzony|urodzona';
const MONTH_NAMES =
  'jan|feb|m[aä]r|mrz|apr|ma[iyj]|jun|jul|aug|sep|okt|oct|nov|de[zc]|ene|abr|ago|dic|' +
  'fév|fev|avr|juin|juil|août|aout|déc|gen|mag|giu|lug|set|ott|out';
const DATE =
  `(?:0?[1-9]|[12]\\d|3[01])(?:[./ -]{1,2}(?:0?[1-9]|1[0-2])[./ -]{1,2}|\\.? ?(?:${MONTH_NAMES})\\p{L}{0,7}\\.? ?)(?:19|20)?\\d\\d|` +
  '(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\\d|3[01])/(?:19|20)?\\d\\d|(?:19|20)\\d\\d[./-](?:0[1-9]|1[0-2])[./-](?:0[1-9]|[12]\\d|3[01])|' +
  '(?:19|20)\\d\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])|(?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\\d\\d';
const BIRTH_DATE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${BIRTH_WORDS})[.:,)]{0,2} ?(${DATE})(?![\\p{L}\\p{N}])`, 'giu');
/** The German and Danish sign: an asterisk directly before a date in full. */
const WITH_SIGN = /(?<![\p{L}\p{N}*])\* ?((?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)\d\d)(?![\p{L}\p{N}])/gu;

/** Dates after a word for birth. */
export const findBirthDates = ({ hasDigits, text }: SearchableText): readonly Finding[] =>
  hasDigits ? [...findingsOf('birth_date', BIRTH_DATE, text), ...findingsOf('birth_date', WITH_SIGN, text)] : [];

const DOCUMENT_WORDS =
  'passport|reisepass|reisepaß|passnummer|pass-?nr|personalausweis|ausweis|perso|führerschein|fuehrerschein|aufenthaltstitel|' +
  "driving licen[cs]e|driver'?s? licen[cs]e|identity card|id card|residence permit|passeport|carte d'identité|carte d'identite|cni|" +
  'titre de séjour|titre de sejour|permis de conduire|pasaporte|permiso de conducir|documento de identidad|passaporto|' +
  "carta d'identità|carta d'identita|patente di guida|patente|passaporte|carta de condução|carta de conducao|cartão de cidadão|" +
  'cartao de cidadao|paspoort|rijbewijs|identiteitskaart|körkort|korkort|passnummer|førerkort|forerkort|kørekort|korekort|passi|' +
  'ajokortti|paszport|dowód osobisty|dowod osobisty|prawo jazdy|ausweisnummer';
const NUMBER_WORDS = '(?:[ -]?(?:number|nummer|numero|numéro|número|numer|num|no|nr|n°|#))?';
/** Letters and digits in at most a few groups; the check that it has enough digits comes after. */
const DOCUMENT = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${DOCUMENT_WORDS})${NUMBER_WORDS}[ .:#=-]{0,3}` +
    `([a-z\\d]{6,20}|[a-z\\d]{2,6}(?:[ -](?=[a-z]*\\d)[a-z\\d]{2,8}){1,4})(?![\\p{L}\\p{N}])`,
  'giu',
);
const MIN_DIGITS = 3;

/** Numbers of passports, identity cards and driving licences, after a word for them. */
export const findDocuments = ({ hasDigits, text }: SearchableText): readonly Finding[] =>
  hasDigits ? findingsOf('document', DOCUMENT, text, (found) => found.replace(/\D/g, '').length >= MIN_DIGITS) : [];
