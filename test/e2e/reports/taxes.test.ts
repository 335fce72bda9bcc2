import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReportOperatorService } from '../../../src/modules/reports/index.js';
import type { TestApp } from '../../support/app.js';
import { openReports, rule } from '../../support/reports.js';
import { startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

describe('a run whose rules state a tax', () => {
  it('has the tax in every claim, and the claim without it, in the result and in its files', async () => {
    const { taken, category, configuration, run } = await openReports(app);
    await taken();
    await category('TRAVEL', [{ ...rule('ticket'), taxPercent: 7 }]);
    await category('RENT', [rule('rent', 50)]);
    const { id: reportConfigurationId } = await configuration({ outputOptions: { formats: ['json', 'csv', 'pdf', 'xlsx'] } });
    const report = await run({ reportConfigurationId });
    expect(report).toMatchObject({ status: 'succeeded', failure: null });
    expect(report.result).toMatchObject({
      totals: { claimable: '670.00', claimableTax: '4.58', claimableNet: '665.42' },
      categories: [
        { code: 'RENT', claimable: '600.00', claimableTax: '0.00', claimableNet: '600.00' },
        { code: 'TRAVEL', claimable: '70.00', claimableTax: '4.58', claimableNet: '65.42', months: [{ claimableTax: '4.58' }] },
      ],
      months: [{ month: '2026-01', claimableTax: '4.58', claimableNet: '665.42' }],
    });
    expect(report.result!.controls).toContainEqual({
      name: 'tax_and_net_make_claimable',
      expected: '670.00',
      actual: '670.00',
      ok: true,
    });
    const csv = await app.app.get(ReportOperatorService).file(report.id, 'csv');
    expect(csv.toString()).toContain('claimable,claimable_tax,claimable_net\r\n');
  });

  it('refuses a tax that is no percentage, with its place', async () => {
    const { api } = await openReports(app);
    const sourceMapping = { rules: [{ ...rule('ticket'), taxPercent: '19 %' }] };
    expect(await api.post('/v1/expense-categories', { code: 'TRAVEL', name: 'Travel', sourceMapping })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'sourceMapping.rules[0].taxPercent', code: 'not_allowed' }] },
    });
  });
});
