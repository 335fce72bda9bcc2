import { GERMAN } from './de.js';
import { AMERICAN, ENGLISH } from './en-gb.js';
import { SPANISH } from './es.js';
import { FRENCH } from './fr.js';
import { DUTCH } from './nl.js';
import { type Formats, formatsOf, type Words } from './words.js';

/** The words and formats of a report. */
export interface Wording {
  /** Language tag of the words. */
  readonly language: string;
  readonly words: Words;
  readonly formats: Formats;
}

const LANGUAGES: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  nl: DUTCH,
};
const OTHERWISE = 'en-GB';

/** A locale in a language that we do not have is written in English, with the figures of that locale. */
export function wordingOf(locale: string): Wording {
  const { language, region } = new Intl.Locale(locale);
  const isOurs = Object.hasOwn(LANGUAGES, language);
  const tag = isOurs ? locale : OTHERWISE;
  const formats = formatsOf(tag, locale);
  const words = language === 'en' && region === 'US' ? AMERICAN : (LANGUAGES[language] ?? ENGLISH);
  return { language: tag, words, formats };
}
