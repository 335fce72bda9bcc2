import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { FAULTS, type Fault } from '../support/faults.js';
import { spend } from '../support/loss-budget.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { canStartRedis } from '../support/redis-engines.js';
import { canMount, SmallDisk } from '../support/small-disk.js';
import { startPair } from '../support/standby.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const CIRCUMSTANCES = { afterMs: 0, lastsMs: 1500, perSecond: 50 };
/** Two servers may each take as long as one to be noticed. */
const REFUSED_WITHIN_MS = 5000;
/** A small write-ahead log, since the disk is small. */
const POSTGRES = { min_wal_size: '32MB', max_wal_size: '64MB' };

/** Both begin at the same moment, and it is over when both are. */
const together = (...faults: readonly Pick<Fault, 'make'>[]): Fault => ({
  make: async (...given) => void (await Promise.all(faults.map(({ make }) => make(...given)))),
  refusedWithinMs: REFUSED_WITHIN_MS,
});

const fault = (name: string): Fault => FAULTS[name]!;
const REDIS_KILLED = fault('Redis killed, and started again');
const WORKER_KILLED = fault('Worker killed, another one started');

// A machine without a Redis of its own has said so at the start.
if (canStartRedis()) {
  describe('two faults at once', withServers);
  describe('a worker that is lost while the database fails over', withStandby);
}

function withServers(): void {
  let disk: SmallDisk | undefined;
  let deployment: Deployment;
  beforeAll(async () => {
    disk = canMount() ? new SmallDisk() : undefined;
    deployment = await Deployment.start({ ownPostgres: OwnPostgres.start(POSTGRES, disk && join(disk.folder, 'data')) });
  });
  afterAll(async () => {
    await deployment.stop();
    disk?.remove();
  });

  const PAIRS: Record<string, Fault> = {
    'Redis and Postgres killed, and started again': together(REDIS_KILLED, fault('Postgres killed, and started again')),
    'Redis silent and Postgres silent (black holes)': together(fault('Redis silent (black hole)'), fault('Postgres silent (black hole)')),
    'Worker and Postgres killed, and started again': together(WORKER_KILLED, fault('Postgres killed, and started again')),
    'Workers stopped for longer than their lease, and Redis loses its data': together(
      fault('Workers stopped for longer than their lease, then continued'),
      fault('Redis loses its data'),
    ),
  };

  it.each(Object.entries(PAIRS))('lose and double nothing: %s', (name, both) => spend(deployment, name, both, CIRCUMSTANCES));

  it.runIf(canMount())(
    'lose and double nothing: disk of Postgres full, which has all files, and Redis killed and started again',
    async () => {
      const full: Fault = {
        make: async ({ postgres }, lastsMs, { refusals }) => {
          disk!.fill();
          await eventually(() => expect(refusals.length).toBeGreaterThan(0));
          await delay(lastsMs);
          disk!.makeRoom();
          // Without room for its log, Postgres ends.
          if (!(await postgres.isRunning())) await postgres.startAgain();
        },
      };
      await spend(deployment, 'Disk of Postgres full, and Redis killed', together(full, REDIS_KILLED), CIRCUMSTANCES);
    },
  );
}

function withStandby(): void {
  let deployment: Deployment;
  beforeAll(async () => {
    const pair = await startPair();
    const proxy = await TcpProxy.to(pair.primary);
    let directUrl = pair.primary;
    const failingOver = {
      proxy,
      get directUrl() {
        return directUrl;
      },
      kill: () => pair.killPrimary(),
      startAgain: async () => {
        await pair.promote();
        directUrl = pair.standby;
        proxy.leadTo(pair.standby);
      },
      stop: async () => {
        await proxy.close();
        await pair.stop();
      },
    };
    // A deployment asks for no more than that unless a fault does.
    deployment = await Deployment.start({ ownPostgres: Promise.resolve(failingOver as unknown as OwnPostgres) });
  });
  afterAll(() => deployment.stop());

  it('loses and doubles nothing', async () => {
    const failover = fault('Postgres killed, and started again');
    await spend(deployment, 'Worker killed while the standby is promoted', together(WORKER_KILLED, failover), CIRCUMSTANCES);
  });
}
