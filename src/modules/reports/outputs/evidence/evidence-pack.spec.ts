import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatMoney, moneyOf, roundMoney, type Money } from '../../../../kernel/money.js';
import { categoryOf, claiming, configurationOf, idOf, lineOf, statementOf } from '../../engine/fixtures/run.js';
import type { RunLine } from '../../engine/inputs.js';
import { computedReport } from '../fixtures/computed-report.js';
import { filesOf, manifestIn, makePack } from '../fixtures/evidence.js';
import { pagesOf, textsOfPdf, unmarkedOperatorsOf } from '../fixtures/pdf-text.js';
import { rowsOfStatement } from '../fixtures/statement-rows.js';
import type { Report } from '../report.js';
import { pdfFile } from '../fixtures/files.js';
import { MOST_LINES } from './evidence-pack.js';

const PERCENTS = { Rail: 100, Lunch: 33.3333 };
const categories = Object.entries(PERCENTS).map(([text, percent]) => categoryOf(text.toUpperCase(), [claiming(text, percent)]));
const statements = [statementOf(1), statementOf(2), statementOf(3)];
const britain = { formats: ['evidence'] as const, locale: 'en-GB' };

/** Lines of every kind: claimed, not claimed, in dollars, repeated, and outside the period. The third statement has none. */
const someLines = (): RunLine[] => [
  lineOf(1, '-10.00', { bookedOn: '2026-02-03' }),
  lineOf(1, '-20.00', { description: 'Lunch', bookedOn: '2026-01-02' }),
  lineOf(1, '-99.00', { description: 'Private' }),
  lineOf(1, '-7.00', { bookedOn: '2025-12-31' }),
  lineOf(2, '-10.00', { bookedOn: '2026-02-03', fingerprint: 'the same' }),
  lineOf(2, '4.00', { description: 'Lunch', bookedOn: '2026-01-02' }),
  lineOf(2, '-8.00', { currency: 'USD' }),
];

function reportOf(lines: RunLine[], options: Partial<Report['options']> = {}, more: Partial<Report> = {}): Promise<Report> {
  const configuration = configurationOf();
  return computedReport({ categories, statements, configuration }, lines, { ...britain, ...options }).then((report) => ({
    ...report,
    ...more,
  }));
}

