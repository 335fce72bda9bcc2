import { describe, expect, it } from 'vitest';
import { textsOfPdf } from '../fixtures/pdf-text.js';
import { someAbout, someLine, someReport, someResult } from '../fixtures/report.js';
import { pdfFile } from './pdf-file.js';

const pagesOf = async (...args: Parameters<typeof someReport>) => textsOfPdf(await pdfFile(someReport(...args)));
const wordsOf = async (...args: Parameters<typeof someReport>) => (await pagesOf(...args)).flat().map(({ text }) => text.trim());
const barsOf = async (...args: Parameters<typeof someReport>) => {
  const content = (await pdfFile(someReport(...args))).toString('latin1');
  return [...content.matchAll(/^([\d.]+) ([\d.]+) [\d.]+ ([\d.]+) re$/gm)].map(([, left, top, height]) => ({
    left: Number(left),
    top: Number(top),
    height: Number(height),
  }));
};
const category = someResult.categories[0]!;

describe('a PDF', () => {
  it('has title, period, totals, categories, months, evidence, controls and warnings', async () => {
    expect(await wordsOf()).toEqual(
      expect.arrayContaining([
        'Expenses of the first half of 2026',
        'Harbour & Finch Ltd',
        'January 1, 2026 – June 30, 2026 · Amounts in EUR',
        '19,225.80',
        '23,685.95',
        '24,811.35',
        '1,125.40',
        '310.15',
        '36',
        'CLOUD',
        'Cloud services',
        'Uncategorised',
        'Feb 2026',
        '3,105.00',
        'USD',
        'Statements cover 83.4 % of the days of the period. Covered in part: May 2026. Not covered: Jun 2026.',
        'categories_and_uncategorised_make_net',
        'no',
        'claimed_by_several',
      ]),
    );
  });

  it('has the tables that it is grouped by', async () => {
    const headingsFor = async (groupBy: ('category' | 'month')[]) =>
      (await wordsOf({ options: { groupBy } })).filter((text) => ['Categories', 'Months', 'Claimable by month'].includes(text));
    expect(await headingsFor([])).toEqual([]);
    expect(await headingsFor(['category'])).toEqual(['Categories']);
    expect(await headingsFor(['month'])).toEqual(['Claimable by month', 'Months']);
  });

  it('draws a bar for each month of the period, including months without lines', async () => {
    expect(await barsOf()).toHaveLength(6);
  });

  it('draws the bar of a month with a negative claim below the axis', async () => {
    const months = someResult.months.map((month, index) => (index === 1 ? { ...month, claimable: '-4030.20' } : month));
    const bars = await barsOf({ result: { ...someResult, months } });
    const [positive, negative] = [bars[0]!, bars[1]!];
    expect(negative.top).toBeCloseTo(positive.top + positive.height);
    expect(negative.height).toBeCloseTo(positive.height);
    expect(negative.left).toBeGreaterThan(positive.left);
  });

  it('leaves out uncategorised lines if the options say so, and the total, which would not match the rows', async () => {
    const options = { groupBy: ['category' as const] };
    expect((await wordsOf({ options })).filter((text) => ['Uncategorised', 'Total'].includes(text))).toEqual([
      'Uncategorised',
      'Uncategorised',
      'Total',
    ]);
    expect(
      (await wordsOf({ options: { ...options, includeUncategorised: false } })).filter((text) => ['Uncategorised', 'Total'].includes(text)),
    ).toEqual(['Uncategorised']);
  });

  it('never shows a line', async () => {
    expect(await wordsOf({ lines: [someLine], options: { detail: 'lines' } })).not.toContain(someLine.description);
  });

  it('repeats table headings on every page, numbers pages, and stays within the page', async () => {
    const pages = await pagesOf({
      result: { ...someResult, categories: Array.from({ length: 150 }, (_value, index) => ({ ...category, code: `CLOUD-${index}` })) },
      options: { groupBy: ['category'] },
    });
    expect(pages.length).toBeGreaterThan(3);
    pages.forEach((texts, index) => {
      expect(texts.at(-1)!.text).toBe(`Page ${index + 1} of ${pages.length}`);
      expect(texts.every(({ x, y }) => x >= 48 && x < 548 && y > 30 && y < 800)).toBe(true);
      const rows = texts.filter(({ text }) => text.startsWith('CLOUD-'));
      if (rows.length > 0)
        expect(texts.findIndex(({ text }) => text === 'Claimable' || text === 'Category')).toBeLessThan(texts.indexOf(rows[0]!));
    });
    const codes = pages
      .flat()
      .map(({ text }) => text)
      .filter((text) => text.startsWith('CLOUD-'));
    expect(codes).toEqual(Array.from({ length: 150 }, (_value, index) => `CLOUD-${index}`));
  });

  it('wraps long texts within their cell', async () => {
    const name = 'Fees for consultants and contractors '.repeat(6).trim();
    const long = { ...category, name, code: 'X'.repeat(100) };
    const words = await wordsOf({ result: { ...someResult, categories: [long] }, options: { groupBy: ['category'] } });
    expect(words).not.toContain(name);
    expect(words.join(' ')).toContain('Fees for consultants');
    expect(words.join('')).toContain(long.code);
  });

  it('formats numbers and months for its locale, with Latin digits and the Gregorian calendar', async () => {
    expect(await wordsOf({ options: { locale: 'de' } })).toEqual(
      expect.arrayContaining(['1. Januar 2026 – 30. Juni 2026 · Amounts in EUR', '23.685,95', 'März 2026']),
    );
    for (const locale of ['th', 'fa', 'ar-EG']) {
      const words = (await wordsOf({ options: { locale } })).join(' ');
      expect(words).toContain('2026');
      expect(words).not.toMatch(/\p{Nd}(?<![0-9])/u);
    }
  });

  it('falls back to English for an unknown locale', async () => {
    expect(await wordsOf({ options: { locale: 'xx' } })).toEqual(await wordsOf());
  });

  it('has Latin, Greek, Cyrillic and Armenian letters, and marks missing ones', async () => {
    const titleOf = async (title: string) => (await pagesOf({ about: { ...someAbout, configuration: title } }))[0]![0]!.text;
    const title = 'Łódź Čačak Τρένα Поїзди Երևան №5 €';
    expect(await titleOf(title)).toBe(title);
    expect(await titleOf('東京 trip, a\u0000b\u202ec\nd')).toBe('\ufffd\ufffd trip, a bc d');
  });

  it('is valid for an empty report', async () => {
    const nothing = { count: 0, gross: '0', refunds: '0', net: '0', claimable: '0' };
    const result = {
      ...someResult,
      period: null,
      currency: null,
      totals: { ...nothing, uncategorised: '0' },
      categories: [],
      months: [],
      uncategorised: { count: 0, net: '0' },
      otherCurrencies: [],
      evidence: { coveragePercent: '0.0', months: [] },
      controls: [],
      warnings: [],
      statements: [],
    };
    const words = await wordsOf({ about: { ...someAbout, project: null }, result });
    expect(words).toContain('Statements cover 0.0 % of the days of the period.');
    expect(words.at(-1)).toBe('Page 1 of 1');
  });
});
