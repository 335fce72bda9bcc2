import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogueOf } from '../../../../api/wording/catalogues.js';
import { wordingOf } from '../../../../api/wording/wording.js';
import { someFindings, someStatements } from '../fixtures/report.js';
import { namesOf, sentenceOf } from './sentences.js';

const LANGUAGES = ['en-GB', 'en-US', 'de', 'fr', 'es', 'nl'];
const said = (locale: string) => someFindings.map((finding) => sentenceOf(wordingOf(locale), namesOf(someStatements), finding));

const GUIDE = readFileSync(new URL('../../../../../docs/bank-statements.md', import.meta.url), 'utf8');
/** The warnings of readers, as the guide lists them in the first column of a table. */
const WARNINGS = [
  ...GUIDE.split('## Warnings')[1]!
    .split('\n#')[0]!
    .matchAll(/^\| (`[^|]*) \|/gm),
].flatMap(([, codes]) => codes!.split(', ').map((code) => code.replaceAll('`', '')));

describe('the sentences of a report', () => {
  it('have a name for every warning of a statement', () => {
    const names = [...catalogueOf('en-GB')!.keys()].filter((key) => key.startsWith('report.readings.'));
    expect([...WARNINGS, 'other'].sort()).toEqual(names.map((key) => key.slice('report.readings.'.length)).sort());
  });

  it.each(LANGUAGES)('say every finding without codes and ids in %s', (locale) => {
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
});
