import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fairness, LONGEST_WAIT_MS, outage, recovery, type Findings } from './scenarios.js';
import { seeded, type Size } from './simulation.js';

/** `npm run simulate` makes it large. */
const SIZE: Size = {
  organizations: Number(process.env.SIMULATE_ORGANIZATIONS ?? 500),
  deliveriesPerHour: Number(process.env.SIMULATE_DELIVERIES_PER_HOUR ?? 50_000),
  workers: Number(process.env.SIMULATE_WORKERS ?? 4),
  seed: Number(process.env.SIMULATE_SEED ?? 1),
};
const MINUTES = Number(process.env.SIMULATE_MINUTES ?? 5);
const AWAY_MINUTES = Number(process.env.SIMULATE_AWAY_MINUTES ?? 5);
const TIMEOUT_MS = 1_800_000;

beforeAll(() => {
  vi.spyOn(Math, 'random').mockImplementation(seeded(SIZE.seed));
});
afterAll(() => {
  vi.restoreAllMocks();
});

function print(what: string, { deliveries, p50Ms, p99Ms, longestMs, failedJobs, more }: Findings): void {
  if (!process.env.SIMULATE_SHOW) return;
  console.log(
    `${what}: ${deliveries} requests; p50 ${p50Ms} ms, p99 ${p99Ms} ms, longest ${longestMs} ms; ${failedJobs} failed jobs; ${more}`,
  );
}

it(
  'a first delivery waits for no other organization, neither for its import nor for its silent receiver',
  { timeout: TIMEOUT_MS },
  async () => {
    const found = await fairness(SIZE, MINUTES);
    print('fairness', found);
    expect(found.longestMs).toBeLessThan(LONGEST_WAIT_MS);
  },
);

it('while many receivers are silent and after, first deliveries to others do not wait', { timeout: TIMEOUT_MS }, async () => {
  const found = await outage(SIZE, MINUTES);
  print('outage', found);
  expect(found.longestMs).toBeLessThan(LONGEST_WAIT_MS);
});

it('after a time without workers, first deliveries do not wait for what was left', { timeout: TIMEOUT_MS }, async () => {
  const found = await recovery(SIZE, AWAY_MINUTES);
  print('recovery', found);
  expect(found.longestMs).toBeLessThan(LONGEST_WAIT_MS);
});
