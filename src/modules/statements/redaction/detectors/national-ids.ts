import { findingsOf, type Finding } from '../finding.js';
import type { SearchableText } from '../searchable-text.js';
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
