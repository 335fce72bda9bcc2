import { expect, it, vi } from 'vitest';
import { type WordingCatalogue, catalogueOf } from '../../src/api/wording/catalogues.js';
import { addWording, declareWording } from '../../src/api/wording/declare-wording.js';
import { wordingIn } from '../../src/api/wording/page-wording.js';
import { wordingOf } from '../../src/api/wording/wording.js';

/** The texts of a language as its file has them. */
function nested(texts: ReadonlyMap<string, string>): WordingCatalogue {
  const catalogue: Record<string, unknown> = {};
  for (const [key, text] of texts) {
    const path = key.split('.');
    const last = path.pop()!;
    let group = catalogue;
    for (const name of path) group = (group[name] ??= {}) as Record<string, unknown>;
    group[last] = text;
  }
  return catalogue as WordingCatalogue;
}
const english = () => new Map(catalogueOf('en-GB'));

it.each([
  ['Polish', {}, 'Polish is no language such as pl, or de-AT for a region of one.'],
  ['sk-SK', {}, 'Declare the texts of sk before those of sk-SK.'],
  ['de', { report: { titel: 'Bericht' } }, 'The texts for de cannot be said: these texts are not known: report.titel.'],
  ['de', { report: { page: 'Seite {page}' } }, 'The texts for de cannot be said: report.page says nothing of: count.'],
])('texts for %s are not declared: %o', (language, catalogue, message) => {
  const before = catalogueOf('de');
  expect(() => addWording(language, catalogue)).toThrow(message);
  expect(catalogueOf('de')).toBe(before);
});

it('a language that lacks texts says them in English, and their names at the start', () => {
  const texts = english().set('report.total', 'Sumo');
  for (const key of ['report.title', 'workbook.rule']) texts.delete(key);
  const told = vi.spyOn(process, 'emitWarning').mockReturnValue();
  addWording('io', nested(texts));
  expect(told.mock.calls).toEqual([['io: 2 texts are missing: report.title, workbook.rule. They are said in English.']]);
  told.mockRestore();
  const { say, language } = wordingOf('io');
  expect([language, say('report.total'), say('report.title')]).toEqual(['io', 'Sumo', wordingOf('en-GB').say('report.title')]);
});

it('a language can be declared, then texts of one of its regions', () => {
  const texts = english().set('report.title', 'Raporto').set('report.total', 'Sumo');
  addWording('eo', nested(texts));
  addWording('eo-PL', { report: { total: 'Entute' } });
  const said = (locale: string) => [
    wordingOf(locale).say('report.title'),
    wordingOf(locale).say('report.total'),
    wordingOf(locale).language,
  ];
  expect(said('eo')).toEqual(['Raporto', 'Sumo', 'eo']);
  expect(said('eo-PL')).toEqual(['Raporto', 'Entute', 'eo-PL']);
});

it('texts of ours can be replaced, one by one', () => {
  addWording('nl-BE', { report: { title: 'Kostenoverzicht' } });
  expect(['nl-BE', 'nl'].map((locale) => wordingOf(locale).say('report.title'))).toEqual([
    'Kostenoverzicht',
    'Overzicht van gedeclareerde kosten',
  ]);
  expect(wordingOf('nl-BE').say('report.total')).toBe(wordingOf('nl').say('report.total'));
});

it('other words of English are those of all English, also where American English has words of its own', () => {
  expect(wordingIn('en-US').say('report.fields.organization')).toBe('Organization');
  addWording('en', { report: { fields: { organization: 'Firm' } } });
  expect(['en-GB', 'en-US', 'en-AU'].map((locale) => wordingOf(locale).say('report.fields.organization'))).toEqual([
    'Firm',
    'Firm',
    'Firm',
  ]);
  addWording('en-US', { report: { fields: { organization: 'Practice' } } });
  expect(['en-GB', 'en-US'].map((locale) => wordingOf(locale).say('report.fields.organization'))).toEqual(['Firm', 'Practice']);
});

it('pages that were said before have the words that are declared afterwards', () => {
  expect(wordingIn('fr').say('report.total')).not.toBe('Somme');
  addWording('fr', { report: { total: 'Somme' } });
  expect(wordingIn('fr').say('report.total')).toBe('Somme');
});

it('two extensions have other words for different texts; for one text they are refused by its name', () => {
  declareWording('file:///one.computation.ts', 'es', { report: { title: 'Gastos' } });
  declareWording('file:///two.computation.ts', 'es', { report: { total: 'Suma' } });
  expect([wordingOf('es').say('report.title'), wordingOf('es').say('report.total')]).toEqual(['Gastos', 'Suma']);
  // The same file is loaded by each thread, and by each test.
  declareWording('file:///one.computation.ts', 'es', { report: { title: 'Gastos' } });
  const other = () => declareWording('file:///two.computation.ts', 'es', { report: { title: 'Costes' } });
  expect(other).toThrow('es: report.title is said in two ways, by file:///one.computation.ts and by file:///two.computation.ts.');
  expect(() => declareWording('file:///two.computation.ts', 'en-US', { report: { page: '{page} of {count}' } })).not.toThrow();
  expect(() => declareWording('file:///one.computation.ts', 'en', { report: { page: '{page}/{count}' } })).toThrow(
    'en-US: report.page is said',
  );
  expect(wordingOf('es').say('report.title')).toBe('Gastos');
});

it('what an extension declares in English is told by its text, and as it is where it has none', () => {
  addWording('de-AT', { declared: { 'Mileage claims': 'Fahrten' } });
  expect(['Mileage claims', 'Cost centres'].map(wordingOf('de-AT').told)).toEqual(['Fahrten', 'Cost centres']);
  expect(wordingOf('de').told('Mileage claims')).toBe('Mileage claims');
});
