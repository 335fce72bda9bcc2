import type { FastifyRequest } from 'fastify';
import { languages, REFERENCE } from './catalogues.js';
import { type Wording, wordingOf } from './wording.js';

const made = new Map<string, Wording>();

/** The wording of one of our languages; there are few. */
function wordingIn(language: string): Wording {
  const known = made.get(language) ?? wordingOf(language);
  made.set(language, known);
  return known;
}

/** The languages of `Accept-Language`, the preferred one first. */
function acceptedBy(header: string): readonly string[] {
  return header
    .slice(0, MAX_HEADER)
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.trim().split(/\s*;\s*q=/);
      return { tag, weight: quality === undefined ? 1 : Number(quality) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}
const MAX_HEADER = 500;

/** Pages are in American English, as the whole product is, unless somebody writes English elsewhere. */
const ENGLISH = 'en-US';

/** Ours for a tag such as `de-CH`. */
function oursFor(tag: string): string | undefined {
  const [language = '', region] = tag.toLowerCase().split(/[-_]/);
  if (language === 'en') return region === undefined || region === 'us' ? ENGLISH : REFERENCE;
  const all = languages();
  return all.find((one) => one.toLowerCase() === `${language}-${region}`) ?? all.find((one) => one.split('-')[0] === language);
}

/** In the language that somebody has chosen (`?lang=de`), else in one that their browser prefers, else in English. */
export function wordingFor({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Wording {
  const { lang } = (query ?? {}) as { readonly lang?: unknown };
  const wanted = [...(typeof lang === 'string' ? [lang] : []), ...acceptedBy(headers['accept-language'] ?? '')];
  return wordingIn(wanted.map(oursFor).find((language) => language !== undefined) ?? ENGLISH);
}

/** In the language that most people of a country write; in English without a country, or if we do not have it. */
export function wordingForCountry(country: string | null): Wording {
  const language = country === null ? undefined : oursFor(new Intl.Locale('und', { region: country }).maximize().language);
  return wordingIn(language ?? ENGLISH);
}

/** What people choose from: a language as the address has it, and its name in itself. */
export const offeredLanguages = (): [language: string, name: string][] =>
  languages()
    .filter((language) => language !== ENGLISH)
    .map((tag) => {
      const [language = ''] = tag.split('-');
      return [language, new Intl.DisplayNames([language], { type: 'language' }).of(language)!];
    });

/** The same page in each of our languages. */
export const LanguageLinks = ({ current }: { current: string }) => (
  <nav class="languages" aria-label="Language">
    {offeredLanguages().map(([language, name]) => (
      <a
        href={`?lang=${language}`}
        lang={language}
        hreflang={language}
        aria-current={language === current.split('-')[0] ? 'true' : undefined}
      >
        {name}
      </a>
    ))}
  </nav>
);
