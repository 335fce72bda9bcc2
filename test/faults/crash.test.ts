import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { startApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client, type Answer } from '../support/client.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { StatementProxy } from '../support/postgres-statements.js';
import { startProcess, type TestProcess } from '../support/process.js';
import type { Link } from '../support/tcp-proxy.js';

/** A process behind a proxy to its database, so that a test can kill it at a statement. */
interface Replica {
  readonly process: TestProcess;
  readonly proxy: StatementProxy;
}

interface Point {
  /** The number of the statement in the transaction (BEGIN is 1), or its text. */
  readonly statement: number | string;
  /** Whether the process is killed before it sends the statement, or after that but before it gets the result. */
  readonly moment: 'before' | 'after';
}

interface Kill {
  readonly happened: boolean;
  /** The statement at which the process was killed. */
  readonly text: string;
}

/** A call and its success status. Its Idempotency-Key is also the name of its project, so all rows that it leaves can be found by it. */
interface Subject {
  readonly status: number;
  readonly call: (api: Client, name: string) => Promise<Answer>;
}

const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const ALL = { projects: 1, events: 1, deliveries: 1, audits: 1, answers: 1, claims: 1 };
const NOTHING = { projects: 0, events: 0, deliveries: 0, audits: 0, answers: 0, claims: 0 };

let database: { url: string; drop: () => Promise<void> };
let key: string;
let projectId: string;
let current: Promise<Replica>;
beforeAll(async () => {
  database = await createDatabase();
  const app = await startApp({ DATABASE_URL: database.url });
  ({ key } = await aTenant(app));
  const api = new Client(app.url, key);
  const webhook = await api.post('/v1/webhooks', {
    name: 'Sync',
    targetUrl: 'https://hooks.example.com/',
    subscribedEvents: ['claim_project.created', 'claim_project.updated'],
  });
  expect(webhook.status, webhook.text).toBe(201);
  projectId = (await api.post('/v1/claim-projects', { name: 'Before', ...PERIOD })).body.id;
  await app.close();
  current = aReplica();
});
afterAll(async () => {
  await remove(await current);
  await database.drop();
});

it('a POST leaves all or nothing, whichever of its statements the process is killed at, and can be repeated', async () => {
  const create: Subject = {
    status: 201,
    call: (api, name) => api.post('/v1/claim-projects', { name, ...PERIOD }, { 'Idempotency-Key': name }),
  };
  const kills: Kill[] = [];
  do kills.push(await killAndRepeat(create, { statement: kills.length + 1, moment: 'before' }));
  while (kills.at(-1)!.text !== 'COMMIT');
  // BEGIN, whether the organization moves, the change, what belongs to it and the key: none of them is permanent before COMMIT.
  expect(kills.length).toBeGreaterThanOrEqual(5);
  expect(kills.map(({ happened }) => happened)).toEqual(kills.map(() => false));
  expect(await killAndRepeat(create, { statement: 'COMMIT', moment: 'after' })).toMatchObject({ happened: true });
});

it('a PATCH leaves all or nothing when the process is killed at its COMMIT, and can be repeated', async () => {
  const change: Subject = {
    status: 200,
    call: (api, name) => api.patch(`/v1/claim-projects/${projectId}`, { name }, { 'Idempotency-Key': name }),
  };
  expect(await killAndRepeat(change, { statement: 'COMMIT', moment: 'before' })).toMatchObject({ happened: false });
  expect(await killAndRepeat(change, { statement: 'COMMIT', moment: 'after' })).toMatchObject({ happened: true });
});

