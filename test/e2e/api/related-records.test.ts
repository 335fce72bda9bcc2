import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { StatementProxy } from '../../support/postgres-statements.js';
import { countRows } from '../../support/traces.js';

const DAYS = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const LOOK_UP = 'FROM "claim_projects" WHERE';

let proxy: StatementProxy;
let app: TestApp;
beforeAll(async () => {
  proxy = await StatementProxy.to(inject('databaseUrl'));
  app = await startApp({ DATABASE_URL: proxy.tcp.url });
});
afterAll(async () => {
  await app.close();
  await proxy.tcp.close();
});

/** Holds back the look-up of a project until the given statement arrives as well. Returns the order in which they arrived. */
function holdBackLookUp(write: string): string[] {
  const came: string[] = [];
  const held: (() => void)[] = [];
  proxy.handle = (text, _link, pass) => {
    const which = [LOOK_UP, write].find((start) => text.includes(start));
    if (which) came.push(which);
    if (came.length === 0 || came.includes(write)) {
      held.splice(0).forEach((send) => send());
      return pass();
    }
    held.push(pass);
  };
  return came;
}

it.each([
  ['/v1/expense-categories', 'expense_categories', { code: 'TRAVEL', name: 'Travel' }],
  ['/v1/report-configurations', 'report_configurations', { name: 'Annual report', ...DAYS }],
])('a record of %s needs no extra round trip for its project', async (path, table, body) => {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  const { id: projectId } = (await api.post('/v1/claim-projects', { name: 'Berlin office', ...DAYS })).body as { id: string };
  const created = holdBackLookUp(`INSERT INTO "${table}"`);
  const answer = await api.post(path, { ...body, projectId });
  expect(answer.status, answer.text).toBe(201);
  expect(created).toEqual([LOOK_UP, `INSERT INTO "${table}"`]);
  const changed = holdBackLookUp(`UPDATE "${table}"`);
  expect(await api.patch(`${path}/${(answer.body as { id: string }).id}`, { projectId, name: 'Renamed' })).toMatchObject({
    status: 200,
    body: { name: 'Renamed' },
  });
  expect(changed).toEqual([LOOK_UP, `UPDATE "${table}"`]);
  const traces = await countRows(app, organization.id);
  const refused = holdBackLookUp(`INSERT INTO "${table}"`);
  expect((await api.post(path, { ...body, ...(table === 'expense_categories' && { code: 'OTHER' }), projectId: newId() })).status).toBe(
    400,
  );
  // Once more after its key was found to be free: the answer of an earlier call would come before the refusal.
  expect(refused).toEqual([LOOK_UP, `INSERT INTO "${table}"`, LOOK_UP, `INSERT INTO "${table}"`]);
  expect(await countRows(app, organization.id)).toEqual(traces);
  proxy.handle = undefined;
});

it('a record without a project causes no look-up of a project', async () => {
  const { key } = await aTenant(app);
  const api = new Client(app.url, key);
  const seen: string[] = [];
  proxy.handle = (text, _link, pass) => {
    seen.push(text);
    pass();
  };
  const made = await api.post('/v1/expense-categories', { code: 'TRAVEL', name: 'Travel', projectId: null });
  await api.patch(`/v1/expense-categories/${(made.body as { id: string }).id}`, { name: 'Renamed' });
  expect(seen.filter((text) => text.includes('"expense_categories"'))).toHaveLength(3);
  expect(seen.filter((text) => text.includes('claim_projects'))).toEqual([]);
  proxy.handle = undefined;
});
