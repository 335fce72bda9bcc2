import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Claims, type SourceMappingCondition } from '../../client/src/index.js';
import { amountBetween, containsWord, exchangeRates, inMonth, isOneOf } from '../../client/src/rules/index.js';
import type { TestApp } from '../support/app.js';
import { openReports } from '../support/reports.js';
import { PATIENCE_MS, startWorking } from '../support/statements.js';

const LINES = `Date,Description,Amount,Currency,Counterparty
2026-01-31,Hotel Adler,-1.00,EUR,Adler GmbH
2026-02-01,Hotelbetten,-2.00,EUR,Betten GmbH
2026-02-28,A+B (spare parts),-4.00,EUR,A+B GmbH
2026-03-01,AAB spare parts,-8.00,EUR,AAB GmbH
2026-03-05,Room at the hotel,-16.00,EUR,Krone GmbH
2026-03-06,Café Öl & Essig,-32.00,EUR,Öl & Essig GmbH
2026-03-07,Erdöl,-64.00,EUR,Raffinerie GmbH
`;
const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

/** Which of the amounts, each twice the one before, make a sum. */
const amountsIn = (sum: string): number[] => [1, 2, 4, 8, 16, 32, 64].filter((amount) => (Number(sum) & amount) > 0);

describe('conditions', () => {
  it.each<[string, SourceMappingCondition, number[]]>([
    ['whole words', containsWord('description', 'hotel'), [1, 16]],
    ['one of several words', containsWord('description', 'hotel', 'spare parts'), [1, 4, 8, 16]],
    ['words with characters of patterns', containsWord('description', 'A+B'), [4]],
    ['words with other letters', containsWord('description', 'öl'), [32]],
    ['texts', isOneOf('counterparty', 'adler gmbh', 'Krone GmbH'), [1, 16]],
    ['amounts', amountBetween(2, '8.00'), [2, 4, 8]],
    ['a month', inMonth('2026-02'), [2, 4]],
    ['several months', inMonth('2026-01', '2026-02'), [1, 2, 4]],
  ])('%s claim the lines that they say', { timeout: PATIENCE_MS }, async (_what, condition, expected) => {
    const { key, taken, category, run } = await openReports(app);
    await taken({ file: LINES, isRedacted: true });
    await category('A', [{ all: [condition] }]);
    const { result } = await run();
    expect(amountsIn(result!.totals.claimable)).toEqual(expected);
    // The whole body is typed.
    const claims = new Claims({ apiKey: key, baseUrl: app.url });
    await claims.categories.create({ code: 'B', name: 'x', sourceMapping: { rules: [{ any: [condition] }] } });
  });

  it.each<[string, () => unknown, RegExp]>([
    ['bounds in the wrong order', () => amountBetween(8, 2), /8 is more than 2/],
    ['a sum of doubles', () => amountBetween(0.1 + 0.2, 1), /four decimals/],
    ['a negative amount', () => amountBetween(-5, 5), /-5 is not an amount/],
    ['a day instead of a month', () => inMonth('2026-02-01'), /not a month/],
    ['months in the wrong order', () => inMonth('2026-03', '2026-02'), /2026-02 is before 2026-03/],
    ['no words', () => containsWord('description'), /needs a text/],
  ])('%s are refused at once', (_what, made, message) => {
    expect(made).toThrow(message);
  });
});

it('rates convert lines in other currencies', { timeout: PATIENCE_MS }, async () => {
  const { key, taken, category } = await openReports(app);
  await taken({ file: LINES.replace('-1.00,EUR', '-10.00,USD').replace('-2.00,EUR', '-10.00,USD'), isRedacted: true });
  await category('A', [{ all: [amountBetween(10, 10)] }]);
  const claims = new Claims({ apiKey: key, baseUrl: app.url });
  const rates = exchangeRates('Our bank', { USD: { '2026-01-31': '0.5', '2026-02': 0.25 } });
  const { id } = await claims.configurations.create({ name: 'x', ...PERIOD, outputOptions: { currency: 'EUR', rates } });
  const { result } = await claims.reports.createAndWait({ reportConfigurationId: id });
  expect(result!.totals.claimable).toBe('7.50');
});
