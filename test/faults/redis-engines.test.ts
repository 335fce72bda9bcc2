import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { report } from '../support/figures.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { Receiver } from '../support/receiver.js';
import { canStartRedis, RedisServers, startCluster, startWatched } from '../support/redis-engines.js';
import { aWebhook } from '../support/webhooks.js';
import { WITHOUT_LIMITS, Writers } from '../support/writers.js';

const PATIENCE_MS = 120_000;

const servers = new RedisServers();
const ENGINES: Record<string, () => Promise<{ url: string; killLeader: () => Promise<void> }>> = {
  'the leader of a Redis with three Sentinels': () => startWatched(servers),
  'a node of a Redis cluster of three': () => startCluster(servers),
};

// A machine without a Redis of its own has said so at the start.
if (canStartRedis()) {
  afterAll(() => servers.stop());
  describe.each(Object.entries(ENGINES))('%s, killed under load,', losing);
}

function losing(name: string, start: () => Promise<{ url: string; killLeader: () => Promise<void> }>): void {
  let engine: Awaited<ReturnType<typeof start>>;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let receiver: Receiver;
  let key: string;
  let organizationId: string;
  let processes: TestProcess[];
  beforeAll(async () => {
    [engine, database, receiver] = await Promise.all([start(), createDatabase(), Receiver.start()]);
    const env = { DATABASE_URL: database.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', ...WITHOUT_LIMITS };
    const app = await startApp(env);
    const tenant = await aTenant(app);
    [key, organizationId] = [tenant.key, tenant.organization.id];
    await aWebhook(new Client(app.url, key), { targetUrl: receiver.url, subscribedEvents: ['claim_project.created'] });
    await app.close();
    const onRedis = { ...env, REDIS_URL: engine.url };
    processes = await Promise.all([startProcess({ ...onRedis, ROLE: 'api' }), startProcess({ ...onRedis, ROLE: 'worker' })]);
  }, PATIENCE_MS);
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.stop()));
    await receiver.close();
    await database.drop();
  });

  it('fails no write and loses no delivery', async () => {
    const writers = new Writers(new Client(processes[0]!.url, key));
    await writers.untilMore();
    await engine.killLeader();
    const firstWriteMs = await writers.firstAfter(performance.now());
    await writers.untilMore();
    await writers.stop();
    const compared = await writers.comparedWith(database.url, organizationId);
    const delivered = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size;
    await eventually(() => expect(delivered()).toBe(writers.acknowledged.length), PATIENCE_MS / 2);
    const doubled = compared.doubled + receiver.received.length - delivered();
    report({ fault: `${name} killed (with deliveries)`, ...compared, doubled, firstWriteMs });
    expect({ ...compared, doubled }).toMatchObject({ failed: 0, lost: 0, doubled: 0 });
  });
}
