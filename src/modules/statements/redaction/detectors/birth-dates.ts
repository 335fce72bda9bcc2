import { findingsOf, type Finding } from '../finding.js';
import type { SearchableText } from '../searchable-text.js';

const WORDS =
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
const BIRTH_DATE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${WORDS})[.:,)]{0,2} ?(${DATE})(?![\\p{L}\\p{N}])`, 'giu');
/** The German and Danish sign: an asterisk directly before a date in full. */
const WITH_SIGN = /(?<![\p{L}\p{N}*])\* ?((?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)\d\d)(?![\p{L}\p{N}])/gu;

/** Dates after a word for birth. */
export const findBirthDates = ({ hasDigits, text }: SearchableText): readonly Finding[] =>
  hasDigits ? [...findingsOf('birth_date', BIRTH_DATE, text), ...findingsOf('birth_date', WITH_SIGN, text)] : [];
