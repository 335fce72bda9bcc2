import { describe, expect, it } from 'vitest';
import { streamOf, textsOfPdf } from '../fixtures/pdf-text.js';
import { someAbout, someLine, someReport, someResult, someStatements } from '../fixtures/report.js';
import { MOST_ITEMS } from './summary.js';
import { pdfFile } from '../fixtures/files.js';

type Wanted = Parameters<typeof someReport>[0];
const pagesOf = async (wanted?: Wanted) => textsOfPdf(await pdfFile(someReport(wanted)));
const wordsOf = async (wanted?: Wanted) => (await pagesOf(wanted)).flat().map(({ text }) => text);
const britain = { locale: 'en-GB' };
const category = someResult.categories[2]!;
const unclaimed = { ...someLine, category: null, categoryIndex: null, rule: null, claimablePercent: null, claimable: null };

describe('a PDF', () => {
  it('has a cover with who, for whom, when and of which run', async () => {
    const [cover] = await pagesOf({ options: britain });
    expect(cover!.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'Example Accountants LLP',
        'Claim report',
        'Harbour & Finch Ltd',
        'HF-2026',
        'Expenses of the first half of 2026',
        '1 January 2026 to 30 June 2026',
        '3 July 2026, 09:41 UTC',
        someAbout.runId,
        someResult.inputsHash,
      ]),
    );
  });

  it('has a summary of one page that begins with what is claimed and ends with what is not', async () => {
    const categories = Array.from({ length: 40 }, (_value, index) => ({ ...category, code: `C${index}` }));
    const pages = await pagesOf({ options: britain, result: { ...someResult, categories } });
    const words = pages[1]!.map(({ text }) => text);
    expect(words.slice(0, 3)).toEqual(['Summary', 'Amount claimed', 'EUR\u00a019,225.80']);
    expect(words).toContain('31 further categories');
    const places = [
      'EUR\u00a019,225.80',
      'From expenses to claim',
      'Not claimed',
      '310.15',
      'Bank statements cover 83.4% of the days of the period.',
    ];
    expect(places.map((text) => words.indexOf(text))).toEqual(places.map((text) => words.indexOf(text)).toSorted((a, b) => a - b));
    expect(pages[2]!.map(({ text }) => text)).toContain('Claim by category and month');
  });

  it('has a row for each category and month, with totals', async () => {
    const words = await wordsOf({ options: britain });
    expect(words).toEqual(
      expect.arrayContaining([
        'Cloud services (CLOUD)',
        'February 2026',
        '\u2212125.00',
        'Total Cloud services',
        '12,000.00',
        'Not claimed: Lines in no category, money out less money in',
      ]),
    );
    const withoutThem = await wordsOf({ options: { ...britain, includeUncategorised: false } });
    expect(withoutThem).not.toContain('Not claimed: Lines in no category, money out less money in');
  });

  it('lists the claimed lines with their evidence, whatever `detail` is, and no other line', async () => {
    const lines = [someLine, { ...unclaimed, description: 'Private lunch' }, { ...someLine, currency: 'USD', description: 'In dollars' }];
    for (const detail of ['none', 'lines'] as const) {
      const words = await wordsOf({ lines, options: { ...britain, detail } });
      const at = words.indexOf('S1/1');
      expect(words.slice(at, at + 3)).toEqual(['S1/1', '31 Mar 2026', 'PERSON-4HT8ZC2N6V']);
      const amount = words.indexOf('80.20', at);
      expect(words.slice(at + 3, amount).join(' ')).toBe('Train ticket, return journey · INV 2026/118');
      expect(words.slice(amount, amount + 3)).toEqual(['80.20', '100%', '80.20']);
      expect(words.join(' ')).not.toMatch(/Private lunch|In dollars/);
    }
  });

  it('lists no item and says so if there are too many for a document', async () => {
    const categories = [{ ...category, count: MOST_ITEMS + 1 }];
    const words = await wordsOf({ result: { ...someResult, categories }, lines: [someLine], options: britain });
    expect(words.join(' ')).toContain('The claim has 5,001 items. A document lists at most 5,000, so the items are not listed here.');
    expect(words).not.toContain('S1/1');
  });

  it('has the statements with periods, balances, certainty and hashes, and names them by number', async () => {
    const words = await wordsOf({ options: britain });
    expect(words).toEqual(
      expect.arrayContaining([
        'S2',
        'account-2.csv',
        '•••• 3000',
        'EUR\u00a04,210.00',
        'EUR\u00a01,550.15',
        `Certainty: proven by balances · SHA-256 ${someStatements[0]!.sha256}`,
      ]),
    );
    expect(words.filter((text) => text.includes(someStatements[1]!.id))).toEqual([]);
    expect(words.join(' ')).toContain('The lines of S2 (account-2.csv) do not add up to the change in its balance.');
  });

  it('has exceptions in sentences, the method, controls and room to sign', async () => {
    const words = await wordsOf({ options: britain });
    expect(words.filter((text) => /^[a-z]+(_[a-z]+)+$/.test(text))).toEqual([]);
    expect(words).toEqual(
      expect.arrayContaining(['Exceptions', 'Method and rounding', 'Controls', 'Sign-off', 'Prepared by', 'Reviewed by']),
    );
  });

  it('is written in the language of its locale', async () => {
    const german = await wordsOf({ lines: [someLine], options: { locale: 'de' } });
    expect(german).toEqual(expect.arrayContaining(['Zusammenfassung', 'Mai 2026', '31.03.2026', 'EUR\u00a019.225,80', 'Geprüft von']));
    expect(german.join(' ')).not.toMatch(/\b(Summary|Statements cover|Claim|Total)\b/);
    for (const locale of ['th', 'fa', 'ar-EG']) expect((await wordsOf({ options: { locale } })).join(' ')).toContain('Claim report');
  });

  it('has the paper of its locale or of the options', async () => {
    const sizeOf = async (options: NonNullable<Wanted>['options']) =>
      /\/MediaBox \[(.*?)\]/.exec((await pdfFile(someReport({ options }))).toString('latin1'))![1];
    expect(await sizeOf({ locale: 'en-US' })).toBe('0 0 612 792');
    expect(await sizeOf({ locale: 'en-GB' })).toBe('0 0 595.28 841.89');
    expect(await sizeOf({ locale: 'de', paperSize: 'letter' })).toBe('0 0 612 792');
  });

  it('has Latin, Greek, Cyrillic and Armenian letters, and marks missing ones', async () => {
    const titleOf = async (configuration: string) => (await pagesOf({ about: { ...someAbout, configuration } }))[0]![1]!.text;
    const title = 'Łódź Čačak Τρένα Поїзди Երևան №5 €';
    expect(await titleOf(title)).toBe(title);
    // Letters that join or stack are laid out by pdfkit.
    expect([...(await titleOf('שלום e\u0306 سلام'))]).toEqual(expect.arrayContaining(['ש', 'ĕ', 'س']));
    expect(await titleOf('東京 trip, a\u0000b\u202ec\nd')).toBe('\ufffd\ufffd trip, a bc d');
  });

  it('fails the run, and nothing else, if it is larger than the limit', async () => {
    for (const maxFileBytes of [1, 100_000])
      await expect(pdfFile(someReport({ maxFileBytes }))).rejects.toMatchObject({ code: 'file_too_large' });
  });

  it('is valid for an empty report of an earlier release', async () => {
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
    };
    const about = { ...someAbout, organization: null, project: null, clientReference: null, configuration: null };
    const words = await wordsOf({ about, result, findings: [], statements: [], options: britain });
    expect(words).toEqual(expect.arrayContaining(['Nothing is claimed.', 'No item is claimed.', 'There are no exceptions.']));
  });
});

