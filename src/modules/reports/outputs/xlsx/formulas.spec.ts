import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FreeForm } from '../../../../kernel/json.js';
import { categoryOf, claiming, configurationOf, lineOf, statementOf } from '../../engine/fixtures/run.js';
import type { RunCategory, RunLine } from '../../engine/inputs.js';
import { computedReport } from '../fixtures/computed-report.js';
import { Recalculation } from '../fixtures/recalculation.js';
import { sheetsOf, type FoundCell } from '../fixtures/workbook.js';
import type { Report } from '../report.js';
import { xlsxFile } from '../fixtures/files.js';

type Sheets = Map<string, Record<string, FoundCell>>;

const categories = [
  categoryOf('HALF', [claiming('lunch', 50)]),
  categoryOf('THIRD', [claiming('rail', '33.3333')]),
  // Another project may have a category with the same code.
  { ...categoryOf('THIRD', [claiming('cloud')]), id: 'ffffffff-7c1e-7b6a-9f0e-000000000000' },
  categoryOf('UNUSED', [claiming('nothing')]),
];

const taxedCategories = [
  categoryOf('MEALS', [
    { ...claiming('lunch', 50), taxPercent: 19 },
    { ...claiming('cloud'), taxPercent: '8.1' },
  ]),
  categoryOf('TRAVEL', [{ ...claiming('rail', '33.3333'), taxPercent: 7 }]),
  categoryOf('OTHER', [claiming('rent')]),
];

const reportOf = (
  lines: readonly (Partial<RunLine> & { amount: string })[],
  options: Partial<Report['options']> = {},
  some: RunCategory[] = categories,
  outputOptions: FreeForm = {},
) =>
  computedReport(
    { categories: some, configuration: configurationOf({ periodEnd: '2026-04-30', outputOptions }), statements: [statementOf(1)] },
    lines.map(({ amount, ...line }) => lineOf(1, amount, line)),
    options,
  );

/** What each formula makes now, beside what is stored. */
function computedAgain(sheets: Sheets): [place: string, computed: string, stored: string][] {
  const workbook = new Recalculation(sheets);
  return [...sheets].flatMap(([sheet, cells]) =>
    Object.entries(cells)
      .filter(([, { formula }]) => formula !== undefined)
      .map(([reference, { value }]): [string, string, string] => {
        const computed = Number(workbook.valueAt({ sheet, reference }));
        // Binary numbers leave something over.
        const isEqual = Math.abs(computed - Number(value)) < 1e-7;
        return [`${sheet}!${reference}`, isEqual ? value : String(computed), value];
      }),
  );
}

const amount = fc
  .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.constantFrom(2, 2, 3))
  .map(([value, decimals]) => (value / 10 ** decimals).toFixed(decimals))
  .filter((text) => !/^-0(\.0+)?$/.test(text));
const line = fc.record({
  amount,
  description: fc.constantFrom('Rail', 'Lunch', 'Cloud', 'Rent'),
  bookedOn: fc.constantFrom('2026-01-15', '2026-01-31', '2026-02-01', '2026-04-30'),
  currency: fc.constantFrom('EUR', 'EUR', 'USD', null),
});
const options = fc.record({
  groupBy: fc.constantFrom<Report['options']['groupBy']>(['category', 'month'], ['category'], ['month'], []),
  includeUncategorised: fc.boolean(),
  detail: fc.constantFrom<Report['options']['detail']>('none', 'lines'),
});

const rates = fc.oneof(
  fc.constant<FreeForm>({}),
  fc.integer({ min: 1, max: 99_999 }).map((rate): FreeForm => {
    const table = [{ currency: 'USD', month: '2026-01', rate: (rate / 10_000).toFixed(4) }];
    return { currency: 'EUR', rates: { source: 'Tax office', table } };
  }),
);

/** A tenth of a millionth of a euro. */
const TINY = { amount: '-0.001', description: 'Rail', bookedOn: '2026-01-15', currency: 'USD' } as const;
const TINY_RATE: FreeForm = {
  currency: 'EUR',
  rates: { source: 'Tax office', table: [{ currency: 'USD', month: '2026-01', rate: '0.0001' }] },
};

