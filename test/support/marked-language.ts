import { readFileSync } from 'node:fs';
import { catalogueOf, REFERENCE } from '../../src/api/wording/catalogues.js';
import { addWording } from '../../src/api/wording/declare-wording.js';

/** A language that marks every text that we have, so that what pages say otherwise is seen. */
export const MARKED = 'eo';

export function declareMarkedLanguage(): void {
  const texts = [...catalogueOf(REFERENCE)!].map(([key, text]) => [key, `⟦${text}⟧`] as const);
  addWording(MARKED, Object.fromEntries(texts));
}

const HIDDEN = /<(code|kbd|pre|script|style|textarea|title)\b[^]*?<\/\1>/g;
const ATTRIBUTES = /\s(?:aria-label|placeholder|alt|data-(?:heading|copied|sent|on|off))="([^"]*)"/g;
/** Countries have their names from elsewhere, and what is called as the API calls it is a name. */
const NAMED = /<option value="(?:[A-Z]{2}"[^>]*>[^<]*|([^"]*)"[^>]*>\1(?=<))/g;
const MONTHS = Array.from({ length: 12 }, (_none, month) =>
  new Date(Date.UTC(2026, month, 1)).toLocaleDateString(MARKED, { month: 'short' }),
);
/** Names of formats and programs, which are the same in all languages, and languages, which are written in themselves. */
const NAMES = new RegExp(
  `\\S+@\\S+|https:\\S+|…\\w+|\\b(?:PERSON|COMPANY)-\\w+|\\breport\\.\\w*|\\b(?:${[
    ...['JSON Lines', 'JSON', 'CSV', 'PDF', 'Excel', 'SHA-256', 'Hash', 'URL', 'AsyncAPI', 'node'],
    ...['Deutsch', 'English', 'Esperanto', 'Nederlands', 'español', 'français'],
  ].join('|')})(?!\\p{L})`,
  'gu',
);

/** What the API says, which is marked as English. */
const OF_THE_API = /<span lang="en">[^<]*<\/span>/g;

/** The words of a page that are in none of our texts, nor in what is given as data. */
export function unmarkedIn(html: string, data: readonly string[]): string[] {
  const page = html.replace(HIDDEN, ' ').replace(NAMED, ' ').replace(OF_THE_API, ' ');
  const attributes = [...page.matchAll(ATTRIBUTES)].map(([, text]) => text!);
  // Elements may stand within a text, so it is looked for before they are taken out.
  const texts = withoutMarked(page.replace(/<(?:[^>"]|"[^"]*")*>/g, '\n')).split('\n');
  const words = [...texts, ...attributes.map(withoutMarked)].map((text) => decoded(text).trim());
  return words
    .map((text) => [...data, ...MONTHS].reduce((rest, one) => rest.replaceAll(one, ''), text.replace(NAMES, '')))
    .filter((text) => /\p{L}{3}/u.test(text));
}

function withoutMarked(text: string): string {
  const rest = text.replace(/⟦[^⟦⟧]*⟧/g, '');
  return rest === text ? rest : withoutMarked(rest);
}

const decoded = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

/** Every text of a source file, such as one with sample records: whatever stands between quotation marks or commas. */
export const textsOf = (file: string): string[] => [...readFileSync(file, 'utf8').matchAll(/[^'`",;\n]{3,}/g)].map(([text]) => text.trim());

/** Every text that an answer of the API has. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(textsIn);
}
