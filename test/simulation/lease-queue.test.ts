import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { Database } from '../../src/store/database/database.js';
import { keptSql } from '../../src/modules/organization/index.js';
import { UnitOfWork } from '../../src/store/database/unit-of-work.js';
import { LeaseQueue, type LeasedItem } from '../../src/store/jobs/lease-queue.js';
import { startApp, type TestApp } from '../support/app.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { VirtualClock } from './virtual-clock.js';

/** The statements of the queue take the time from the clock, so the queue itself runs here, on Postgres and on virtual time. */
const ORGANIZATIONS = 100;
const WORKERS = 4;
const RUN_MS = 10_000;
const LEASE_MS = 30_000;

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let queue: LeaseQueue;
const clock = new VirtualClock(new Date('2026-01-01T00:00:00Z'));
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url });
  queue = new LeaseQueue(app.app.get(Database), clock, 'claim_reports', 'status', keptSql);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const take = () => app.app.get(UnitOfWork).transact((unit) => queue.take(unit));
const finish = (runs: readonly LeasedItem[]) =>
  rowsOf(database.url, "UPDATE claim_reports SET status = 'succeeded', lease = NULL WHERE id = ANY ($1)", [runs.map(({ id }) => id)]);

/** Queues as many runs for each of these organizations. */
async function enqueue(organizationIds: readonly string[], runs: number): Promise<void> {
  const at = clock.timestamp();
  await rowsOf(
    database.url,
    `INSERT INTO claim_reports (id, organization_id, environment, created_at, updated_at, lost_workers, status, queued_at)
     SELECT gen_random_uuid(), organization_id, 'test', $2, $2, 0, 'queued', $2
     FROM unnest($1::uuid[]) organization_id, generate_series(1, $3)`,
    [organizationIds, at, runs],
  );
}

/** Workers take a run each, and finish it, round after round. Returns the organizations in the order of their runs. */
async function work(rounds: number): Promise<string[]> {
  const served: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const runs: LeasedItem[] = [];
    for (let worker = 0; worker < WORKERS; worker += 1) {
      const item = await take();
      if (item) runs.push(item);
    }
    served.push(...runs.map(({ organizationId }) => organizationId));
    await clock.pass(RUN_MS);
    await finish(runs);
  }
  return served;
}

it('organizations take turns: a thousand runs of one delay the first run of another by one turn at most', async () => {
  const large = newId();
  const others = Array.from({ length: ORGANIZATIONS }, newId);
  await enqueue([large], 1000);
  expect(await work(5)).toEqual(Array(5 * WORKERS).fill(large));
  await enqueue(others, 2);
  const served = await work((2 * ORGANIZATIONS + 20) / WORKERS);
  const first = new Set(served.slice(0, ORGANIZATIONS + WORKERS));
  expect(others.filter((other) => !first.has(other))).toEqual([]);
  const late = newId();
  await enqueue([late], 1);
  expect(await work(1)).toContain(late);
  await rowsOf(database.url, 'DELETE FROM claim_reports');
});

it('the run of a lost worker is taken first, once its lease has ended, and not before', async () => {
  await enqueue([newId()], 1);
  const lost = (await take())!;
  await enqueue([newId()], 20);
  await clock.pass(LEASE_MS - 1000);
  const early = (await take())!;
  expect(early.id).not.toBe(lost.id);
  await finish([early]);
  await clock.pass(2000);
  expect(await take()).toMatchObject({ id: lost.id, lostWorkers: 1, isBegun: true });
  await rowsOf(database.url, 'DELETE FROM claim_reports');
});

/** Takes are one at a time, so what one takes limits how many runs all workers can begin in a second. */
it('a take is short although every organization waits', async () => {
  const organizations = Number(process.env.SIMULATE_ORGANIZATIONS ?? 500);
  await enqueue(
    Array.from({ length: organizations }, () => newId()),
    2,
  );
  await rowsOf(database.url, 'VACUUM ANALYZE claim_reports');
  const times: number[] = [];
  for (let count = 0; count < 50; count += 1) {
    const begin = performance.now();
    await take();
    times.push(performance.now() - begin);
  }
  const median = times.sort((a, b) => a - b)[25]!;
  if (process.env.SIMULATE_SHOW)
    console.log(`work queue: ${organizations} organizations wait; a take has a median of ${median.toFixed(1)} ms`);
  expect(median).toBeLessThan(500);
});