const wordsOf = (pdf: Buffer) => textsOfPdf(pdf).flatMap((page) => page.map(({ text }) => text));
const figureOf = (text: string): Money => moneyOf(text.replaceAll(',', '').replace('\u2212', '-'));
const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe('an evidence pack', () => {
  it('has the report, each statement, the other files that were asked for, and a manifest with size and hash of each', async () => {
    const report = await reportOf(someLines(), { formats: ['csv', 'xlsx', 'evidence'] });
    const files = filesOf(await makePack(report));
    const paths = ['report.csv', 'report.xlsx', 'report.pdf', 'statements/S1.pdf', 'statements/S2.pdf', 'statements/S3.pdf'];
    expect([...files.keys()]).toEqual([...paths, 'manifest.json']);
    const manifest = manifestIn(files);
    expect(manifest.files).toEqual(paths.map((path) => ({ path, bytes: files.get(path)!.length, sha256: hashOf(files.get(path)!) })));
    expect(files.get('report.pdf')!.equals(await pdfFile(report))).toBe(true);
  });

  it('says in its manifest which run, and what was claimed of which imported file', async () => {
    const report = await reportOf(someLines());
    const { files: _files, ...manifest } = manifestIn(filesOf(await makePack(report)));
    const { runId, startedAt, organization, project, clientReference, configuration } = report.about;
    const { inputsHash, engineVersion, period, totals } = report.result;
    const about = { run: runId, madeAt: startedAt, organization, project, clientReference, configuration };
    expect(Object.keys(manifest).slice(0, 3)).toEqual(['schema', 'run', 'madeAt']);
    expect(manifest).toMatchObject({
      ...{ schema: 'claim-evidence/1', ...about, inputsHash, engineVersion, period, currency: 'EUR', claimable: totals.claimable },
      statements: [
        { reference: 'S1', id: idOf(1), sha256: statements[0]!.sha256, fileName: 'account-1.csv', linesRead: 4, claimedItems: 2 },
        { reference: 'S2', linesRead: 3, claimedItems: 2, claim: '8.666668', files: ['statements/S2.pdf'] },
        { reference: 'S3', linesRead: 0, claimedItems: 0, claim: '0.00', files: ['statements/S3.pdf'] },
      ],
    });
  });

  it('shows every line of a statement, marks those that are claimed, and says what became of the others', async () => {
    const [a, b, c, d, e, f, g] = someLines();
    const repeated = { ...e!, fingerprint: a!.fingerprint };
    const lines = [a!, b!, c!, d!, repeated, f!, g!];
    const files = filesOf(await makePack(await reportOf(lines)));
    const rows = [1, 2].flatMap((number) => rowsOfStatement(files.get(`statements/S${number}.pdf`)!));
    expect(rows.map(({ lineNumber }) => lineNumber)).toEqual(lines.map(({ lineNumber }) => lineNumber));
    expect(rows.map(({ item, rest }) => [item, ...rest])).toEqual([
      [3, 'Rail ticket', '\u221210.00', 'RAIL', '100%', '10.00'],
      [1, 'Lunch', '\u221220.00', 'LUNCH', '33.3333%', '6.66666'],
      [null, 'Private', '\u221299.00', '\u2013'],
      [null, 'Rail ticket', '\u22127.00', 'outside the period'],
      [null, 'Rail ticket', '\u221210.00', 'repeated, counted earlier'],
      [2, 'Lunch', '4.00', 'LUNCH', '33.3333%', '\u22121.333332'],
      [null, 'Rail ticket', 'USD\u00a0\u22128.00', 'other currency'],
    ]);
    const words = wordsOf(files.get('statements/S2.pdf')!);
    const countOf = (label: string) => words[words.indexOf(label) + 1];
    expect(countOf('Repeated: counted in an earlier statement')).toBe('1');
    expect(countOf('Not claimed: not in the currency of the report')).toBe('1');
    expect(wordsOf(files.get('statements/S3.pdf')!)).toContain('The statement has no lines.');
  });

  it('leaves out lines without a category if the options say so, and says how many', async () => {
    const files = filesOf(await makePack(await reportOf(someLines(), { includeUncategorised: false })));
    expect(rowsOfStatement(files.get('statements/S1.pdf')!).map(({ item }) => item)).toEqual([3, 1]);
    const words = wordsOf(files.get('statements/S1.pdf')!).join(' ');
    expect(words).toContain('2 lines without a category are not shown, because the report was asked to leave them out.');
    expect(words).not.toContain('Private');
  });

  it('is the same bytes whenever and wherever it is made', async () => {
    const report = await reportOf(someLines(), { formats: ['json', 'evidence'] });
    const first = hashOf(await makePack(report));
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-08-07T21:43:12Z') });
    vi.stubEnv('TZ', 'Pacific/Auckland');
    expect(hashOf(await makePack(report))).toBe(first);
  });

  it.each([
    ['en-GB', 'Bank statement S1'],
    ['en-US', 'Bank statement S1'],
    ['de', 'Kontoauszug S1'],
    ['fr', 'Relevé bancaire S1'],
    ['es', 'Extracto bancario S1'],
    ['nl', 'Bankafschrift S1'],
  ])('is in the language of the report: %s', async (locale, title) => {
    const files = filesOf(await makePack(await reportOf(someLines(), { locale })));
    const words = wordsOf(files.get('statements/S1.pdf')!);
    expect(words[0]).toBe(title);
    if (!locale.startsWith('en')) expect(words.join(' ')).not.toMatch(/\b(claimed|Lines|Period|shaded)\b/);
    const [, , , height] = /\/MediaBox \[(\S+) (\S+) (\S+) (\S+)\]/.exec(files.get('statements/S1.pdf')!.toString('latin1'))!.slice(1);
    expect(height).toBe(locale === 'en-US' ? '612' : '595.28');
  });

  it('has statements for archives and screen readers, in which shading is decoration', async () => {
    const content = filesOf(await makePack(await reportOf(someLines()))).get('statements/S1.pdf')!;
    const text = content.toString('latin1');
    expect(text).toMatch(/pdfaid:part>2</);
    for (const type of ['H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD']) expect(text).toContain(`/S /${type}\n`);
    const pages = pagesOf(content);
    expect(pages.join('\n').match(/ re$/gm)).toHaveLength(4);
    expect(pages.flatMap(unmarkedOperatorsOf)).toEqual([]);
  });

  it('splits a long statement into several documents', { timeout: 60_000 }, async () => {
    const lines = Array.from({ length: MOST_LINES + 2 }, () => lineOf(2, '-1.00'));
    const files = filesOf(await makePack(await reportOf(lines)));
    expect(manifestIn(files).statements[1]!.files).toEqual(['statements/S2-1.pdf', 'statements/S2-2.pdf']);
    const rows = [1, 2].map((part) => rowsOfStatement(files.get(`statements/S2-${part}.pdf`)!));
    expect(rows.map(({ length }) => length)).toEqual([MOST_LINES, 2]);
    expect(rows[1]!.map(({ item }) => item)).toEqual([MOST_LINES + 1, MOST_LINES + 2]);
    expect(wordsOf(files.get('statements/S2-2.pdf')!)[0]).toBe('Bank statement S2, Part 2 of 2');
  });

  it('fails the run if it is larger than the limit, and is never made without a line', async () => {
    for (const maxFileBytes of [1, 100_000])
      await expect(makePack(await reportOf(someLines(), {}, { maxFileBytes }))).rejects.toMatchObject({ code: 'file_too_large' });
    await expect(makePack(await reportOf(someLines(), {}, { leftOut: { repeated: [], outside: [] } }))).rejects.toThrow('lines of S1');
  });
});

