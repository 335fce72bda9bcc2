import { describe, expect, it } from 'vitest';
import { MAX_RATES } from './bounds.js';
import { OUTPUT_OPTIONS } from './output-options.js';
import { FREE_FORM_MAX_BYTES } from '../../kernel/json.js';

const row = { currency: 'USD', month: '2026-03', rate: '0.9213' };
const problemsOf = (table: readonly object[], more: object = { currency: 'EUR' }) =>
  OUTPUT_OPTIONS.problemsOf({ ...more, rates: { source: 'Tax office', table } });

describe('outputOptions.rates', () => {
  it('are ecb, or a table with its source, beside the currency of the report', () => {
    expect(OUTPUT_OPTIONS.problemsOf({ currency: 'EUR', rates: 'ecb' })).toEqual([]);
    expect(problemsOf([row, { currency: 'chf', day: '2026-03-31', rate: 1.0512 }])).toEqual([]);
    expect(problemsOf([row], {})).toMatchObject([{ path: '.currency', code: 'required' }]);
    expect(problemsOf([{ ...row, currency: 'eur' }])).toMatchObject([{ path: '.rates.table[0].currency', code: 'not_allowed' }]);
    expect(OUTPUT_OPTIONS.problemsOf({ currency: 'EUR', rates: 'fed' })).toMatchObject([{ path: '.rates', code: 'not_allowed' }]);
    expect(OUTPUT_OPTIONS.problemsOf({ currency: 'EUR', rates: { table: [row] } })).toMatchObject([{ path: '.rates.source' }]);
    expect(problemsOf([])).toMatchObject([{ path: '.rates.table', code: 'too_short' }]);
  });

  it('have either a month or a day', () => {
    expect(problemsOf([{ currency: 'USD', rate: '0.9213' }])).toMatchObject([{ path: '.rates.table[0]' }]);
    expect(problemsOf([{ ...row, day: '2026-03-31' }])).toMatchObject([{ path: '.rates.table[0]' }]);
    expect(problemsOf([{ ...row, month: '2026-13' }])).toMatchObject([{ path: '.rates.table[0].month' }]);
    expect(problemsOf([{ currency: 'USD', day: '2026-02-30', rate: 1 }])).toMatchObject([{ path: '.rates.table[0].day' }]);
    expect(problemsOf([{ currency: 'USD', date: '2026-02-27', rate: 1 }])).toContainEqual(
      expect.objectContaining({ path: '.rates.table[0].date', code: 'unknown_property' }),
    );
  });

  it('are positive decimals with at most ten decimals', () => {
    for (const rate of ['0.0000000001', '999999999.9999999999', 1, 0.9213]) expect(problemsOf([{ ...row, rate }])).toEqual([]);
    for (const rate of ['0', '0.00', '-1', '1e3', '1,05', '0.12345678901', '1000000000', '', 0, -1, 1e-7, 1e9, null, true])
      expect(problemsOf([{ ...row, rate }]), String(rate)).toMatchObject([{ path: '.rates.table[0].rate', code: 'not_allowed' }]);
  });

  it('give no day two rates', () => {
    expect(problemsOf([row, { ...row, currency: 'usd', rate: '2' }])).toMatchObject([{ path: '.rates.table[1]', code: 'repeated' }]);
    expect(problemsOf([{ currency: 'USD', day: '2026-03-31', rate: '1' }, row])).toMatchObject([
      { path: '.rates.table[0]', code: 'repeated' },
    ]);
    expect(problemsOf([{ currency: 'USD', day: '2026-04-01', rate: '1' }, row])).toEqual([]);
  });

  it('may be as many as outputOptions has room for, whatever they are', () => {
    const day = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
    const table = Array.from({ length: MAX_RATES }, (_value, index) => ({
      currency: 'USD',
      day: day(index),
      rate: '100000000.1234567890',
    }));
    const options = { currency: 'EUR', rates: { source: 'x'.repeat(200), table } };
    expect(OUTPUT_OPTIONS.problemsOf(options)).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(options))).toBeLessThan(FREE_FORM_MAX_BYTES);
    expect(problemsOf([...table, row])).toMatchObject([{ path: '.rates.table', code: 'too_many' }]);
  });
});
