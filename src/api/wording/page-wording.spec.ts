import { describe, expect, it } from 'vitest';
import { offeredLanguages, wordingFor, wordingForCountry } from './page-wording.js';

const asked = (acceptLanguage: string | undefined, lang?: unknown) =>
  wordingFor({
    query: lang === undefined ? {} : { lang },
    headers: { ...(acceptLanguage !== undefined && { 'accept-language': acceptLanguage }) },
  }).language;

describe('a page is in the language', () => {
  it.each([
    ['that somebody has chosen, before that of their browser', 'fr', 'de-DE,de;q=0.9', 'fr'],
    ['that a browser prefers', undefined, 'nl-SR, fr;q=0.8, en;q=0.5', 'nl'],
    ['that a browser prefers, whatever their order', undefined, 'it;q=0.1, de;q=0.3, es;q=0.9', 'es'],
    ['that we have, if the preferred one is none of ours', undefined, 'it-IT, fr;q=0.4', 'fr'],
    ['English, if we have none of them', undefined, 'it, ja', 'en-US'],
    ['English, if nothing is said', undefined, undefined, 'en-US'],
    ['English of Great Britain, where somebody writes that', undefined, 'en-GB,en;q=0.9', 'en-GB'],
    ['of the browser, if the chosen one is none', '../../etc', 'de', 'de'],
    ['of the browser, if several were chosen', ['de', 'fr'], 'es', 'es'],
    ['that is not refused with q=0', undefined, 'de;q=0, nl', 'nl'],
  ])('%s', (_which, lang, header, language) => {
    expect(asked(header, lang)).toBe(language);
  });

  it.each([
    ['kept for this host, before that of an earlier version', 'language=fr; __Host-language=de', 'de'],
    ['kept by an earlier version, or over http', 'language=fr', 'fr'],
    ['of no other cookie whose name ends alike', 'a__Host-language=fr; my-language=fr', 'en-US'],
  ])('%s', (_which, cookie, language) => {
    expect(wordingFor({ query: {}, headers: { cookie } }).language).toBe(language);
  });

  it('in bounded time, however long and odd the header is', () => {
    for (const header of [`${'de-'.repeat(100_000)}`, ','.repeat(100_000), 'q=;;;q=x,de;q=2', '*'])
      expect(typeof asked(header)).toBe('string');
  });
});

it.each([
  ['AT', 'de'],
  ['MX', 'es'],
  ['GB', 'en-US'],
  ['JP', 'en-US'],
  [null, 'en-US'],
])('mails for a country (%s) are in %s', (country, language) => {
  expect(wordingForCountry(country).language).toBe(language);
});

it('each language is offered by its own name, English first', () => {
  const offered = offeredLanguages();
  expect(offered[0]).toEqual(['en', 'English']);
  // Others may have been declared.
  for (const one of [
    ['de', 'Deutsch'],
    ['es', 'español'],
    ['fr', 'français'],
    ['nl', 'Nederlands'],
  ])
    expect(offered).toContainEqual(one);
});
