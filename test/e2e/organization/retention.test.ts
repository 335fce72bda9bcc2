import { afterAll, beforeAll, expect, it } from 'vitest';
import { EventRetention } from '../../../src/store/events/events.js';
import { Clock } from '../../../src/kernel/time.js';
import { Partitions, type PartitionedTable } from '../../../src/store/database/partitions.js';
import { idAt, newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { createDatabase, rowsOf } from '../../support/database.js';

const DAY_MS = 86_400_000;

// Partitions are shared by all organizations, so these tests have a database of their own.
let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url, EVENT_RETENTION: '30d' });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const daysFromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS);

/** Inserts an event of a given time, and returns the name of its partition. */
async function anEventOf(time: Date): Promise<string> {
  const id = idAt(time.toISOString(), 0);
  await rowsOf(
    database.url,
    `INSERT INTO events (id, organization_id, environment, kind, resource_id, occurred_at, data)
    VALUES ($1, $2, 'test', 'claim_project.created', $2, $3, '{}')`,
    [id, newId(), time.toISOString()],
  );
  for (const name of await partitionsOf('events'))
    if ((await rowsOf(database.url, `SELECT 1 FROM ${name} WHERE id = $1`, [id])).length > 0) return name;
  throw new Error('The event is in no partition.');
}

const partitionsOf = async (table: string): Promise<string[]> => {
  const rows = await rowsOf<{ name: string }>(
    database.url,
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1`,
    [table],
  );
  return rows.map(({ name }) => name);
};

it('partitions for the events and deliveries of the next three weeks exist as soon as the service has started', async () => {
  for (const days of [0, 7, 14, 21]) expect(await anEventOf(daysFromNow(days))).toMatch(/^events_\d{8}$/);
  expect(await partitionsOf('webhook_deliveries')).toHaveLength(5);
});

it('an event without a partition for its time goes into the default one, and is moved when the partition is created', async () => {
  const time = daysFromNow(100);
  expect(await anEventOf(time)).toBe('events_default');
  const events: PartitionedTable = { table: 'events', by: 'id', period: 'week' };
  await app.app.get(Partitions).ensure(events, time, 0);
  expect(await rowsOf(database.url, 'SELECT 1 FROM events_default')).toEqual([]);
  expect(await anEventOf(daysFromNow(100))).toMatch(/^events_\d{8}$/);
});

it('drops the partitions that end before the retention period, and no others', async () => {
  const partitions = app.app.get(Partitions);
  const events: PartitionedTable = { table: 'events', by: 'id', period: 'week' };
  await partitions.ensure(events, daysFromNow(-70), 9);
  const old = await anEventOf(daysFromNow(-45));
  const young = await anEventOf(daysFromNow(-29));
  const clock = app.app.get(Clock);
  expect(clock.now()).toBeInstanceOf(Date);
  await app.app.get(EventRetention).retain();
  const left = await partitionsOf('events');
  expect(left).not.toContain(old);
  expect(left).toContain(young);
});

it('a partition that several processes create at the same time is created once, and none of them fails', async () => {
  const create = () =>
    rowsOf<{ outcome: string }>(
      database.url,
      `SELECT create_partition('events', 'events_20990105',
         '03b3d4b0-0000-0000-0000-000000000000', '03b3d4b1-0000-0000-0000-000000000000') AS outcome`,
    );
  const outcomes = (await Promise.all(Array.from({ length: 8 }, create))).map(([row]) => row!.outcome);
  expect(outcomes.sort()).toEqual(['created', ...Array.from({ length: 7 }, () => 'exists')]);
});
