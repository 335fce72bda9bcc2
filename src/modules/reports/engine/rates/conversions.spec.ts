import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { formatMoney, moneyOf } from '../../../../kernel/money.js';
import type { FreeForm } from '../../../../kernel/json.js';
import { compute, configurationOf, inputsOf, lineOf, statementOf } from '../fixtures/run.js';
import { type DayQuotes, MAX_RATES_LISTED } from '../inputs.js';
import { convert, ecbAverages, ecbRates, quotientOf, rateOf } from './conversions.js';

const withOptions = (outputOptions: FreeForm, quotes?: DayQuotes[]) =>
  inputsOf({ configuration: configurationOf({ outputOptions }), statements: [statementOf(1)], ...(quotes && { quotes }) });
const table = [
  { currency: 'USD', month: '2026-01', rate: '0.9213' },
  { currency: 'GBP', day: '2026-01-09', rate: '1.15' },
];
const RATES = { currency: 'EUR', rates: { source: 'Tax office', table } };

describe('a line in another currency', () => {
  it('is converted exactly, rounded once, and has its rate in the result', async () => {
    const lines = [lineOf(1, '-12.35', { currency: 'USD' }), lineOf(1, '2.00', { currency: 'USD' }), lineOf(1, '-5.00')];
    const result = await compute(withOptions(RATES), lines);
    expect(result.totals).toMatchObject({ count: 3, gross: '16.38', refunds: '1.84', net: '14.54' });
    expect(result.otherCurrencies).toEqual([]);
    expect(result.conversions).toEqual({
      source: 'Tax office',
      currencies: [{ currency: 'USD', count: 2, net: '10.35', converted: '9.54' }],
      rates: [{ currency: 'USD', rateFor: '2026-01', rate: '0.9213', count: 2 }],
      ratesNotListed: 0,
    });
    expect(result.controls).toContainEqual({ name: 'own_and_converted_make_net', expected: '14.54', actual: '14.54', ok: true });
  });

  it('has the last rate of the seven days before, and is left out with a warning if there is none', async () => {
    const days = ['2026-01-08', '2026-01-09', '2026-01-16', '2026-01-17'];
    const lines = days.map((bookedOn) => lineOf(1, '-10.00', { currency: 'GBP', bookedOn }));
    const result = await compute(withOptions(RATES), lines);
    expect(result.conversions!.currencies).toMatchObject([{ currency: 'GBP', count: 2, converted: '23.00' }]);
    expect(result.otherCurrencies).toEqual([{ currency: 'GBP', count: 2, gross: '20.00', refunds: '0.00', net: '20.00' }]);
    expect(result.warnings.filter(({ code }) => /rate|currenc/.test(code))).toEqual([
      { code: 'rate_missing', message: '2 lines in GBP from 2026-01-08 to 2026-01-17 have no rate, and are not in the totals.' },
    ]);
  });

  it('without a currency is never converted', async () => {
    const result = await compute(withOptions(RATES), [lineOf(1, '-10.00', { currency: null }), lineOf(1, '-1.00')]);
    expect(result.otherCurrencies).toMatchObject([{ currency: null, count: 1 }]);
    expect(result).not.toHaveProperty('conversions');
    expect(result.controls.map(({ name }) => name)).not.toContain('own_and_converted_make_net');
  });

  it('has its rate among the first thousand of the result, which counts the others', async () => {
    const dayAt = (index: number) => new Date(Date.UTC(2023, 0, 1 + index)).toISOString().slice(0, 10);
    const days = Array.from({ length: MAX_RATES_LISTED + 5 }, (_value, index) => dayAt(index));
    const quotes = days.map((day) => ({ day, quotes: { USD: '1.0855' } }));
    const inputs = withOptions({ currency: 'EUR', rates: 'ecb' }, quotes);
    const configuration = { ...inputs.configuration!, periodStart: days[0]!, periodEnd: days.at(-1)! };
    const lines = days.map((bookedOn) => lineOf(1, '-10.00', { currency: 'USD', bookedOn }));
    const { conversions } = await compute({ ...inputs, configuration }, lines);
    expect(conversions!.rates).toHaveLength(MAX_RATES_LISTED);
    expect(conversions).toMatchObject({ ratesNotListed: 5, currencies: [{ count: MAX_RATES_LISTED + 5 }] });
    expect(await readFile('docs/claim-reports.md', 'utf8')).toContain(`the first ${MAX_RATES_LISTED.toLocaleString('en')}`);
  });

  it('does not change the difference between the lines of its statement and its balances', async () => {
    const balances = [{ account: null, currency: 'USD', opening: '100.00', closing: '87.65' }];
    const inputs = { ...withOptions(RATES), statements: [statementOf(1, { balances })] };
    const { controls } = await compute(inputs, [lineOf(1, '-12.35', { currency: 'USD' })]);
    expect(controls.at(-1)).toMatchObject({ name: expect.stringMatching(/^statement_balance:/) as string, actual: '0.00', ok: true });
  });

  it('is warned of if reference rates are asked for and none were imported', async () => {
    const result = await compute(withOptions({ currency: 'EUR', rates: 'ecb' }), [lineOf(1, '-10.00', { currency: 'USD' })]);
    expect(result.warnings).toContainEqual(expect.objectContaining({ code: 'rate_missing' }));
  });
});

