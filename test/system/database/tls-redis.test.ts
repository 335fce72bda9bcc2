import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connectRedis } from '../../../src/store/redis/connect-redis.js';
import { startApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { eventually } from '../../support/eventually.js';
import { freePorts } from '../../support/free-port.js';
import { canStartRedis, RedisServers } from '../../support/redis-engines.js';
import { FOR_LOCALHOST, SELF_SIGNED } from '../../support/self-signed.js';

const PATIENCE_MS = 60_000;
const TIER = { perMinute: 2, burst: 20 };

const servers = new RedisServers();
let folder: string;

/** What a server needs to speak TLS as well. */
const withTls = (port: number, name: string): string[] => [
  ...['--tls-port', String(port), '--tls-auth-clients', 'no'],
  ...['--tls-cert-file', join(folder, `${name}.crt`), '--tls-key-file', join(folder, `${name}.key`)],
  ...['--tls-ca-cert-file', join(folder, `${name}.crt`)],
];

interface Engine {
  readonly url: string;
  /** The same server by another name, which its certificate is not for. */
  readonly otherName: string;
  readonly certificate: string;
}

const ENGINES: Record<string, () => Promise<Engine>> = {
  server: async () => {
    const [plain, port] = await freePorts(2);
    await servers.server(plain!, ...withTls(port!, 'address'));
    return { url: `rediss://127.0.0.1:${port}`, otherName: `rediss://localhost:${port}`, certificate: 'address' };
  },
  'server that a Sentinel watches': async () => {
    const [plain, port, sentinelPlain, sentinel] = await freePorts(4);
    await servers.server(plain!, ...withTls(port!, 'address'), '--tls-replication', 'yes');
    const watched = { group: 'main', port: port!, quorum: 1 };
    await servers.sentinel(sentinelPlain!, watched, ...withTls(sentinel!, 'address'), '--tls-replication', 'yes');
    const [url, otherName] = ['127.0.0.1', 'localhost'].map((host) => `rediss+sentinel://${host}:${sentinel}/main`);
    return { url: url!, otherName: otherName!, certificate: 'address' };
  },
  'cluster, whose nodes have names': async () => {
    const [plain, port, bus] = await freePorts(3);
    const cluster = { 'cluster-enabled': 'yes', 'cluster-port': `${bus}`, 'tls-cluster': 'yes' };
    const names = { 'cluster-announce-hostname': 'localhost', 'cluster-preferred-endpoint-type': 'hostname' };
    const options = Object.entries({ ...cluster, ...names }).flatMap(([name, value]) => [`--${name}`, value]);
    await servers.server(plain!, ...withTls(port!, 'localhost'), ...options);
    await promisify(execFile)('redis-cli', ['-p', String(plain), 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
    const [url, otherName] = ['localhost', '127.0.0.1'].map((host) => `rediss+cluster://${host}:${port}`);
    return { url: url!, otherName: otherName!, certificate: 'localhost' };
  },
};

const signedBy = (url: string, name: string): string => `${url}?ca=${encodeURIComponent(join(folder, `${name}.crt`))}`;

async function examined(url: string) {
  const { code, stdout, stderr } = await runCommand(['doctor'], { DATABASE_URL: inject('databaseUrl'), REDIS_URL: url });
  expect(stderr).toBe('');
  return { code, line: stdout.split('\n').find((line) => line.includes('  redis  '))! };
}

// A machine without a Redis of its own has said so at the start.
if (canStartRedis()) {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claims-redis-tls-'));
    for (const [name, { key, cert }] of Object.entries({ address: SELF_SIGNED, localhost: FOR_LOCALHOST })) {
      await writeFile(join(folder, `${name}.crt`), cert);
      await writeFile(join(folder, `${name}.key`), key);
    }
  });
  afterAll(async () => {
    await servers.stop();
    await rm(folder, { recursive: true, force: true });
  });
  describe.each(Object.entries(ENGINES))('with a file of certificates, a %s', (_name, start) => verifies(start));
}

function verifies(start: () => Promise<Engine>): void {
  let engine: Engine;
  beforeAll(async () => {
    engine = await start();
    const url = signedBy(engine.url, engine.certificate);
    await eventually(async () => expect(await examined(url)).toMatchObject({ code: 0 }));
  }, PATIENCE_MS);

  it('is verified and used: processes share their limits there', async () => {
    const env = { REDIS_URL: signedBy(engine.url, engine.certificate), RATE_LIMITS: JSON.stringify({ enterprise: TIER }) };
    const apps = [await startApp(env), await startApp(env)] as const;
    await eventually(async () => {
      const { key } = await aTenant(apps[0]);
      const answers: number[] = [];
      for (const { url } of apps) answers.push((await new Client(url, key).get('/v1/auth/context')).body.rateLimit.remaining as number);
      expect(answers).toEqual([TIER.burst - 1, TIER.burst - 2]);
    }, PATIENCE_MS);
    await Promise.all(apps.map((app) => app.close()));
  });

  it('is refused in one line by claims doctor if somebody else signed its certificate, or if it is for another host', async () => {
    const wrong = engine.certificate === 'address' ? 'localhost' : 'address';
    const other = await examined(signedBy(engine.url, wrong));
    expect([other.code, other.line]).toEqual([1, expect.stringMatching(/FAILED +redis +\S+ does not answer \(.*self-signed certificate/)]);
    const named = await examined(signedBy(engine.otherName, engine.certificate));
    expect([named.code, named.line]).toEqual([
      1,
      expect.stringMatching(/FAILED +redis +\S+ does not answer \(.*does not match certificate's/),
    ]);
  });

  it('ends no process by errors of a connection that is being closed, however many there are', async () => {
    const redis = connectRedis(signedBy(engine.url, engine.certificate), { retryStrategy: () => null });
    await once(redis, 'ready');
    const { stream } = 'nodes' in redis ? redis.nodes()[0]! : redis;
    redis.disconnect();
    // What nobody listens for is thrown.
    for (let times = 0; times < 3; times += 1) stream.emit('error', new Error('alert decode error'));
  });

  it('is refused without the file', async () => {
    expect((await examined(engine.url)).line).toMatch(/FAILED +redis +\S+ does not answer \(.*self-signed certificate/);
  });
}
