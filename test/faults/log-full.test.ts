import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { Deployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { spend } from '../support/loss-budget.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { canStartRedis } from '../support/redis-engines.js';
import { canMount, SmallDisk } from '../support/small-disk.js';
import type { Writers } from '../support/writers.js';

const CIRCUMSTANCES = { afterMs: 0, lastsMs: 2000, perSecond: 50 };
const REFUSED_WITHIN_MS = 5000;
/** A small write-ahead log, whose next file is needed soon. */
const POSTGRES = { min_wal_size: '32MB', max_wal_size: '64MB' };

if (!canMount()) console.warn('No right to mount a file system (root has it): a full disk of the write-ahead log is not tested.');
// A machine without a Redis of its own has said so at the start.
if (canStartRedis() && canMount()) describe('a write-ahead log without room', withoutRoom);

function withoutRoom(): void {
  let disk: SmallDisk;
  let deployment: Deployment;
  let reader: Client;
  beforeAll(async () => {
    disk = new SmallDisk();
    const postgres = await OwnPostgres.start(POSTGRES);
    await postgres.moveLog(disk.folder);
    deployment = await Deployment.start({ ownPostgres: Promise.resolve(postgres) });
    reader = (await deployment.aTenant()).api;
  });
  afterAll(async () => {
    await deployment.stop();
    disk.remove();
  });

  it('loses and doubles nothing: calls are refused with 503 while Postgres has ended, and go on when it is started with room', async () => {
    const make = (_: Deployment, lastsMs: number, writers: Writers) => full(lastsMs, writers);
    await spend(deployment, 'Disk of the write-ahead log full', { make, refusedWithinMs: REFUSED_WITHIN_MS }, CIRCUMSTANCES);
  });

  async function full(lastsMs: number, { refusals }: Writers): Promise<void> {
    const { postgres } = deployment;
    disk.fill();
    // Files of the log that it has ready are used up first; a last one may let it recover once more.
    await eventually(async () => {
      await rowsOf(postgres.directUrl, 'SELECT pg_switch_wal()').catch(() => undefined);
      expect(await postgres.isRunning()).toBe(false);
    });
    const since = performance.now();
    const { status, headers } = await reader.get('/v1/claim-projects');
    expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true]);
    expect(performance.now() - since).toBeLessThan(REFUSED_WITHIN_MS);
    await delay(lastsMs);
    expect(refusals.length).toBeGreaterThan(0);
    disk.makeRoom();
    await postgres.startAgain();
  }
}
