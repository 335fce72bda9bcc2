import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demo } from '../../../src/program/demo.js';
import { startApp, type TestApp } from '../../support/app.js';
import { Client } from '../../support/client.js';
import { createDatabase, rowsOf } from '../../support/database.js';

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url });
  folder = await mkdtemp(join(tmpdir(), 'claims-demo-'));
});
afterAll(async () => {
  await app.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const LISTS = {
  '/v1/claim-projects': 3,
  '/v1/expense-categories': 3,
  '/v1/report-configurations': 1,
  '/v1/bank-statements': 1,
  '/v1/claim-reports': 2,
};

it('the first start creates demo records of every kind in both environments, and later starts add nothing', async () => {
  const file = join(folder, 'demo.json');
  const made = (await demo(app.app, file))!;
  for (let starts = 0; starts < 2; starts += 1) {
    for (const [environment, key] of Object.entries(made.keys)) {
      for (const [path, total] of Object.entries(LISTS)) {
        const { body } = await new Client(app.url, key).get(path);
        expect(body, path).toMatchObject({ pagination: { total } });
        expect(body.data[0], path).toMatchObject({ environment });
      }
    }
    expect(await demo(app.app, file)).toEqual(made);
  }
});

it('an interrupted first start is completed by the next, with new keys and no duplicate records', async () => {
  const again = (await demo(app.app, join(folder, 'lost.json')))!;
  for (const [path, total] of Object.entries(LISTS))
    expect((await new Client(app.url, again.keys.live).get(path)).body, path).toMatchObject({ pagination: { total } });
  expect(await rowsOf(database.url, 'SELECT 1 FROM organizations')).toHaveLength(1);
  expect(await rowsOf(database.url, 'SELECT 1 FROM webhook_endpoints')).toHaveLength(2);
});
