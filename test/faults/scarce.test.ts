import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { UNANSWERED } from '../support/writers.js';
import { spend } from '../support/loss-budget.js';
import { canLimitMemory } from '../support/memory-group.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { canStartRedis } from '../support/redis-engines.js';
import { canMount, SmallDisk } from '../support/small-disk.js';

const LASTS_MS = 2000;
/** The rate limits have nothing to say here: as many writes as the service can take. */
const CIRCUMSTANCES = { afterMs: 0, lastsMs: LASTS_MS, perSecond: Infinity };
const CLIENTS = 200;
const CONNECTIONS = 3;
const TOO_MANY = 429;
/** A call waits up to five seconds each: for a place of its organization, for its turn to write, and for a connection. */
const WAITS_MS = 20_000;
const HEAP_MIB = 128;
/** As a container has it; the kernel ends a process that takes more. */
const MEMORY_MIB = 256;

/** A small write-ahead log, since the disk is small. */
const POSTGRES = { min_wal_size: '32MB', max_wal_size: '64MB' };

if (!canLimitMemory()) console.warn('No right to create control groups (root has it): no memory is limited by the kernel.');
if (!canMount()) console.warn('No right to mount a file system (root has it): a service with little of everything is not tested.');
// A machine without a Redis of its own has said so at the start.
if (canStartRedis() && canMount()) describe('a service with little of everything', withLittle);

function withLittle(): void {
  let disk: SmallDisk;
  let deployment: Deployment;
  beforeAll(async () => {
    disk = new SmallDisk();
    const env = { DATABASE_POOL_SIZE: String(CONNECTIONS), NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` };
    const ownPostgres = OwnPostgres.start(POSTGRES, join(disk.folder, 'data'));
    deployment = await Deployment.start({ env, ownPostgres, memoryMib: MEMORY_MIB });
  });
  afterAll(async () => {
    await deployment.stop();
    disk.remove();
  });

  it(`${CLIENTS} clients on ${CONNECTIONS} connections lose and double nothing, within ${MEMORY_MIB} MiB`, async () => {
    const name = `${CLIENTS} clients on pools of ${CONNECTIONS} connections, in ${MEMORY_MIB} MiB`;
    const fault = { make: (_: Deployment, lastsMs: number) => delay(lastsMs), refusal: TOO_MANY, refusedWithinMs: WAITS_MS };
    await spend(deployment, name, fault, { ...CIRCUMSTANCES, clients: CLIENTS });
    for (const { pid } of Object.values(deployment.processes).flat()) expect(peakMib(pid)).toBeLessThan(MEMORY_MIB);
  });

  it.runIf(canLimitMemory())('an API that the kernel ends because its memory is gone loses and doubles nothing', async () => {
    const fault = { make: () => deployment.starve('api'), refusal: UNANSWERED };
    await spend(deployment, 'API out of memory: ended by the kernel, another one started', fault, CIRCUMSTANCES);
  });

  it('a full disk of Postgres loses and doubles nothing: writes are refused with 503, and go on when there is room', async () => {
    await spend(deployment, 'Disk of Postgres full', { make: (_, lastsMs, { refusals }) => full(lastsMs, refusals) }, CIRCUMSTANCES);
  });

  async function full(lastsMs: number, refusals: readonly number[]): Promise<void> {
    disk.fill();
    await eventually(() => expect(refusals.length).toBeGreaterThan(0));
    await delay(lastsMs);
    disk.makeRoom();
    // Without room for its log, Postgres ends.
    if (!(await deployment.postgres.isRunning())) await deployment.postgres.startAgain();
  }
}

/** The most memory that a process has had. */
const peakMib = (pid: number): number => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
