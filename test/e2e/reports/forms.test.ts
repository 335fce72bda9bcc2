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

const TRAVEL = `Date,Description,Amount,Currency,Counterparty,Account
2026-01-05,Hotel in Berlin,-100.00,EUR,Example Hotels GmbH,${OWN_IBAN}
2026-01-09,Train to Berlin,-50.40,EUR,Example Rail AG,${OWN_IBAN}
`;

describe('a run with a form', () => {
  it('fills it in, makes its files, and keeps it among its inputs', async () => {
    const reports = await openReports(app);
    await reports.taken({ file: TRAVEL });
    await reports.category('HOTELS', [rule('hotel')]);
    await reports.category('TRAINS', [rule('train')]);
    const form = {
      definition: 'eu_financial_statement',
      entries: { pic: '999999999', grant_number: '101012345', funding_rate: '100' },
      lines: { HOTELS: 'travel', TRAINS: 'travel' },
    };
    const { id: reportConfigurationId } = await reports.configuration({ outputOptions: { formats: ['form', 'evidence'], form } });
    const report = await reports.run({ reportConfigurationId });
    expect(report).toMatchObject({ status: 'succeeded', failure: null });
    // 25 % of 150.40 for indirect costs.
    expect(report.result).toMatchObject({ currency: 'EUR', totals: { claimable: '150.40' }, form: { total: '188.00', notOnForm: '0.00' } });
    expect(report.result!.controls.filter(({ ok }) => !ok)).toEqual([]);
    const csv = (await app.app.get(ReportOperatorService).file(report.id, 'form')).toString();
    expect(csv).toContain('C. Purchase costs,travel,C.1,Travel and subsistence,,150.40,,,,HOTELS TRAINS,');
    expect(csv).toContain('E. Indirect costs,indirect,E,Indirect costs: flat rate of A and C,,37.60,,,25,,');
  });

  it('is refused with the place of what does not fit it', async () => {
    const { api } = await openReports(app);
    const body = { name: 'Grant', periodStart: '2026-01-01', periodEnd: '2026-01-31' };
    const fieldOf = async (form: object) =>
      (await api.post('/v1/report-configurations', { ...body, outputOptions: { form } })).body.errors![0]!.field;
    expect(await fieldOf({ definition: 'form_c' })).toBe('outputOptions.form.definition');
    expect(await fieldOf({ definition: 'eu_financial_statement', entries: { pic: '1' } })).toBe('outputOptions.form.entries.pic');
    expect(await fieldOf({ definition: 'de_reisekosten', lines: { RAIL: 'total' } })).toBe('outputOptions.form.lines.RAIL');
  });
});
