import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { report } from '../support/figures.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { startShippedPgBouncer } from '../support/pgbouncer.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { WITHOUT_LIMITS, Writers } from '../support/writers.js';

const AWAY_MS = 300;
const WRITTEN_AGAIN_WITHIN_MS = 2000;

let postgres: OwnPostgres;
let pooler: Awaited<ReturnType<typeof startShippedPgBouncer>>;
let service: TestProcess;
let app: TestApp;
beforeAll(async () => {
  postgres = await OwnPostgres.start();
  app = await startApp({ DATABASE_URL: postgres.proxy.url });
  pooler = await startShippedPgBouncer(postgres.proxy.url);
  service = await startProcess({
    DATABASE_URL: pooler.url,
    DATABASE_POOLER: 'transaction',
    DATABASE_POOL_SIZE: '8',
    ...WITHOUT_LIMITS,
  });
});
afterAll(async () => {
  await service.stop();
  await app.close();
  await pooler.stop();
  await postgres.stop();
});

describe('behind the PgBouncer that docker/pgbouncer.ini makes', () => {
  it.each([
    [
      `a Postgres that is away for ${AWAY_MS} ms`,
      async (): Promise<void> => {
        postgres.proxy.cut();
        await sleep(AWAY_MS);
        postgres.proxy.restore();
      },
    ],
    [
      'a Postgres that is killed and started again',
      async (): Promise<void> => {
        postgres.proxy.cut();
        await postgres.kill();
        await postgres.startAgain();
      },
    ],
    ['a Postgres that recovers from a lost session', () => postgres.killSession()],
  ])('calls are answered again within 2 s after %s, and nothing that was acknowledged is lost', async (fault, happen) => {
    const { key, organization } = await aTenant(app);
    const writers = new Writers(new Client(service.url, key));
    await writers.untilMore();
    await happen();
    const firstWriteMs = await writers.firstAfter(performance.now());
    await writers.untilMore();
    await writers.stop();
    const compared = await writers.comparedWith(postgres.directUrl, organization.id);
    report({ fault: `Behind PgBouncer: ${fault}`, ...compared, firstWriteMs });
    expect(compared).toMatchObject({ lost: 0, doubled: 0 });
    for (const status of writers.refusals) expect(status).toBe(503);
    expect(firstWriteMs).toBeLessThan(WRITTEN_AGAIN_WITHIN_MS);
  });
});
