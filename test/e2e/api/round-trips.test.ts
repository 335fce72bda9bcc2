import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { Database, prepared } from '../../../src/store/database/database.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { StatementProxy } from '../../support/postgres-statements.js';
import type { Link } from '../../support/tcp-proxy.js';

const PROJECTS = '/v1/claim-projects';
const DAYS = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

interface Spent {
  readonly statements: number;
  readonly roundTrips: number;
}

let proxy: StatementProxy;
let app: TestApp;
let statements = 0;
let roundTrips = 0;
beforeAll(async () => {
  proxy = await StatementProxy.to(inject('databaseUrl'));
  const hasAnswer = new WeakMap<Link, boolean>();
  proxy.handle = (_text, link, pass) => {
    if (!hasAnswer.has(link)) link.server.on('data', () => hasAnswer.set(link, true));
    statements += 1;
    // What is sent before an answer has arrived travels together.
    if (hasAnswer.get(link) !== false) roundTrips += 1;
    hasAnswer.set(link, false);
    pass();
  };
  app = await startApp({ DATABASE_URL: proxy.tcp.url });
});
afterAll(async () => {
  await app.close();
  await proxy.tcp.close();
});

let api: Client;
beforeEach(async () => {
  api = new Client(app.url, (await aTenant(app)).key);
});

/** What a call costs at least: some calls also read their credential anew, and jobs run in between. */
async function least(call: (index: number) => Promise<{ status: number }>, status: number): Promise<Spent> {
  const spent: Spent[] = [];
  for (let index = 0; index < 12; index += 1) {
    const before: Spent = { statements, roundTrips };
    expect(await call(index)).toMatchObject({ status });
    spent.push({ statements: statements - before.statements, roundTrips: roundTrips - before.roundTrips });
  }
  return {
    statements: Math.min(...spent.map((one) => one.statements)),
    roundTrips: Math.min(...spent.map((one) => one.roundTrips)),
  };
}

const create = (index: number) => api.post(PROJECTS, { name: `Office ${index}`, ...DAYS });

it('a GET by id is one statement', async () => {
  const { id } = (await create(0)).body as { id: string };
  expect(await least(() => api.get(`${PROJECTS}/${id}`), 200)).toEqual({ statements: 1, roundTrips: 1 });
});

it('a list is one statement', async () => {
  await create(0);
  expect(await least(() => api.get(PROJECTS), 200)).toEqual({ statements: 1, roundTrips: 1 });
});

it('a create is five statements in one round trip', async () => {
  expect(await least(create, 201)).toEqual({ statements: 5, roundTrips: 1 });
});

it('a change is six statements in two round trips', async () => {
  const { id } = (await create(0)).body as { id: string };
  expect(await least((index) => api.patch(`${PROJECTS}/${id}`, { name: `Renamed ${index}` }), 200)).toEqual({
    statements: 6,
    roundTrips: 2,
  });
});

it('look-ups of one turn of the event loop take one round trip', async () => {
  const database = app.app.get(Database);
  const read = () => database.shortRead(prepared({ name: 'one', text: 'SELECT $1::int AS one' }), ['1']);
  const readMany = async () => {
    await Promise.all(Array.from({ length: 64 }, read));
    return { status: 0 };
  };
  expect((await least(readMany, 0)).roundTrips).toBe(1);
});
