import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { weightsIn } from '../../kernel/text.js';
import { countAdditions, languages, REFERENCE } from './catalogues.js';
import { type Wording, wordingOf } from './wording.js';

const made = new Map<string, Wording>();

/** The wording of one of our languages; there are few. */
export function wordingIn(language: string): Wording {
  const key = `${language} ${countAdditions()}`;
  const known = made.get(key) ?? wordingOf(language);
  made.set(key, known);
  return known;
}

const acceptedBy = (header: string): readonly string[] =>
  weightsIn(header.slice(0, MAX_HEADER))
    .filter(([, weight]) => weight > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([tag]) => tag);
const MAX_HEADER = 500;
/** Pages are in American English, as the whole product is, unless somebody writes English elsewhere. */
export const ENGLISH = 'en-US';

function oursFor(tag: string): string | undefined {
  const [language = '', region] = tag.toLowerCase().split(/[-_]/);
  if (language === 'en') return region === undefined || region === 'us' ? ENGLISH : REFERENCE;
  const all = languages();
  return all.find((one) => one.toLowerCase() === `${language}-${region}`) ?? all.find((one) => one.split('-')[0] === language);
}

/** `?lang=de`, if it is one of ours. */
function chosenIn(query: unknown): string | undefined {
  const { lang } = (query ?? {}) as { readonly lang?: unknown };
  return typeof lang === 'string' ? oursFor(lang) : undefined;
}

const COOKIE = 'language';
const KEPT_SECONDS = 365 * 24 * 3600;

/** What somebody chose is kept by their browser, because the next page may be at an address that says nothing of it. */
export function keepLanguage({ query, isSecure }: Pick<FastifyRequest, 'query' | 'isSecure'>, reply: FastifyReply): void {
  const language = chosenIn(query);
  if (language === undefined) return;
  const [prefix, secure] = isSecure ? ['__Host-', '; Secure'] : ['', ''];
  void reply.header('Set-Cookie', `${prefix}${COOKIE}=${language}; Path=/; Max-Age=${KEPT_SECONDS}; HttpOnly; SameSite=Lax${secure}`);
}

/** As chosen (`?lang=de`), now or before; else as who sent them (`ui_locales` of OpenID) or their browser prefers; else English. */
export function wordingFor({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>, preferred = ''): Wording {
  // What a browser keeps for this host goes before a cookie without the prefix, which is of an http address or an earlier version.
  const [kept] = ['__Host-', ''].flatMap(
    (prefix) => new RegExp(`(?:^|; )${prefix}${COOKIE}=([\\w-]{2,10})(?:;|$)`).exec(headers.cookie ?? '')?.[1] ?? [],
  );
  const wanted = [
    ...(kept === undefined ? [] : [kept]),
    ...preferred.slice(0, MAX_HEADER).split(' '),
    ...acceptedBy(headers['accept-language'] ?? ''),
  ];
  return wordingIn(chosenIn(query) ?? wanted.map(oursFor).find((language) => language !== undefined) ?? ENGLISH);
}

/** Stand in a text for its first and second part that is more than text, such as a name in bold or a link. No name contains them. */
const [FIRST, SECOND] = ['first', 'second'].map((part) => `<${part} ${randomUUID()}>`) as [string, string];
export { FIRST, SECOND };
const PARTS = new RegExp(`(${FIRST}|${SECOND})`);

export const Filled = ({ text, parts }: { text: string; parts: readonly ComponentChildren[] }) => (
  <>{text.split(PARTS).map((piece) => (piece === FIRST ? parts[0] : piece === SECOND ? parts[1] : piece))}</>
);

export const Naming = ({ text, names }: { text: string; names: readonly string[] }) => (
  <Filled
    text={text}
    parts={names.map((name) => (
      <strong>{name}</strong>
    ))}
  />
);

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

/** The same page in each of our languages. `query`: what else its address has. */
export const LanguageLinks = ({ current, query = {} }: { current: string; query?: Readonly<Record<string, string>> }) => (
  <nav class="languages" aria-label={wordingIn(current).say('console.account.language')}>
    {offeredLanguages().map(([language, name]) => (
      <a
        href={`?${new URLSearchParams({ ...query, lang: language }).toString()}`}
        lang={language}
        hreflang={language}
        aria-current={language === current.split('-')[0] ? 'true' : undefined}
      >
        {name}
      </a>
    ))}
  </nav>
);
