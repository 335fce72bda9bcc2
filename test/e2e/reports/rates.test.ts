import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReportOperatorService } from '../../../src/modules/reports/index.js';
import type { TestApp } from '../../support/app.js';
import { openReports, rule } from '../../support/reports.js';
import { OWN_IBAN, startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

/** An account in several currencies. The 10th and 11th of January are a weekend. */
const CURRENCIES = `Date,Description,Amount,Currency,Counterparty,Account
2026-01-05,Hotel in Berlin,-100.00,EUR,Example Hotels GmbH,${OWN_IBAN}
2026-01-09,Hotel in Boston,-120.00,USD,Example Hotels Inc.,${OWN_IBAN}
2026-01-11,Hotel in Zürich,-80.00,CHF,Example Hotels AG,${OWN_IBAN}
2026-01-20,Hotel in Boston refunded,20.00,USD,Example Hotels Inc.,${OWN_IBAN}
`;
const OPTIONS = { formats: ['json', 'csv', 'xlsx', 'pdf'], detail: 'lines', currency: 'EUR' };

async function hotelsWith(outputOptions: object) {
  const reports = await openReports(app);
  await reports.taken({ file: CURRENCIES });
  await reports.category('HOTELS', [rule('hotel')]);
  const { id: reportConfigurationId } = await reports.configuration({ outputOptions });
  const report = await reports.run({ reportConfigurationId });
  expect(report).toMatchObject({ status: 'succeeded', failure: null });
  return { ...reports, report, result: report.result! };
}

describe('a run with a table of rates', () => {
  it('converts the lines that have a rate, claims them, and warns of the others', async () => {
    const rates = { source: 'Tax office', table: [{ currency: 'USD', month: '2026-01', rate: '0.9213' }] };
    const { report, result } = await hotelsWith({ ...OPTIONS, rates });
    expect(result).toMatchObject({
      currency: 'EUR',
      totals: { count: 3, gross: '210.56', refunds: '18.43', net: '192.13', claimable: '192.13' },
      otherCurrencies: [{ currency: 'CHF', count: 1, net: '80.00' }],
      conversions: {
        source: 'Tax office',
        currencies: [{ currency: 'USD', count: 2, net: '100.00', converted: '92.13' }],
        rates: [{ currency: 'USD', rateFor: '2026-01', rate: '0.9213', count: 2 }],
        ratesNotListed: 0,
      },
    });
    expect(result.warnings).toContainEqual({
      code: 'rate_missing',
      message: '1 line in CHF of 2026-01-11 has no rate, and is not in the totals.',
    });
    expect(result.controls.filter(({ ok }) => !ok)).toEqual([]);
    const csv = await app.app.get(ReportOperatorService).file(report.id, 'csv');
    expect(csv.toString()).toMatch(/-120\.00,USD,HOTELS,rule 1,100,110\.56,-110\.56,0\.9213,2026-01,Tax office\r\n/);
  });

  it('is refused without the currency of the report, with its place', async () => {
    const { api } = await openReports(app);
    const outputOptions = { rates: { source: 'Tax office', table: [{ currency: 'USD', month: '2026-01', rate: 'about 1' }] } };
    const body = { name: 'Annual report', periodStart: '2026-01-01', periodEnd: '2026-01-31' };
    expect(await api.post('/v1/report-configurations', { ...body, outputOptions })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'outputOptions.rates.table[0].rate', code: 'not_allowed' }] },
    });
    expect(await api.post('/v1/report-configurations', { ...body, outputOptions: { rates: 'ecb' } })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'outputOptions.currency', code: 'required' }] },
    });
  });
});