it('a batch that is killed in the middle has done whole items, and repeated it has done all of them, none twice', async () => {
  const replica = await current;
  current = aReplica();
  const once = { 'Idempotency-Key': newId() };
  const items = Array.from({ length: 100 }, (_, index) => ({
    code: `${once['Idempotency-Key']}-${index}`,
    name: `Category ${index}`,
    sourceMapping: {},
  }));
  const send = (api: Client) => api.post('/v1/batches', { operation: 'expense_categories.create', items }, once);
  let commits = 0;
  replica.proxy.handle = (text, link, pass) => {
    if (text === 'COMMIT' && (commits += 1) === 42) {
      link.muted = true;
      return void replica.process.kill();
    }
    return pass();
  };
  await expect(send(new Client(replica.process.url, key))).rejects.toThrow();
  await remove(replica);
  const made = () =>
    rowsOf<{ code: string; events: number; audits: number }>(
      database.url,
      `SELECT code, (SELECT count(*)::int FROM events WHERE resource_id = expense_categories.id) AS events,
        (SELECT count(*)::int FROM audit_entries WHERE resource_id = expense_categories.id) AS audits
        FROM expense_categories WHERE code LIKE $1 ORDER BY id`,
      [`${once['Idempotency-Key']}-%`],
    );
  const left = await made();
  expect(left.length).toBeGreaterThan(30);
  expect(left.length).toBeLessThan(42);
  const repeated = await send(new Client((await current).process.url, key));
  expect(repeated.body).toMatchObject({ succeeded: 100, failed: 0 });
  expect(await made()).toEqual(items.map(({ code }) => ({ code, events: 1, audits: 1 })));
});

/** Kills the process at the point, checks which rows are left, and repeats the call on the next process. */
async function killAndRepeat({ call, status }: Subject, point: Point): Promise<Kill> {
  const replica = await current;
  current = aReplica();
  const name = newId();
  const text = await callKilledAt(replica, point, (api) => call(api, name));
  await remove(replica);
  const where = `killed ${point.moment} ${text}`;
  const left = await leftBy(name);
  const happened = left.claims > 0;
  expect(left, where).toEqual(happened ? ALL : NOTHING);
  const repeated = await call(new Client((await current).process.url, key), name);
  expect([repeated.status, repeated.headers['idempotent-replayed'], repeated.body.name], where).toEqual([
    status,
    happened ? 'true' : undefined,
    name,
  ]);
  expect(await leftBy(name), where).toEqual(ALL);
  return { happened, text };
}

/** Makes the call on a process that is killed at the point. Returns the statement at that point. */
async function callKilledAt({ process, proxy }: Replica, point: Point, call: (api: Client) => Promise<Answer>): Promise<string> {
  // The process may be in another transaction, of its own, on another connection: that of the call asks for its organization first, and
  // then for its project.
  const saidOn = new Map<Link, string[]>();
  let killedAt: string | undefined;
  proxy.handle = (text, link, pass) => {
    if (killedAt !== undefined) return;
    const before = saidOn.get(link);
    if (text !== 'BEGIN' && !before) return pass();
    const said = text === 'BEGIN' ? [text] : [...before!, text];
    saidOn.set(link, said);
    const isOfCall = said[1]?.includes('require_organization_stays') !== false && said[2]?.includes('claim_projects') !== false;
    if (!isOfCall || (point.statement !== said.length && point.statement !== text)) return pass();
    killedAt = text;
    link.muted = true;
    if (point.moment === 'after') pass();
    void process.kill();
  };
  await expect(call(new Client(process.url, key))).rejects.toThrow();
  return killedAt!;
}

async function aReplica(): Promise<Replica> {
  const proxy = await StatementProxy.to(database.url);
  return { proxy, process: await startProcess({ DATABASE_URL: proxy.tcp.url, ROLE: 'api' }) };
}

async function remove({ proxy, process }: Replica): Promise<void> {
  await process.kill();
  // The database ends the transaction before the connection.
  await eventually(() => expect(proxy.tcp.connections).toBe(0));
  await proxy.tcp.close();
}

async function leftBy(idempotencyKey: string): Promise<typeof ALL> {
  const [left] = await rowsOf<typeof ALL>(
    database.url,
    `SELECT (SELECT count(*)::int FROM claim_projects WHERE name = $1) AS projects,
      (SELECT count(*)::int FROM events WHERE data->>'name' = $1) AS events,
      (SELECT count(*)::int FROM webhook_deliveries JOIN events ON events.id = event_id WHERE data->>'name' = $1) AS deliveries,
      (SELECT count(*)::int FROM audit_entries WHERE changes->'name'->>'to' = $1) AS audits,
      (SELECT count(*)::int FROM idempotency_keys WHERE key = $1) AS claims,
      (SELECT count(*)::int FROM idempotency_keys WHERE key = $1 AND status IS NOT NULL AND answer IS NOT NULL) AS answers`,
    [idempotencyKey],
  );
  return left!;
}
