import { afterAll, expect, it } from 'vitest';
import { createDatabase, openReports, rule, startApp } from '../../../../test/extension-api.js';

// Also a worker. It processes the files of all organizations, so it has a database of its own.
const database = await createDatabase();
const app = await startApp({ DATABASE_URL: database.url, ROLE: 'all' });
afterAll(async () => {
  await app.close();
  await database.drop();
});

const CARD = `PURCHASING CARD;4929000000000012
2026-01-05;89.90;EUR;Paper and Pens Ltd;Ten notebooks;PO-17
2026-01-07;12.40;EUR;Cafe Example GmbH;Coffee;
`;

it('statements of purchasing cards are read, and reports list what was claimed of them', async () => {
  const { api, taken, category, configuration, run } = await openReports(app);
  const statement = await taken({ file: CARD, fileName: 'january.txt' });
  expect(statement).toMatchObject({ format: 'purchasing_card', redactionStatus: 'succeeded', lineCount: 2, currency: 'EUR' });
  await category('OFFICE', [rule('notebooks')]);
  const outputOptions = { formats: ['json', 'purchase_list'], purchase_list: { separator: 'semicolon' } };
  const { id: reportConfigurationId } = await configuration({ outputOptions });
  const { id, status } = await run({ reportConfigurationId });
  expect(status).toBe('succeeded');
  const { text, headers } = await api.get(`/v1/claim-reports/${id}/outputs/purchase_list`);
  expect(headers['content-disposition']).toBe(`attachment; filename="purchases-${id}.csv"`);
  const rows = text.trimEnd().split('\r\n');
  expect(rows).toEqual(['"date";"supplier";"order";"amount";"category"', expect.stringMatching(/^"2026-01-05";.*;"-89.90";"OFFICE"$/)]);
});

it('a purchase without an amount fails its statement, without quoting the line', async () => {
  const { taken } = await openReports(app);
  const file = 'PURCHASING CARD;1\n2026-01-05;ten;EUR;Paper and Pens Ltd;Notebooks;\n';
  const { redactionStatus, failure } = await taken({ file, fileName: 'a.txt' });
  expect([redactionStatus, failure]).toEqual(['failed', { code: 'invalid_amount', message: 'A purchase has no amount such as 12.50.' }]);
});
