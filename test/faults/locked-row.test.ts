import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { openSession } from '../support/session.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

it('answers 503 to an update of a record that another transaction has locked, and accepts a retry after that transaction', async () => {
  const api = new Client(app.url, (await aTenant(app)).key);
  const { id } = (await api.post('/v1/claim-projects', { name: 'Locked', periodStart: '2026-01-01', periodEnd: '2026-12-31' })).body;
  const change = () => api.patch(`/v1/claim-projects/${id}`, { name: 'Changed' }, { 'Idempotency-Key': 'change' });
  const other = await openSession(app.databaseUrl);
  await other.query('BEGIN');
  await other.query('SELECT 1 FROM claim_projects WHERE id = $1 FOR UPDATE', [id]);
  const refused = await change();
  await other.end();
  expect([refused.status, refused.body.code, refused.body.retry, refused.headers['retry-after']]).toEqual([
    503,
    'unavailable',
    'same_key',
    '1',
  ]);
  const changed = await change();
  expect([changed.status, changed.body.name]).toEqual([200, 'Changed']);
});