describe('the pages of a PDF', () => {
  const many = {
    result: {
      ...someResult,
      categories: [{ ...category, count: 150, months: [{ ...category.months[0]!, month: '2026-03', count: 150 }] }],
    },
    lines: Array.from({ length: 150 }, (_value, index) => ({ ...someLine, lineNumber: index + 1, categoryIndex: 0 })),
    options: britain,
  };

  it('are numbered, repeat the heading of a table, and keep all texts within their margins', async () => {
    const pages = await pagesOf(many);
    const found = pages.flatMap((texts, index) => {
      expect(texts.at(-1)!.text).toBe(`Page ${index + 1} of ${pages.length}`);
      expect(texts.every(({ x, y }) => x >= 48 && x < 548 && y > 30 && y < 820)).toBe(true);
      const items = texts.filter(({ text }) => /^S\d+\/\d+$/.test(text));
      if (items.length > 0) expect(texts.findIndex(({ text }) => text === 'Evidence')).toBeLessThan(texts.indexOf(items[0]!));
      return items.map(({ text }) => text);
    });
    expect(found).toEqual(many.lines.map(({ lineNumber }) => `S1/${lineNumber}`));
  });

  it('wrap long texts, and go on on the next page with a text that is longer than a page', async () => {
    const words = Array.from({ length: 2_500 }, (_value, index) => `word${index}`);
    const lines = [{ ...someLine, description: `${words.join(' ')} ${'x'.repeat(200)}` }];
    const found = (await wordsOf({ lines, options: britain })).join(' ');
    expect([...new Set(found.match(/word\d+/g))]).toEqual(words);
    expect(found.replaceAll(' ', '')).toContain('x'.repeat(200));
  });

  it('have a bar for each month of the period, downwards for a negative claim', async () => {
    const content = (await pdfFile(someReport({ options: britain }))).toString('latin1');
    const streams = [...content.matchAll(/\/FlateDecode\n>>\nstream\n[^]*?\nendstream/g)].map(([stream]) => streamOf(stream));
    const bars = streams.flatMap((stream) =>
      [...stream.matchAll(/^([\d.]+) ([\d.]+) [\d.]+ ([\d.]+) re$/gm)].map((bar) => bar.map(Number)),
    );
    expect(bars).toHaveLength(6);
    expect(bars[0]![2]! + bars[0]![3]!).toBeCloseTo(bars[2]![2]! + bars[2]![3]!);
  });
});
