import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addFractions, formatMoney, moneyOf, NOTHING, readPercent, roundFraction, shareOf } from '../../../kernel/money.js';
import { categoryOf, claiming, compute, inputsOf, lineOf } from './fixtures/run.js';
import type { RunDecision, RunReceipt } from './inputs.js';

const receiptOf = (fingerprint: string | null, taxAmount: string | null = null): RunReceipt => ({
  ...{ id: '', fingerprint, occurrence: fingerprint === null ? null : 1, fileName: 'invoice.pdf', mediaType: 'application/pdf' },
  ...{ sizeBytes: 1, sha256: '0'.repeat(64), taxAmount },
});

const decided = (fingerprint: string, parts: readonly (readonly [amount: string, percent: string])[], categoryId: string): RunDecision => ({
  ...{ id: '', fingerprint, occurrence: 1, by: 'Jane', at: '', reason: null },
  parts: parts.map(([amount, claimablePercent]) => ({ categoryId, amount, claimablePercent, taxPercent: null })),
});

const cents = (value: number): string => (value / 100).toFixed(2);

describe('the tax that receipts state', () => {
  it('adds up exactly, whatever is split, claimed in part, refunded, or stated by a percentage beside it', async () => {
    const line = fc.record({
      size: fc.integer({ min: 1, max: 100_000 }),
      isRefund: fc.boolean(),
      tax: fc.option(fc.integer({ min: 0, max: 1000 })),
      percent: fc.integer({ min: 0, max: 100 }),
      cut: fc.option(fc.integer({ min: 1, max: 999 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (wanted) => {
        const category = categoryOf('RAIL', [{ ...claiming('rail'), taxPercent: 19 }]);
        const lines = wanted.map(({ size, isRefund }) => lineOf(1, `${isRefund ? '' : '-'}${cents(size)}`));
        const receipts: RunReceipt[] = [];
        const decisions: RunDecision[] = [];
        let expected = NOTHING;
        for (const [index, { size, isRefund, tax, percent, cut }] of wanted.entries()) {
          const { fingerprint } = lines[index]!;
          const sign = isRefund ? '' : '-';
          const first = cut === null || size === 1 ? size : Math.max(1, Math.floor((size * cut) / 1000));
          const parts = first === size ? [first] : [first, size - first];
          decisions.push(
            decided(
              fingerprint,
              parts.map((part) => [sign + cents(part), String(percent)] as const),
              category.id,
            ),
          );
          if (tax === null) continue;
          const stated = Math.floor((size * tax) / 1000);
          const half = Math.floor(stated / 2);
          receipts.push(receiptOf(fingerprint, cents(half)), receiptOf(fingerprint, cents(stated - half)), receiptOf(fingerprint));
          const share = shareOf(moneyOf(cents(stated)), readPercent(String(percent))!);
          expected = addFractions(expected, { numerator: isRefund ? -share : share, denominator: 1n });
        }
        const result = await compute(inputsOf({ categories: [category], decisions, ...(receipts.length > 0 && { receipts }) }), lines);
        expect(result.controls.filter(({ ok }) => !ok)).toEqual([]);
        expect(result.totals.claimableTax).toBe(formatMoney(roundFraction(expected, 2), 2));
        expect(result.receipts?.length ?? 0).toBe(receipts.length);
      }),
      { numRuns: 300 },
    );
  });

  it('takes the place of a percentage for its line, and of no other', async () => {
    const category = categoryOf('RAIL', [{ ...claiming('rail'), taxPercent: 19 }]);
    const lines = [lineOf(1, '-119.00'), lineOf(1, '-119.00'), lineOf(1, '-50.00', { description: 'lunch' })];
    const seen: unknown[] = [];
    const inputs = inputsOf({ categories: [category], receipts: [receiptOf(lines[0]!.fingerprint, '7.79'), receiptOf(null)] });
    const result = await compute(inputs, lines, ({ receipts, taxPercent, statedTax }) => seen.push([receipts, taxPercent, statedTax]));
    expect(result.totals).toMatchObject({ claimable: '238.00', claimableTax: '26.79', claimableNet: '211.21' });
    expect(seen).toEqual([
      ['R1', null, '7.79'],
      [undefined, '19', undefined],
      [undefined, null, undefined],
    ]);
  });

  it('is refused where it is more than its line, as an item may be cheaper by now', async () => {
    const lines = [lineOf(1, '-10.00')];
    const inputs = inputsOf({
      categories: [categoryOf('RAIL', [claiming('rail')])],
      receipts: [receiptOf(lines[0]!.fingerprint, '10.01')],
    });
    await expect(compute(inputs, lines)).rejects.toMatchObject({ code: 'receipt_tax_too_large', message: expect.stringContaining('R1') });
  });

  it('is in the currency of its line, and converted with it', async () => {
    const options = { currency: 'EUR', rates: { source: 'Tax office', table: [{ currency: 'USD', month: '2026-01', rate: '0.5' }] } };
    const configuration = {
      id: '',
      name: '',
      periodStart: '2026-01-01',
      periodEnd: '2026-12-31',
      categoryFilter: {},
      outputOptions: options,
    };
    const lines = [lineOf(1, '-120.00', { currency: 'USD' })];
    const receipts = [receiptOf(lines[0]!.fingerprint, '20.00')];
    const { totals } = await compute(inputsOf({ configuration, categories: [categoryOf('RAIL', [claiming('rail')])], receipts }), lines);
    expect(totals).toMatchObject({ claimable: '60.00', claimableTax: '10.00', claimableNet: '50.00' });
  });
});

describe('a category that wants receipts', () => {
  const wanting = (from: string) => categoryOf('RAIL', [], { sourceMapping: { rules: [claiming('rail')], receipt: { from } } });

  it('has one warning of all its lines of that amount without one: money out alone, and a whole line where it is split', async () => {
    const category = wanting('50.00');
    const lines = [lineOf(1, '-50.00'), lineOf(1, '-49.99'), lineOf(1, '80.00'), lineOf(1, '-70.00'), lineOf(1, '-60.00')];
    const receipts = [receiptOf(lines[3]!.fingerprint), receiptOf(null)];
    const decisions = [
      decided(
        lines[4]!.fingerprint,
        [
          ['-30.00', '100'],
          ['-30.00', '50'],
        ],
        category.id,
      ),
    ];
    const { warnings } = await compute(inputsOf({ categories: [category], receipts, decisions }), lines);
    expect(warnings.filter(({ code }) => code === 'receipt_missing')).toEqual([
      { code: 'receipt_missing', message: '3 lines of RAIL have no receipt: 110.00 in all.' },
    ]);
  });

  it.each(['-1.00', '1,00', ''])('refuses an amount that is none: %j', async (from) => {
    await expect(compute(inputsOf({ categories: [wanting(from)] }), [])).rejects.toThrow('receipt.from');
  });
});
