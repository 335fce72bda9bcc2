import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Deployment } from '../support/deployment.js';
import { spend } from '../support/loss-budget.js';
import { canStartRedis } from '../support/redis-engines.js';
import { SteppingClock } from '../support/stepping-clock.js';

const HOUR_MS = 3_600_000;
const CIRCUMSTANCES = { afterMs: 0, lastsMs: 1000, perSecond: 50 };
const STEPS: Record<string, number> = { 'an hour ahead': HOUR_MS, 'an hour behind': -HOUR_MS };

// A machine without a Redis of its own has said so at the start.
if (canStartRedis())
  describe('a clock that is set while the service runs', () => {
    let clock: SteppingClock;
    let deployment: Deployment;
    beforeAll(async () => {
      clock = new SteppingClock();
      deployment = await Deployment.start({ env: clock.env });
    });
    afterAll(async () => {
      await deployment.stop();
      clock.remove();
    });

    it.each(Object.entries(STEPS))('%s, and back, loses and doubles nothing, and ends no process', async (name, offsetMs) => {
      const make = async ({ processes: { api, worker } }: Deployment, lastsMs: number): Promise<void> => {
        const processes = [...api, ...worker];
        await clock.step(offsetMs, processes);
        await delay(lastsMs);
        await clock.step(0, processes);
      };
      await spend(deployment, `Clock of all processes ${name}, and set right again`, { make }, CIRCUMSTANCES);
    });
  });