describe('reference rates', () => {
  const quotes: DayQuotes[] = [
    { day: '2026-01-08', quotes: { USD: '1.0855', JPY: '171.23', CHF: '0.9405' } },
    { day: '2026-01-09', quotes: { USD: '1.0900', JPY: '171.00' } },
  ];

  it('are quotients with the euro, of the last day before that has both', () => {
    const euro = ecbRates(quotes, 'EUR');
    expect(euro.find('USD', '2026-01-11')).toMatchObject({ quotedFor: '2026-01-09', shown: '0.9174311927', quotes: ['1', '1.0900'] });
    expect(euro.find('CHF', '2026-01-11')).toMatchObject({ quotedFor: '2026-01-08' });
    expect([euro.find('USD', '2026-01-07'), euro.find('USD', '2026-01-17'), euro.find('XXX', '2026-01-09')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const francs = ecbRates(quotes, 'CHF');
    expect(francs.find('USD', '2026-01-09')).toMatchObject({ quotedFor: '2026-01-08', quotes: ['0.9405', '1.0855'] });
    expect(francs.find('EUR', '2026-01-09')).toMatchObject({ shown: '0.9405', quotes: ['0.9405', '1'] });
  });

  it('have one mean for a whole period, of its days alone, which is as exact', async () => {
    const all = [{ day: '2025-12-31', quotes: { USD: '2' } }, ...quotes, { day: '2026-02-02', quotes: { USD: '1.1' } }];
    const period = { start: '2026-01-01', end: '2026-01-31' };
    const mean = ecbAverages(all, 'EUR', period);
    expect(mean.find('USD', '2025-01-01')).toMatchObject({
      quotes: ['2', '2.1755'],
      shown: '0.9193288899',
      quotedFor: '2026-01-01/2026-01-31',
    });
    expect(mean.find('XXX', '2026-01-09')).toBeUndefined();
    expect(mean.openUntil).toEqual({ until: '2026-01-09', end: '2026-01-31' });
    expect(ecbAverages(all, 'CHF', period).find('USD', '2026-01-09')).toMatchObject({ quotes: ['1.881', '2.1755'] });
    expect(ecbAverages(all, 'EUR', { ...period, end: '2026-01-16' }).openUntil).toBeUndefined();
    const lines = [lineOf(1, '-100.00', { currency: 'USD', bookedOn: '2026-01-10' })];
    const inputs = withOptions({ currency: 'EUR', rates: 'ecb_average' }, all);
    const { totals, conversions, warnings } = await compute(
      { ...inputs, configuration: { ...inputs.configuration!, periodStart: period.start, periodEnd: period.end } },
      lines,
    );
    expect([totals.net, conversions!.rates]).toEqual([
      '91.93',
      [{ currency: 'USD', rateFor: '2026-01-01/2026-01-31', rate: '0.9193288899', count: 1 }],
    ]);
    expect(warnings).toContainEqual({
      code: 'rate_period_open',
      message: 'The average rates have days until 2026-01-09 only, but the period ends on 2026-01-31.',
    });
  });

  it('are exact: an amount is rounded once, never its rate', () => {
    const rate = quotientOf('1', '3', '2026-01-08');
    expect(rate.shown).toBe('0.3333333333');
    expect(formatMoney(convert(moneyOf('300000000000.00'), rate, 2), 2)).toBe('100000000000.00');
    expect(formatMoney(convert(moneyOf('-0.015'), rate, 2), 2)).toBe('-0.01');
    expect(quotientOf('1', '17512.34', '2026-01-08').shown).toBe('0.00005710259166');
  });

  it('convert to the smallest unit of the currency of the report', () => {
    expect(formatMoney(convert(moneyOf('10.00'), rateOf(moneyOf('171.25'), '2026-01'), 0), 0)).toBe('1713');
  });

  it('are in the result and in the hash of the inputs', async () => {
    const lines = [lineOf(1, '-10.00', { currency: 'USD', bookedOn: '2026-01-10' })];
    const options = { currency: 'EUR', rates: 'ecb' };
    const result = await compute(withOptions(options, quotes), lines);
    expect(result.conversions).toMatchObject({
      source: expect.stringContaining('European Central Bank') as string,
      rates: [{ currency: 'USD', rateFor: '2026-01-09', rate: '0.9174311927' }],
    });
    expect(result.totals.net).toBe('9.17');
    expect(result.inputsHash).not.toBe((await compute(withOptions(options, quotes.slice(1)), lines)).inputsHash);
  });
});
