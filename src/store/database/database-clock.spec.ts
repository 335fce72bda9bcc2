import { expect, it } from 'vitest';
import type { Database } from './database.js';
import { DatabaseClock } from './database-clock.js';

const HOUR_MS = 3_600_000;

/** A database whose clock is ahead by `aheadMs`, and which may be away. */
class Server {
  aheadMs = 0;
  isAway = false;
  rows = (): Promise<{ ms: number }[]> =>
    this.isAway ? Promise.reject(new Error('away')) : Promise.resolve([{ ms: Date.now() + this.aheadMs }]);
}

class SteppedClock extends DatabaseClock {
  elapsed = 0;
  override elapsedMs(): number {
    return this.elapsed;
  }
}

async function started(server: Server): Promise<SteppedClock> {
  const clock = new SteppedClock(server as unknown as Database);
  await clock.onModuleInit();
  clock.onModuleDestroy();
  return clock;
}

const aheadOf = (clock: DatabaseClock): number => Math.round((clock.now().getTime() - Date.now()) / HOUR_MS);

it('has the time of the database', async () => {
  const server = Object.assign(new Server(), { aheadMs: 2 * HOUR_MS });
  expect(aheadOf(await started(server))).toBe(2);
});

it('goes on by what has elapsed, whatever happens to the clock of the machine', async () => {
  const clock = await started(new Server());
  const before = clock.now().getTime();
  clock.elapsed = 1234;
  expect(clock.now().getTime() - before).toBe(1234);
});

it('follows the database when that is set, or is another one after a failover', async () => {
  const server = new Server();
  const clock = await started(server);
  server.aheadMs = -HOUR_MS;
  await clock.onModuleInit();
  clock.onModuleDestroy();
  expect(aheadOf(clock)).toBe(-1);
});

it('keeps the last reading while the database is away, and has the time of the machine before the first', async () => {
  const server = Object.assign(new Server(), { aheadMs: HOUR_MS, isAway: true });
  const clock = await started(server);
  expect(aheadOf(clock)).toBe(0);
  server.isAway = false;
  await clock.onModuleInit();
  clock.onModuleDestroy();
  server.isAway = true;
  await clock.onModuleInit();
  clock.onModuleDestroy();
  expect(aheadOf(clock)).toBe(1);
});