describe('the items in the statements of an evidence pack', () => {
  const line = fc.record({
    statement: fc.constantFrom(1, 2),
    cents: fc.integer({ min: -50_000, max: 50_000 }),
    description: fc.constantFrom('Rail ticket', 'Lunch', 'Private'),
    bookedOn: fc.constantFrom('2026-01-15', '2026-02-03', '2026-02-28', '2025-06-01'),
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD', null),
    fingerprint: fc.integer({ min: 1, max: 30 }),
  });

  it('are those of the report, each once, with the same numbers, and add up to the claim', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 40 }), async (wanted) => {
        const lines = wanted
          .toSorted((a, b) => a.statement - b.statement)
          .map(({ statement, cents, fingerprint, ...more }) =>
            lineOf(statement, (cents / 100).toFixed(2), { ...more, fingerprint: `booking ${fingerprint}` }),
          );
        const report = await reportOf(lines, { currency: 'EUR' });
        const files = filesOf(await makePack(report));
        const rows = report.statements.flatMap(({ reference }) =>
          rowsOfStatement(files.get(`statements/${reference}.pdf`)!).map((row) => ({ ...row, place: `${reference}/${row.lineNumber}` })),
        );
        expect(rows.map(({ lineNumber }) => lineNumber)).toEqual(lines.map(({ lineNumber }) => lineNumber));
        const marked = rows.filter(({ item }) => item !== null).sort((a, b) => a.item! - b.item!);
        const listed = wordsOf(files.get('report.pdf')!);
        expect(marked.map(({ item, place }) => [item, place])).toEqual(
          listed.flatMap((word, index) => (/^S\d\/\d+$/.test(word) ? [[Number(listed[index - 1]), word]] : [])),
        );
        const claims = new Map<string, Money>();
        for (const { date, rest } of marked) {
          const key = `${date.slice(-8)} ${rest.at(-3)}`;
          claims.set(key, (claims.get(key) ?? 0n) + figureOf(rest.at(-1)!));
        }
        const claimed = [...claims.values()].reduce((sum, claim) => sum + roundMoney(claim, 2), 0n);
        expect(formatMoney(claimed, 2)).toBe(report.result.totals.claimable);
      }),
      { numRuns: 15 },
    );
  });
});

describe('the receipts of a pack', () => {
  const content = Buffer.from('%PDF-1.7 an invoice');
  const line = lineOf(1, '-10.00');
  const receipt = {
    id: '',
    fileName: '../../Rechnung.pdf',
    mediaType: 'application/pdf',
    sizeBytes: content.length,
    sha256: hashOf(content),
  };
  const withReceipt = () =>
    computedReport(
      {
        categories,
        statements,
        configuration: configurationOf(),
        receipts: [{ ...receipt, fingerprint: line.fingerprint, occurrence: 1, taxAmount: null }],
      },
      [line],
      britain,
    );
  const parts = (...sent: readonly Uint8Array[]) => sent.map((bytes) => ({ index: 0, bytes }));

  it('have the names that its items know them by, and hashes in the manifest', async () => {
    const files = filesOf(await makePack(await withReceipt(), parts(content.subarray(0, 5), content.subarray(5))));
    expect(files.get('receipts/R1.pdf')!.equals(content)).toBe(true);
    const inManifest = manifestIn(files).files.find(({ path }) => path === 'receipts/R1.pdf');
    expect(inManifest).toEqual({ path: 'receipts/R1.pdf', bytes: content.length, sha256: receipt.sha256 });
    const words = wordsOf(files.get('report.pdf')!);
    for (const word of ['S1/' + String(line.lineNumber) + ', R1', '../../Rechnung.pdf', receipt.sha256])
      expect(words.join(' ')).toContain(word);
  });

  it('are those that were recorded: no pack is made with another file, or without one that was withdrawn meanwhile', async () => {
    for (const sent of [parts(new Uint8Array()), parts(Buffer.from('another file'))])
      await expect(withReceipt().then((report) => makePack(report, sent))).rejects.toMatchObject({ code: 'receipt_removed' });
  });
});