describe('the formulas of a workbook', () => {
  it('make the values that are stored with them, whatever the lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), options, fc.boolean(), rates, async (lines, chosen, taxed, outputOptions) => {
        const sheets = sheetsOf(await xlsxFile(await reportOf(lines, chosen, taxed ? taxedCategories : categories, outputOptions)));
        for (const [place, computed, stored] of computedAgain(sheets)) expect([place, computed]).toEqual([place, stored]);
      }),
      { numRuns: 200, examples: [[[TINY], { groupBy: ['category'], includeUncategorised: false, detail: 'none' }, false, TINY_RATE]] },
    );
  });

  it('make them with the taxes that receipts state as well, in euros or converted', async () => {
    const withTax = fc.record({ line, permille: fc.option(fc.integer({ min: 0, max: 1000 })) });
    await fc.assert(
      fc.asyncProperty(fc.array(withTax, { maxLength: 20 }), rates, async (wanted, outputOptions) => {
        const lines = wanted.map((one) => lineOf(1, one.line.amount, one.line));
        const receipts = wanted.flatMap(({ permille }, index) => {
          const { fingerprint, amount: text } = lines[index]!;
          if (permille === null) return [];
          const taxAmount = (Math.floor((Math.abs(Number(text)) * 1000 * permille) / 1000) / 1000).toFixed(3);
          const file = { id: '', fileName: 'invoice.pdf', mediaType: 'application/pdf', sizeBytes: 1, sha256: '0'.repeat(64) };
          return [{ ...file, fingerprint, occurrence: 1, taxAmount }];
        });
        const configuration = configurationOf({ periodEnd: '2026-04-30', outputOptions });
        const inputs = {
          categories: taxedCategories,
          configuration,
          statements: [statementOf(1)],
          ...(receipts.length > 0 && { receipts }),
        };
        const report = await computedReport(inputs, lines);
        expect(report.result.controls.filter(({ ok }) => !ok)).toEqual([]);
        const sheets = sheetsOf(await xlsxFile(report));
        expect(sheets.has('Receipts')).toBe(receipts.length > 0);
        for (const [place, computed, stored] of computedAgain(sheets)) expect([place, computed]).toEqual([place, stored]);
      }),
      { numRuns: 100 },
    );
  });

  it('make the claim of the report from the claims of its items, each category and month rounded once', async () => {
    const lines = ['-0.01', '-0.01', '-10.01', '-20.03'].map((text) => ({ amount: text, description: 'Lunch' }));
    const report = await reportOf([...lines, { amount: '-10.00' }, { amount: '-7.00', description: 'Cloud' }]);
    const sheets = sheetsOf(await xlsxFile(report));
    expect(report.result.totals.claimable).toBe('25.36');
    expect(sheets.get('Summary')!.B3).toMatchObject({ value: '25.36', format: '#,##0.00' });
    expect(sheets.get('Summary')!.B3!.formula).toMatch(/^G\d+$/);
    const { I2, J2, K2, I3, I8 } = sheets.get('Categories')!;
    expect([I2!.value, J2!.value, K2!.value, I3!.value]).toEqual(['15.03', '15.03', '0', '15.03']);
    expect(I3!.formula).toBe('SUBTOTAL(9,I2:I2)');
    expect(J2!.formula).toBe("ROUND(ROUND(SUMIFS('Items'!$M$2:$M$7,'Items'!$A$2:$A$7,$A2,'Items'!$C$2:$C$7,$D2),5),2)");
    expect(I8).toMatchObject({ value: '0.00', format: '#,##0.00' });
  });

  it('make the tax of the report from the taxes of its items', async () => {
    const lines = [
      { amount: '-23.80', description: 'Lunch' },
      { amount: '-10.81', description: 'Cloud' },
      { amount: '4.76', description: 'Lunch' },
      { amount: '-5.00', description: 'Rent' },
    ];
    const report = await reportOf(lines, {}, taxedCategories);
    expect(report.result.totals).toMatchObject({ claimable: '25.33', claimableTax: '2.33', claimableNet: '23.00' });
    const sheets = sheetsOf(await xlsxFile(report));
    const { I1, J1, I2, J2, M2, N2 } = sheets.get('Categories')!;
    expect([I1!.value, J1!.value]).toEqual(['Claim', 'Tax in claim']);
    expect([I2!.value, J2!.value, M2!.value, N2!.value]).toEqual(['20.33', '2.33', '0', '2.33']);
    const items = sheets.get('Items')!;
    expect([items.N2!.value, items.O2!.value, items.O2!.formula]).toEqual(['19', '1.90', 'M2*N2/(100+N2)']);
    expect([items.N5, items.O5]).toEqual([undefined, undefined]);
    for (const [place, computed, stored] of computedAgain(sheets)) expect([place, computed]).toEqual([place, stored]);
    const changed = new Map([...sheets, ['Items', { ...items, N2: { ...items.N2!, value: '7' } }]]);
    const wrong = computedAgain(changed).filter(([, computed, stored]) => computed !== stored);
    expect(wrong.map(([place]) => place)).toEqual(expect.arrayContaining(['Categories!N2', expect.stringMatching(/^Summary!G/)]));
  });

  it('tell categories with the same code apart', async () => {
    const report = await reportOf([{ amount: '-3.00' }, { amount: '-7.00', description: 'Cloud' }]);
    const sheets = sheetsOf(await xlsxFile(report));
    const rows = Object.entries(sheets.get('Categories')!).filter(([place, { value }]) => place.startsWith('B') && value === 'THIRD');
    expect(rows).toHaveLength(4);
    for (const [place, computed, stored] of computedAgain(sheets)) expect([place, computed]).toEqual([place, stored]);
  });

  it('show a difference when somebody changes an item', async () => {
    const sheets = sheetsOf(await xlsxFile(await reportOf([{ amount: '-3.00', description: 'Cloud' }, { amount: '-5.00' }])));
    const items = sheets.get('Items')!;
    const changed = new Map([...sheets, ['Items', { ...items, M2: { ...items.M2!, value: '2.50' } }]]);
    const wrong = computedAgain(changed).filter(([, computed, stored]) => computed !== stored);
    expect(wrong.map(([place]) => place)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Summary!G/), expect.stringMatching(/^Categories!K/)]),
    );
  });
});
