import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { categoryOf, claiming, compute, idOf, inputsOf, lineOf, tokenOf } from '../fixtures/run.js';
import { moneyOf } from '../../../../kernel/money.js';
import { UnclaimedLines } from './currency-ledger.js';

describe('the lines that no category claims', () => {
  it('are named by place, amount and token: no name of a person or a company', async () => {
    const lines = [
      lineOf(1, '-20.00', { description: 'rail' }),
      lineOf(1, '-80.50', { description: 'Printer', counterparty: 'Office World Ltd' }),
      lineOf(1, '-3.00', { description: 'Lunch', counterparty: 'PERSON-7Q2M4XKD9ABC' }),
      lineOf(1, '10.50', { description: 'Paper, returned', counterparty: 'Office World Ltd' }),
      lineOf(1, '-999.00', { description: 'Hotel', currency: 'USD' }),
    ];
    const { uncategorised } = await compute(inputsOf({ categories: [categoryOf('RAIL', [claiming('rail')])] }), lines);
    const company = tokenOf('counterparty', 'Office World Ltd').replace('PERSON', 'COMPANY');
    const place = (index: number) => ({ statementId: idOf(1), lineNumber: lines[index]!.lineNumber });
    expect(uncategorised).toEqual({
      count: 3,
      net: '73.00',
      largest: [
        { ...place(1), amount: '-80.50', counterparty: company },
        { ...place(3), amount: '10.50', counterparty: company },
        { ...place(2), amount: '-3.00', counterparty: 'PERSON-7Q2M4XKD9ABC' },
      ],
      counterparties: [{ counterparty: company, count: 2, net: '70.00', example: place(1) }],
    });
  });

  it('are the 20 largest, and the 20 counterparties with the most money, of however many', () => {
    const line = fc.record({
      cents: fc.integer({ min: -50, max: 50 }),
      counterparty: fc.constantFrom(null, ...'abcdefghijklmnopqrstuvwxyz'),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 120 }), (lines) => {
        const unclaimed = new UnclaimedLines();
        lines.forEach(({ cents, counterparty }, index) =>
          unclaimed.add(lineOf(1, '0', { lineNumber: index, counterparty }), moneyOf(String(cents))),
        );
        const bySize = lines
          .map(({ cents }, index) => ({ cents, index }))
          .sort((a, b) => Math.abs(b.cents) - Math.abs(a.cents) || a.index - b.index);
        expect(unclaimed.largest.map(({ lineNumber }) => lineNumber)).toEqual(bySize.slice(0, 20).map(({ index }) => index));
        const sums = [...'abcdefghijklmnopqrstuvwxyz']
          .map((name) => lines.filter(({ counterparty }) => counterparty === name))
          .filter(({ length }) => length > 1)
          .map((own) => Math.abs(own.reduce((sum, { cents }) => sum + cents, 0)))
          .sort((a, b) => b - a);
        const found = unclaimed.repeated().map(({ sum }) => (sum < 0n ? -sum : sum));
        expect(found).toEqual(sums.slice(0, 20).map((cents) => moneyOf(String(cents))));
      }),
    );
  });
});
