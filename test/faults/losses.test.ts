import { afterAll, beforeAll, describe, it } from 'vitest';
import { seeded } from '../simulation/simulation.js';
import { Deployment } from '../support/deployment.js';
import { FAULTS } from '../support/faults.js';
import { spend } from '../support/loss-budget.js';
import { canStartRedis } from '../support/redis-engines.js';

const NAMES = Object.keys(FAULTS);
/** `npm run faults -- --cycles 500 --calls-per-second 200 --seed 7` sets these. */
const CYCLES = Number(process.env.TEST_CYCLES ?? NAMES.length);
const CALLS_PER_SECOND = Number(process.env.TEST_CALLS_PER_SECOND ?? 50);
const SEED = Number(process.env.TEST_SEED ?? 1);
/** How long a fault lasts that has no end of its own. */
const LASTS_MS = { from: 500, to: 2500 };
const BEGINS_WITHIN_MS = 500;

/** Every fault once, in another order, again and again. The seed decides the order, and when each fault comes. */
function planned(): { cycle: number; name: string; afterMs: number; lastsMs: number }[] {
  const random = seeded(SEED);
  let round: string[] = [];
  return Array.from({ length: CYCLES }, (_, index) => {
    if (round.length === 0) round = [...NAMES];
    const [name] = round.splice(Math.floor(random() * round.length), 1);
    const lastsMs = LASTS_MS.from + random() * (LASTS_MS.to - LASTS_MS.from);
    return { cycle: index + 1, name: name!, afterMs: random() * BEGINS_WITHIN_MS, lastsMs };
  });
}

// A machine without a Redis of its own has said so at the start.
if (canStartRedis())
  describe(`under ${CALLS_PER_SECOND} writes a second, with seed ${SEED},`, () => {
    let deployment: Deployment;
    beforeAll(async () => {
      deployment = await Deployment.start();
    });
    afterAll(() => deployment.stop());

    it.each(planned())(
      'loses and doubles nothing that was acknowledged, and ends no process: $name (cycle $cycle)',
      ({ name, ...moment }) => spend(deployment, name, FAULTS[name]!, { ...moment, perSecond: CALLS_PER_SECOND }),
    );
  });
