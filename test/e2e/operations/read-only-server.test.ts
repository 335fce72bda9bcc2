import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

const PROJECTS = '/v1/claim-projects';
const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let api: Client;
beforeAll(async () => {
  database = await createDatabase();
  // A pooler keeps its own connections to the server that has become read-only; docs/operating.md says what to do there.
  app = await startApp({ DATABASE_URL: database.url, DATABASE_POOLER: 'none' });
  api = new Client(app.url, (await aTenant(app)).key);
});
afterAll(() => app.close().then(database.drop));

const create = () => api.post(PROJECTS, { name: newId(), ...PERIOD });

/** As after a failover: new connections lead to a server that accepts writes or does not, and the old ones stay what they were. */
function lead(to: 'standby' | 'primary') {
  const name = new URL(database.url).pathname.slice(1);
  const setting = `default_transaction_read_only = ${to === 'standby' ? 'on' : 'off'}`;
  return rowsOf(database.url, `BEGIN READ WRITE; ALTER DATABASE "${name}" SET ${setting}; COMMIT`);
}

const breakConnections = () =>
  rowsOf(
    database.url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'claims'",
  );

it('connections to a server that has become read-only are closed, so that writes go on as soon as another server leads', async () => {
  await lead('standby');
  await breakConnections();
  await eventually(async () => expect((await api.get(PROJECTS)).status).toBe(200));
  const refused = await Promise.all(Array.from({ length: 12 }, create));
  for (const { status, body } of refused) expect([status, body.code, body.retry]).toEqual([503, 'unavailable', 'same_key']);
  // Reads work there, and open connections that must not be used for writes later.
  for (const { status } of await Promise.all(Array.from({ length: 12 }, () => api.get(PROJECTS)))) expect(status).toBe(200);
  await lead('primary');
  await create();
  const statuses = [];
  for (let index = 0; index < 24; index += 1) statuses.push((await create()).status);
  expect(new Set(statuses)).toEqual(new Set([201]));
});
