import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuditService, verifyChain } from '../../../src/modules/audit/index.js';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aLog, anEntry, aSealedEntry, atTime, auditPage, auditPages, rowsOfPages, wholeLog } from '../../support/audit.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { createDatabase, rowsOf } from '../../support/database.js';

// Partitions are shared by all organizations, so these tests have a database of their own.
let database: { url: string; drop: () => Promise<void> };
let app: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

async function partitionsOf(url: string): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    url,
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_events'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

function partitionAt(time: Date, ahead: number): string {
  const month = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + ahead, 1));
  return `audit_events_${month.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

async function aReader() {
  const { organization, key } = await aTenant(app, { environment: 'live' });
  return { organizationId: organization.id, api: new Client(app.url, key) };
}

it('partitions exist for the current month and the next one', async () => {
  const started = new Date();
  await aLog(app, 1);
  expect(await partitionsOf(database.url)).toEqual(expect.arrayContaining([partitionAt(started, 0), partitionAt(started, 1)]));
});

it('a log continues across months and years', async () => {
  const { organizationId, api } = await aReader();
  const times = [
    '2030-11-30T23:59:59.999Z',
    '2030-12-01T00:00:00.000Z',
    '2030-12-31T23:59:59.998Z',
    '2030-12-31T23:59:59.999Z',
    '2031-01-01T00:00:00.000Z',
    '2031-02-28T12:00:00.000Z',
  ];
  await wholeLog(api);
  for (const time of times) await atTime(app, time, () => aSealedEntry(app, organizationId));
  const rows = rowsOfPages(await auditPages(api, { limit: 2 }));
  expect(rows.slice(2).map(({ sequence, createdAt }) => [sequence, createdAt])).toEqual(times.map((time, index) => [index + 3, time]));
  expect(verifyChain(rows)).toMatchObject({ rows: 8, fault: null });
  const { data } = await auditPage(api, { since: '2030-12-01T00:00:00Z', until: '2031-01-01T00:00:00Z' });
  expect(data.map(({ createdAt }) => createdAt)).toEqual(times.slice(1, 4));
  const partitions = await partitionsOf(database.url);
  for (const month of ['20301101', '20301201', '20310101', '20310201', '20310301']) expect(partitions).toContain(`audit_events_${month}`);
});

it('createdAt rises with the sequence even if the clock is set back, and a reader misses nothing', async () => {
  const { organizationId, api } = await aReader();
  await wholeLog(api);
  const clock = [
    '2032-06-15T12:00:00.000Z',
    '2032-06-15T11:00:00.000Z',
    '2032-05-01T00:00:00.000Z',
    '2032-06-15T12:00:00.001Z',
    '2032-06-15T12:00:00.001Z',
    '2032-06-15T12:00:01.000Z',
    '2001-01-01T00:00:00.000Z',
  ];
  let cursor = (await auditPages(api)).at(-1)!.nextCursor;
  for (const [index, time] of clock.entries()) {
    const pages = await atTime(app, time, async () => {
      await anEntry(app, organizationId, { action: `turn_${index}.came` });
      return auditPages(api, {}, cursor);
    });
    expect(rowsOfPages(pages).map(({ action }) => action)).toEqual([`turn_${index}.came`]);
    cursor = pages.at(-1)!.nextCursor;
  }
  const rows = await wholeLog(api);
  const entered = rows.slice(2).map(({ createdAt }) => createdAt);
  expect(entered).toEqual([0, 1, 2, 3, 4, 1000, 1001].map((ms) => new Date(Date.parse(clock[0]!) + ms).toISOString()));
  // occurredAt is the time of the clock.
  expect(rows.slice(2).map(({ occurredAt }) => occurredAt)).toEqual(clock);
  expect(verifyChain(rows)).toMatchObject({ rows: 9, fault: null });
});

it('events with the same createdAt are in the order in which they were written', async () => {
  const { organizationId, api } = await aReader();
  await wholeLog(api);
  const actions = Array.from({ length: 40 }, (_, index) => `row.${index}`);
  for (const action of actions) await anEntry(app, organizationId, { action });
  const rows = (await wholeLog(api)).slice(2);
  expect(rows.map(({ action }) => action)).toEqual(actions);
  expect(new Set(rows.map(({ createdAt }) => createdAt)).size).toBe(1);
  const ids = rows.map(({ id }) => id);
  expect(ids).toEqual([...ids].sort());
});

// The last test, since keys are looked up in the database of the application that was started last.
it('replicas that seal at the same time in an empty database do not disturb each other', async () => {
  const empty = await createDatabase();
  const replicas = [
    await startApp({ DATABASE_URL: empty.url }),
    await startApp({ DATABASE_URL: empty.url }),
    await startApp({ DATABASE_URL: empty.url }),
  ];
  const [shared, ...own] = [newId(), newId(), newId(), newId()];
  for (const id of [shared, shared, shared, ...own]) await anEntry(replicas[0]!, id);
  expect(await partitionsOf(empty.url)).toEqual([]);
  const verdicts = await Promise.all(
    replicas.flatMap((replica, index) => [shared, own[index]!].map((id) => replica.app.get(AuditService).verify(id))),
  );
  expect(verdicts.map(({ rows, fault }) => [rows, fault])).toEqual(
    replicas.flatMap(() => [
      [3, null],
      [1, null],
    ]),
  );
  expect(await partitionsOf(empty.url)).toHaveLength(2);
  for (const replica of replicas) await replica.close();
  await empty.drop();
});
