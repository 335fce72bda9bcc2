import { createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { canLie, LyingDns, type Told } from '../support/lying-dns.js';
import { OwnRedis } from '../support/own-redis.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { Receiver } from '../support/receiver.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { aProject, aWebhook, type Delivery } from '../support/webhooks.js';

/** The network that is allowed stands for the public ones: no test calls a stranger. */
const PUBLIC = '127.7.0.1';
const ENV = { WEBHOOK_ALLOWED_NETWORKS: '127.7.0.0/16', WEBHOOK_RETRY_SCHEDULE: '0s' };
const PRIVATE = [
  ...['127.0.0.1', '0.0.0.0', '10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '169.254.169.254', '224.0.0.1', '255.255.255.255'],
  ...['::1', '::', '::ffff:7f00:1', '::7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1'],
];
const MANY = Array.from({ length: 400 }, (_, index) => `127.7.${1 + (index >> 8)}.${index & 255}`);
/** Organizations whose names hang, and the events of each. */
const SILENT = 6;
const EVENTS = 10;
const AT_ONCE = 20;
const PAUSE_MS = 250;
/** Longer than a delivery waits for a look-up. */
const LOOKED_FOR_MS = 8000;
/** A resolver answers at once, refuses, or is given up. */
const BOUND_MS = 15_000;
/** Those of others wait for nothing. */
const UNDELAYED_MS = 2000;
/** A server that says nothing is noticed within five seconds, and writes go on within five. */
const MOVED_WITHIN_MS = 10_000;

if (!canLie()) console.warn('No right to mount a file (root has it): names that lie are not tested.');
if (canLie()) describe('names that lie', withLies);

function withLies(): void {
  let dns: LyingDns;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let app: TestApp;
  let service: TestProcess;
  let receiver: Receiver;
  let way: TcpProxy;
  let traps: Server[];
  let trapped = 0;

  beforeAll(async () => {
    dns = await LyingDns.start();
    database = await createDatabase();
    app = await startApp({ DATABASE_URL: database.url });
    receiver = await Receiver.start();
    // Each delivery makes a connection, and so looks the name up.
    receiver.answer = (_received, response) => void response.writeHead(200, { connection: 'close' }).end();
    way = await TcpProxy.to(receiver.url, { host: PUBLIC });
    traps = await Promise.all(['127.0.0.1', '::1'].map((host) => trapAt(host, port())));
    service = await startProcess({ ...ENV, DATABASE_URL: database.url, ROLE: 'all' }, { group: dns });
  });
  afterAll(async () => {
    await service.stop();
    for (const trap of traps) trap.close();
    await Promise.all([way.close(), receiver.close(), app.close()]);
    await database.drop();
    await dns.close();
  });
  afterEach(() => void receiver.received.splice(0));

  const port = (): number => Number(new URL(way.url).port);

  async function trapAt(host: string, at: number): Promise<Server> {
    const trap = createServer((socket) => {
      trapped += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => trap.listen(at, host, resolve));
    return trap;
  }

  /** An organization with an endpoint at a name. */
  async function endpointAt(told: Told | ((before: number) => Told)) {
    const name = `h${newId().replaceAll('-', '')}.lies`;
    dns.names.set(name, told);
    const { key } = await aTenant(app);
    const api = new Client(service.url, key);
    const { id } = await aWebhook(api, { targetUrl: `http://${name}:${port()}/`, subscribedEvents: ['claim_project.created'] });
    const log = async () => (await api.get(`/v1/webhooks/${id}/deliveries`)).body.data as Delivery[];
    const next = async (): Promise<Delivery> => {
      const before = (await log()).length;
      await aProject(api);
      return eventually(async () => {
        const [latest, ...older] = await log();
        expect([older.length, latest?.status === 'pending']).toEqual([before, false]);
        return latest!;
      });
    };
    return { api, name, next };
  }

  it.each(PRIVATE)('a name that is public when it is checked, and then %s, is not called', async (address) => {
    // Each look-up asks twice: first whether DNS says anything about the name.
    const { next, name } = await endpointAt((before) => (before < 4 ? [PUBLIC] : [address]));
    expect(await next()).toMatchObject({ status: 'delivered' });
    expect(await next()).toMatchObject({ errorCode: 'target_not_allowed' });
    expect([dns.asked.get(name), trapped, receiver.received.length]).toEqual([6, 0, 1]);
  });

  it('one private address among hundreds is enough to call none', async () => {
    const { next } = await endpointAt((before) => (before < 2 ? [PUBLIC] : [...MANY, '10.0.0.1']));
    expect(await next()).toMatchObject({ errorCode: 'target_not_allowed' });
    expect(receiver.received).toEqual([]);
  });

  it('hundreds of addresses are tried within a bound', async () => {
    const { next } = await endpointAt(MANY);
    const outcome = await next();
    expect(outcome).toMatchObject({ errorCode: 'connection_failed' });
    expect(outcome.durationMs).toBeLessThan(BOUND_MS);
  });

  it('names that stand for each other are no names', async () => {
    const { next, name } = await endpointAt({ alias: 'other.lies' });
    dns.names.set('other.lies', { alias: name });
    expect(await next()).toMatchObject({ errorCode: 'name_not_resolved' });
  });

  it('names of many organizations about which DNS says nothing delay no delivery of another one, and fail within a bound', async () => {
    const good = await endpointAt([PUBLIC]);
    expect(await good.next()).toMatchObject({ status: 'delivered' });
    const silent = await Promise.all(Array.from({ length: SILENT }, () => endpointAt('silence')));
    for (const { api } of silent) for (let count = 0; count < EVENTS; count += 1) await aProject(api);
    for (const end = performance.now() + LOOKED_FOR_MS; performance.now() < end; await delay(PAUSE_MS)) {
      const outcome = await good.next();
      expect(outcome).toMatchObject({ status: 'delivered' });
      expect(outcome.durationMs).toBeLessThan(UNDELAYED_MS);
      // One whose name was never looked up before.
      expect(await (await endpointAt([PUBLIC])).next()).toMatchObject({ status: 'delivered' });
    }
    const outcome = await silent[0]!.next();
    expect(outcome).toMatchObject({ errorCode: expect.stringMatching(/^(timeout|name_not_resolved)$/) as string });
    expect(outcome.durationMs).toBeLessThan(BOUND_MS);
  });

  it('a database and a Redis whose names move to another address are found there, without a restart', async () => {
    const [first, second] = ['127.7.9.1', '127.7.9.2'];
    const redis = await OwnRedis.start();
    const ways = { database: await TcpProxy.to(database.url, { host: first }), redis: await TcpProxy.to(redis.proxy.url, { host: first }) };
    const named = (url: string, name: string): string => {
      const given = new URL(url);
      given.hostname = name;
      dns.names.set(name, [first]);
      return given.href;
    };
    const env = { ...ENV, DATABASE_URL: named(ways.database.url, 'database.lies'), REDIS_URL: named(ways.redis.url, 'redis.lies') };
    const moved = await startProcess({ ...env, ROLE: 'all' }, { group: dns });
    const others: TcpProxy[] = [];
    onTestFinished(async () => {
      await moved.stop();
      await Promise.all([...Object.values(ways), ...others].map((way) => way.close()));
      await redis.stop();
    });
    const { key } = await aTenant(app);
    const api = new Client(moved.url, key);
    await aProject(api);
    const at = (way: TcpProxy) => ({ host: second, port: Number(new URL(way.url).port) });
    others.push(await TcpProxy.to(database.url, at(ways.database)), await TcpProxy.to(redis.proxy.url, at(ways.redis)));
    for (const name of ['database.lies', 'redis.lies']) dns.names.set(name, [second]);
    // The machine is gone: it does not even refuse.
    ways.database.silence();
    ways.redis.silence();
    const since = performance.now();
    await eventually(() => Promise.all(Array.from({ length: AT_ONCE }, () => aProject(api))));
    expect(performance.now() - since).toBeLessThan(MOVED_WITHIN_MS);
    const health = async () => (await fetch(`${moved.probes ?? moved.url}/health/dependencies`)).json();
    await eventually(async () => {
      expect(await health()).toMatchObject({ status: 'ok' });
    });
  });
}
