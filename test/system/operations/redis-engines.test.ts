import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WakeUps } from '../../../src/store/jobs/wake-ups.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { createDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { canStartRedis, RedisServers, startCluster, startWatched } from '../../support/redis-engines.js';

/** So slow that nothing is refilled during a test. */
const TIER = { perMinute: 2, burst: 20 };
/** Sooner than any job of the service runs by itself. */
const WOKEN_WITHIN_MS = 2000;
/** Sentinels on a busy machine rest for 30 s when they find that they were late. */
const PATIENCE_MS = 120_000;

interface Engine {
  readonly url: string;
  /** One of its servers, as somebody would name it who does not know what it is. */
  readonly wrongUrl: string;
  readonly advice: string;
  readonly killLeader?: () => Promise<void>;
}

const servers = new RedisServers();
const WATCHED = 'server that Sentinels watch';
const ENGINES: Record<string, () => Promise<Engine>> = {
  cluster: async () => {
    const { url, ports } = await startCluster(servers);
    return { url, wrongUrl: `redis://127.0.0.1:${ports[0]}`, advice: 'use redis+cluster://' };
  },
  [WATCHED]: async () => {
    const { url, sentinel, killLeader } = await startWatched(servers);
    return { url, wrongUrl: `redis://127.0.0.1:${sentinel}`, advice: 'use redis+sentinel://', killLeader };
  },
};

// A machine without a Redis of its own has said so at the start.
if (canStartRedis()) {
  afterAll(() => servers.stop());
  describe.each(Object.entries(ENGINES))('on a Redis that is a %s', (name, start) => processesOn(start, name === WATCHED));
}

function processesOn(start: () => Promise<Engine>, hasReplica: boolean): void {
  let engine: Engine;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let apps: TestApp[];
  beforeAll(async () => {
    [engine, database] = await Promise.all([start(), createDatabase()]);
    const env = { DATABASE_URL: database.url, REDIS_URL: engine.url, RATE_LIMITS: JSON.stringify({ enterprise: TIER }) };
    apps = await Promise.all([startApp(env), startApp(env)]);
  }, PATIENCE_MS);
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await database.drop();
  });

  /** Waits until both processes count the calls of a new organization together. */
  const untilShared = (): Promise<void> =>
    eventually(async () => {
      const { key } = await aTenant(apps[0]!);
      const remaining: number[] = [];
      for (const { url } of apps) remaining.push((await new Client(url, key).get('/v1/auth/context')).body.rateLimit.remaining as number);
      expect(remaining).toEqual([TIER.burst - 1, TIER.burst - 2]);
    }, PATIENCE_MS);

  /** Waits until a wake-up from one process has reached a worker of the other. */
  const untilWoken = async (): Promise<void> => {
    const id = `probe.${apps.length}.${Date.now()}`;
    let woken = 0;
    const run = () => Promise.resolve(void (woken += 1));
    apps[1]!.app.get(WakeUps).register({ id, summary: 'Counts.', everyMs: 3_600_000, emits: [], run });
    await eventually(async () => {
      apps[0]!.app.get(WakeUps).wake(id);
      await eventually(() => expect(woken).toBeGreaterThan(0), WOKEN_WITHIN_MS);
    }, PATIENCE_MS);
  };

  it('processes share limits and wake each other', async () => {
    await untilShared();
    await untilWoken();
  });

  it('`claims doctor` says that it can be used, and of one of its servers alone that it cannot, and what to write instead', async () => {
    const findingOf = async (redisUrl: string) => {
      const { stdout } = await runCommand(['doctor', '--json'], { DATABASE_URL: database.url, REDIS_URL: redisUrl });
      const { findings } = JSON.parse(stdout) as { findings: { check: string; ok: boolean; detail: string }[] };
      return findings.find(({ check }) => check === 'redis')!;
    };
    expect(await findingOf(engine.url)).toMatchObject({ ok: true });
    expect(await findingOf(engine.wrongUrl)).toMatchObject({ ok: false, detail: expect.stringContaining(engine.advice) });
  });

  if (!hasReplica) return;
  it('goes on when the leading server is lost: limits and wake-ups are shared again', async () => {
    await engine.killLeader!();
    await untilShared();
    await untilWoken();
  });
}
