import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const redisUrl = inject('redisUrl');

/** So slow that nothing is refilled during a test. */
const TIER = { perMinute: 2, burst: 20 };
/** Far more than a command may take, for a busy machine, and far less than a client of Redis waits by itself. */
const ANSWERED_WITHIN_MS = 3000;

/** The outcome of calls that the given clients make in turn. */
interface Outcome {
  readonly allowed: number;
  readonly refused: number;
  readonly slowestMs: number;
}

async function callByTurns(times: number, ...clients: Client[]): Promise<Outcome> {
  const outcome = { allowed: 0, refused: 0, slowestMs: 0 };
  for (let index = 0; index < times; index += 1) {
    const start = performance.now();
    const { status } = await clients[index % clients.length]!.get('/v1');
    outcome.slowestMs = Math.max(outcome.slowestMs, performance.now() - start);
    expect([200, 429]).toContain(status);
    if (status === 200) outcome.allowed += 1;
    else outcome.refused += 1;
  }
  return outcome;
}

if (redisUrl) describe('a service with limits in Redis', () => limitsOnRedis(redisUrl));

function limitsOnRedis(url: string): void {
  let proxy: TcpProxy;
  let redis: Redis;
  let builder: TestApp;
  let replicas: TestProcess[];
  let worker: TestProcess;
  let env: Record<string, string>;
  beforeAll(async () => {
    // A Redis database of its own, so that no other replicas are counted.
    const own = new URL(url);
    own.pathname = '/9';
    redis = new Redis(own.href);
    await redis.del('claims:replicas');
    proxy = await TcpProxy.to(own.href);
    builder = await startApp();
    env = { DATABASE_URL: builder.databaseUrl, REDIS_URL: proxy.url, RATE_LIMITS: JSON.stringify({ enterprise: TIER }) };
    // A worker answers no calls: it must not take a share of the limits.
    [worker, ...replicas] = await Promise.all([startProcess({ ...env, ROLE: 'worker' }), startProcess(env), startProcess(env)]);
  });
  afterAll(async () => {
    await Promise.all([worker, ...replicas].map((started) => started.stop()));
    await builder.close();
    await proxy.close();
    redis.disconnect();
  });

  afterEach(() => proxy.restore());

  /** A new organization, as a client of each replica. */
  async function aTenantOfBoth(): Promise<{ organizationId: string; clients: [Client, Client] }> {
    const { key, organization } = await aTenant(builder);
    return { organizationId: organization.id, clients: [new Client(replicas[0]!.url, key), new Client(replicas[1]!.url, key)] };
  }

  const remaining = async (client: Client): Promise<number> => (await client.get('/v1/auth/context')).body.rateLimit.remaining;

  /** Waits until both replicas use Redis, and so count each other's calls. */
  async function untilShared(): Promise<void> {
    await eventually(async () => {
      const { clients } = await aTenantOfBoth();
      expect([await remaining(clients[0]), await remaining(clients[1])]).toEqual([TIER.burst - 1, TIER.burst - 2]);
    });
  }

  /** Waits until both replicas know about each other. */
  async function untilCounted(): Promise<void> {
    const since = Date.now();
    proxy.cut();
    proxy.restore();
    // Each replica registers when Redis is back. After that, both are known.
    await eventually(async () => expect(await redis.zcount('claims:replicas', since, '+inf')).toBe(2));
    await untilShared();
  }

  it('shares the limit of an organization between replicas', async () => {
    await untilShared();
    const { clients } = await aTenantOfBoth();
    expect(await callByTurns(30, ...clients)).toMatchObject({ allowed: TIER.burst, refused: 10 });
    expect(await callByTurns(2, ...clients)).toMatchObject({ allowed: 0, refused: 2 });
  });

  /** By health, and by the metric that the alert reads. */
  async function expectSaid(redisState: string, up: number): Promise<void> {
    for (const { url: at, metrics } of replicas) {
      expect(await (await fetch(`${at}/health/dependencies`)).json()).toMatchObject({ redis: redisState });
      expect(await (await fetch(`${metrics}/metrics`)).text()).toMatch(new RegExp(`^claims_redis_up(\\{\\})? ${up}$`, 'm'));
    }
  }

  it.each([
    ['is down', () => proxy.cut()],
    ['does not answer', () => proxy.silence()],
  ])(
    'answers quickly and says so while Redis %s, each replica within its share, and shares the limit again when Redis is back',
    async (_name, takeAway) => {
      await untilCounted();
      takeAway();
      const { clients } = await aTenantOfBoth();
      await eventually(() => expectSaid('unavailable', 0));
      for (const client of clients) {
        const { allowed, slowestMs } = await callByTurns(15, client);
        expect(allowed).toBe(TIER.burst / 2);
        expect(slowestMs).toBeLessThan(ANSWERED_WITHIN_MS);
      }
      proxy.restore();
      await untilShared();
      await eventually(() => expectSaid('ok', 1));
      expect(await callByTurns(30, ...(await aTenantOfBoth()).clients)).toMatchObject({ allowed: TIER.burst });
    },
  );

  it('keeps working when Redis has lost all its data', async () => {
    await untilShared();
    const { organizationId, clients } = await aTenantOfBoth();
    await callByTurns(25, ...clients);
    // Like FLUSHDB or a restart, but only for the data of this test.
    await redis.script('FLUSH');
    await redis.del('claims:replicas', ...(await redis.keys(`claims:limit:{${organizationId}:test}*`)));
    expect(await callByTurns(25, ...clients)).toMatchObject({ allowed: TIER.burst, refused: 5 });
  });

  it('starts without Redis, and uses it as soon as it is up', async () => {
    proxy.cut();
    const late = await startProcess({ ...env, ROLE: 'all' });
    const { key } = await aTenant(builder);
    const [there, here] = [new Client(replicas[0]!.url, key), new Client(late.url, key)];
    expect((await here.get('/v1')).status).toBe(200);
    expect((await here.get('/health/ready')).status).toBe(200);
    expect((await here.get('/health/dependencies')).body).toEqual({ status: 'ok', database: 'ok', redis: 'unavailable' });
    proxy.restore();
    await eventually(async () => expect(await remaining(there)).toBe((await remaining(here)) + 1));
    expect(await late.stop()).toMatchObject({ code: 0 });
  });

  it.each([
    ['is down', () => proxy.cut()],
    ['does not answer', () => proxy.silence()],
  ])('stops cleanly while Redis %s', async (_name, takeAway) => {
    const workers = await Promise.all([startProcess({ ...env, ROLE: 'worker' }), startProcess({ ...env, ROLE: 'all' })]);
    takeAway();
    const start = performance.now();
    for (const { code, stderr } of await Promise.all(workers.map((worker) => worker.stop()))) expect([code, stderr]).toEqual([0, '']);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
}
