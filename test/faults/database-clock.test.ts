import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { Deployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { spend } from '../support/loss-budget.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { canStartRedis } from '../support/redis-engines.js';
import { SteppingClock } from '../support/stepping-clock.js';

const HOUR_MS = 3_600_000;
/** Until all processes have read the new time, and a moment more. */
const READ_AFTER_MS = 22_000;
/** Some processes have read it, and others have not. */
const PARTLY_READ_AFTER_MS = 6000;
const CIRCUMSTANCES = { afterMs: 0, perSecond: 30 };
const PROJECT = { name: 'Once', periodStart: '2026-01-01', periodEnd: '2026-12-31' };

// A machine without a Redis of its own has said so at the start.
if (canStartRedis()) describe('the clock of the machine of Postgres', onItsClock);

function onItsClock(): void {
  let clock: SteppingClock;
  let postgres: OwnPostgres;
  let deployment: Deployment;
  beforeAll(async () => {
    clock = new SteppingClock();
    postgres = await OwnPostgres.start({}, undefined, clock.env);
    deployment = await Deployment.start({ ownPostgres: Promise.resolve(postgres) });
  });
  afterAll(async () => {
    await deployment.stop();
    clock.remove();
  });

  it.each([
    ['an hour ahead', HOUR_MS, READ_AFTER_MS],
    ['an hour behind', -HOUR_MS, PARTLY_READ_AFTER_MS],
  ])(
    'that is set %s while the service runs, and back, loses and doubles nothing, and delays no delivery',
    async (name, offsetMs, lastsMs) => {
      const { key } = await aTenant(deployment.app);
      const api = new Client(deployment.url, key);
      const idempotencyKey = newId();
      const create = () => api.post('/v1/claim-projects', PROJECT, { 'Idempotency-Key': idempotencyKey });
      const { id } = (await create()).body as { id: string };
      const make = async (): Promise<void> => {
        await clock.stepDatabase(offsetMs, postgres);
        await delay(lastsMs);
        // Keys are valid, and answers are remembered.
        const again = await create();
        expect([again.status, again.headers['idempotent-replayed'], (again.body as { id: string }).id]).toEqual([201, 'true', id]);
        await clock.stepDatabase(0, postgres);
      };
      await spend(deployment, `Clock of Postgres ${name}, and set right again`, { make }, { ...CIRCUMSTANCES, lastsMs });
      // No worker holds an endpoint until an hour from now.
      // By the clock of this machine: the connection that is asked may itself not have read the right time yet. A session that ends gives
      // its endpoint back.
      const held = 'SELECT leased_until FROM webhook_endpoints WHERE leased_until > $1';
      await eventually(async () => expect(await rowsOf(postgres.directUrl, held, [new Date(Date.now() + 5 * 60_000)])).toEqual([]));
      // The log is read in the order of its times.
      const disordered = `SELECT 1 FROM (
        SELECT created_at, lag(created_at) OVER (PARTITION BY organization_id ORDER BY sequence) AS before FROM audit_events) log
      WHERE created_at < before`;
      expect(await rowsOf(postgres.directUrl, disordered)).toEqual([]);
    },
  );
}
