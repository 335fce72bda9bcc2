import { afterAll, beforeAll, expect, it } from 'vitest';
import { FileRemoval } from '../../../src/store/files/stored-files.js';
import type { TestApp } from '../../support/app.js';
import { collectStatements } from '../../support/plans.js';
import { openReports, REPORTS, rule } from '../../support/reports.js';
import { startWorking } from '../../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking({ STATEMENT_KEEP_ORIGINAL: 'true' });
});
afterAll(() => app.close());

it('without a file store, imports, redactions, runs and downloads ask nothing about one', async () => {
  const sent = collectStatements(app);
  const { api, taken, category, configuration, run } = await openReports(app);
  await category('TRAVEL', [rule('Ticket')]);
  await taken();
  const { id: reportConfigurationId } = await configuration({ outputOptions: { formats: ['json'] } });
  const { id } = await run({ reportConfigurationId });
  expect((await api.get(`${REPORTS}/${id}/outputs/json`)).status).toBe(200);
  await app.app.get(FileRemoval).removeDue();
  const names = [...sent.values()];
  expect(names).toEqual(expect.arrayContaining(['statement_originals.insert', 'statement_originals.get', 'claim_report_files.keep']));
  expect(names.filter((name) => name.startsWith('stored_files'))).toEqual([]);
});
