import { isLiteralElement } from '@formatjs/icu-messageformat-parser';
import { type Formatters, IntlMessageFormat } from 'intl-messageformat';
import { REFERENCE, textsFor, type WordingKey } from './catalogues.js';
import { type Formats, formatsOf } from './formats.js';
import { messageOf } from './messages.js';

/** What a text is about, by the names of its arguments. Counts are numbers; what is written in a form of its own is a text already. */
export type About = Readonly<Record<string, string | number | boolean>>;
export type Say = (key: WordingKey, about?: About) => string;

export interface Wording {
  readonly language: string;
  readonly say: Say;
  /** A text of a declaration, which is in English there; as it is, if we do not have it. */
  readonly told: (english: string) => string;
  readonly formats: Formats;
}

/** A locale in a language that we do not have is written in English, with the figures of that locale. */
export function wordingOf(locale: string): Wording {
  const { isOurs, textOf } = textsFor(new Intl.Locale(locale));
  const language = isOurs ? locale : REFERENCE;
  const formats = formatsOf(language, locale);
  const formatters = formattersOf(language, formats);
  const messages = new Map<WordingKey, IntlMessageFormat | string>();
  const say: Say = (key, about) => {
    let message = messages.get(key);
    if (message === undefined) {
      const parts = messageOf(textOf(key)!);
      // Most texts are about nothing, and a page says a hundred of them.
      const [only] = parts.length === 1 ? parts : [];
      message = only && isLiteralElement(only) ? only.value : new IntlMessageFormat(parts, language, undefined, { formatters });
      messages.set(key, message);
    }
    return typeof message === 'string' ? message : String(message.format(about));
  };
  return { language, say, told: (english) => textOf(`declared.${english}`) ?? english, formats };
}

/** Numbers in texts are written as all others are, and exact decimals stay exact. Days are given as texts. */
function formattersOf(language: string, { number }: Formats): Formatters {
  const plurals = { cardinal: new Intl.PluralRules(language), ordinal: new Intl.PluralRules(language, { type: 'ordinal' }) };
  return {
    getNumberFormat: () => ({ format: number }) as unknown as Intl.NumberFormat,
    getPluralRules: (_language, options) => plurals[options?.type ?? 'cardinal'],
    getDateTimeFormat: () => {
      throw new Error('A text is given days and times as texts.');
    },
  };
}
