import { describe, expect, it } from 'vitest';
import { isWordingKey } from './catalogues.js';
import { wordingOf } from './wording.js';

describe('words', () => {
  it('are English for other languages, with the figures of the locale', () => {
    const { say, formats, language } = wordingOf('it');
    expect([say('report.title'), language, formats.number('1234567.50'), formats.month('2026-03')]).toEqual([
      'Claim report',
      'en-GB',
      '1.234.567,50',
      'March 2026',
    ]);
    expect(say('report.items.tooMany', { count: 15_001, most: 15_000 })).toMatch(/^The claim has 15\.001 items\./);
  });

  it('are those of the language for each of its regions', () => {
    expect([
      wordingOf('de-AT').say('report.title'),
      wordingOf('en-AU').say('report.fields.organization'),
      wordingOf('en-US').say('report.fields.organization'),
      wordingOf('en-US').say('report.title'),
    ]).toEqual([wordingOf('de').say('report.title'), 'Organisation', 'Organization', 'Claim report']);
  });

  it('have numbers as the locale writes them, and exact decimals', () => {
    const say = (locale: string, count: number) => wordingOf(locale).say('report.summary.furtherCategories', { count });
    expect([say('de', 1), say('de', 1234), say('de-CH', 1234), say('fr', 0)]).toEqual([
      '1 weitere Kategorie',
      '1.234 weitere Kategorien',
      `${wordingOf('de-CH').formats.number(1234)} weitere Kategorien`,
      '0 autre catégorie',
    ]);
    const exact = '-1234567890123456789.10';
    expect(wordingOf('en-GB').say('report.method.balances', { all: 2, agreeing: exact })).toContain('\u22121,234,567,890,123,456,789.10.');
  });

  it('say what they are given as it is', () => {
    expect(wordingOf('en-GB').say('report.totalOf', { what: "Mary's {count} #1 <b>" })).toBe("Total Mary's {count} #1 <b>");
  });

  it('are not said without what they are about', () => {
    expect(() => wordingOf('en-GB').say('report.page', { page: 1 })).toThrow('"count" was not provided');
  });

  it('have keys, of which nothing of JavaScript is one', () => {
    expect(['report.title', 'report', 'report.constructor', 'constructor'].map(isWordingKey)).toEqual([true, false, false, false]);
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
