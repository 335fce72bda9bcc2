import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { someFindings, someStatements } from '../fixtures/report.js';
import { READING_CODES } from './words.js';
import { namesOf, sentenceOf } from './sentences.js';
import { wordingOf } from './wording.js';

const LANGUAGES = ['en-GB', 'en-US', 'de', 'fr', 'es', 'nl'];
/** Words that are the same in English and in another language. */
const SHARED = /^(Organisation|Project|Date|Total|Net|Control|Name|Signature|Page \d|no|Ref\.|Report|Statement)/;

/** All texts, those of functions included: these are called with a value for whatever they ask. */
function textsOf(value: unknown, path: string, formats: unknown): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    const args = [...Array(value.length).keys()].map((index) => (index === 0 && takesFormats(path) ? formats : 2));
    return [[path, (value as (...all: unknown[]) => string)(...args)]];
  }
  return Object.entries(value as object).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`, formats));
}
const takesFormats = (path: string) => /\.(sentence|furtherCategories|exceptions|tooMany|notShown|balances|ratesNotListed)$/.test(path);
const wordsOf = (locale: string) => {
  const { words, formats } = wordingOf(locale);
  const { findings: _findings, ...exceptions } = words.exceptions;
  return textsOf({ ...words, exceptions }, 'words', formats);
};
const said = (locale: string) => someFindings.map((finding) => sentenceOf(wordingOf(locale), namesOf(someStatements), finding));

const GUIDE = readFileSync(new URL('../../../../../docs/bank-statements.md', import.meta.url), 'utf8');
/** The warnings of readers, as the guide lists them in the first column of a table. */
const WARNINGS = [
  ...GUIDE.split('### Warnings')[1]!
    .split('\n#')[0]!
    .matchAll(/^\| (`[^|]*) \|/gm),
].flatMap(([, codes]) => codes!.split(', ').map((code) => code.replaceAll('`', '')));

describe('the words of a report', () => {
  it('have a name for every warning of a statement', () => {
    expect(WARNINGS.sort()).toEqual([...READING_CODES].sort());
  });

  it.each(LANGUAGES)('are complete in %s', (locale) => {
    const texts = wordsOf(locale);
    expect(texts.length).toBeGreaterThan(100);
    for (const [path, text] of texts) expect(text, path).toMatch(/\S/);
    expect(texts.filter(([, text]) => /undefined|NaN|\[object/.test(text))).toEqual([]);
  });

  it.each(['de', 'fr', 'es', 'nl'])('are not English in %s', (locale) => {
    const english = new Map(wordsOf('en-GB'));
    const same = wordsOf(locale).filter(([path, text]) => english.get(path) === text);
    expect(same.filter(([, text]) => !SHARED.test(text))).toEqual([]);
  });

  it.each(LANGUAGES)('say every finding in a sentence without codes and ids in %s', (locale) => {
    const sentences = said(locale);
    expect(new Set(sentences).size).toBe(someFindings.length);
    for (const sentence of sentences) {
      expect(sentence).toMatch(/[.)”]$/);
      expect(sentence).not.toMatch(/undefined|[0-9a-f]{8}-|_/);
    }
    expect(sentences[3]).toContain('S1 (account-1.csv)');
    expect(sentences[3]).toContain('Column 5 is not used.');
    expect(sentences[4]).toContain('S2 (account-2.csv)');
    expect(sentences[10]).toMatch(/4 .*\(TRAVEL-RAIL\).*\(STAFF-MEALS\)/);
  });

  it('name months and write figures as the language does', () => {
    expect(said('de')[5]).toBe('Kontoauszüge decken 83,4\u00a0% des Zeitraums ab. Lücken haben: Mai 2026, Juni 2026.');
    expect(said('en-GB')[5]).toBe('Bank statements cover 83.4% of the period. These months have gaps: May 2026, June 2026.');
    expect(said('nl')[6]).toBe('2 regels in USD tellen niet mee in de totalen.');
  });

  it('name what a known warning of a reader is about, before its English message', () => {
    const reading = { kind: 'reading', statementIds: ['S'], code: 'direction_unknown', message: 'Look.' } as const;
    const sentence = (locale: string) => sentenceOf(wordingOf(locale), () => 'S1', reading);
    expect(sentence('fr')).toBe('S1\u00a0: les entrées et les sorties ne se distinguent pas («\u00a0Look.\u00a0»).');
    expect(sentence('en-US')).toBe('S1: Look.');
  });

  it('are English for other languages, with the figures of the locale', () => {
    const { words, formats, language } = wordingOf('it');
    expect([words.title, language, formats.number('1234567.50'), formats.month('2026-03')]).toEqual([
      'Claim report',
      'en-GB',
      '1.234.567,50',
      'March 2026',
    ]);
  });

  it('are those of the language for each of its regions', () => {
    expect([
      wordingOf('de-AT').words.title,
      wordingOf('en-AU').words.fields.organization,
      wordingOf('en-US').words.fields.organization,
    ]).toEqual([wordingOf('de').words.title, 'Organisation', 'Organization']);
  });
});

describe('figures', () => {
  it('keep all their decimals, with a real minus sign', () => {
    const { number } = wordingOf('en-GB').formats;
    expect(number('-1234567890123456789.123456789012345678901234')).toBe('\u22121,234,567,890,123,456,789.123456789012345678901234');
    expect([number(0), number('0.00'), number('-0.50')]).toEqual(['0', '0.00', '\u22120.50']);
  });

  it('have Latin digits in every locale', () => {
    for (const locale of ['th', 'fa', 'ar-EG', 'mr']) expect(wordingOf(locale).formats.number('1234.5')).toMatch(/^[\d.,\u066b\u066c]+$/);
  });
});
