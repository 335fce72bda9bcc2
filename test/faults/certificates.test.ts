import { chown, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Certificates } from '../support/certificates.js';
import { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { freePorts } from '../support/free-port.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { runClaims, startProcess, type TestProcess } from '../support/process.js';
import { canStartRedis, RedisServers } from '../support/redis-engines.js';
import { SteppingClock } from '../support/stepping-clock.js';
import { aProject, aWebhook, DELIVERING, type Delivery } from '../support/webhooks.js';

const DAY_MS = 86_400_000;
const [ENDS_AFTER_DAYS, RENEWED_FOR_DAYS] = [1, 30];
const SAYS_SO = /certificate has expired/i;

// A machine without a Redis of its own has said so at the start.
if (canStartRedis()) describe('certificates that end while the service runs', thatEnd);

function thatEnd(): void {
  const servers = new RedisServers();
  let certificates: Certificates;
  let clock: SteppingClock;
  let postgres: OwnPostgres;
  let redisPort: number;
  let receiver: Server;
  let app: TestApp;
  let service: TestProcess;
  let env: Record<string, string>;
  let api: Client;
  let webhookId: string;

  beforeAll(async () => {
    certificates = new Certificates();
    clock = new SteppingClock();
    postgres = await OwnPostgres.start();
    const [plain, encrypted] = await freePorts(2);
    redisPort = plain!;
    receiver = createServer((_request, response) => void response.writeHead(200, { connection: 'close' }).end());
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const files = await issueAll(ENDS_AFTER_DAYS, false);
    const tls = ['--tls-port', String(encrypted), '--tls-auth-clients', 'no', '--tls-ca-cert-file', certificates.authority];
    await servers.server(plain!, ...tls, '--tls-cert-file', files.cert, '--tls-key-file', files.key);
    app = await startApp({ DATABASE_URL: postgres.directUrl });
    const databaseUrl = `${postgres.proxy.url}?sslmode=verify-full&sslrootcert=${certificates.authority}`;
    const redisUrl = `rediss://127.0.0.1:${encrypted}?ca=${certificates.authority}`;
    env = { ...DELIVERING, ...clock.env, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, WEBHOOK_RETRY_SCHEDULE: '0s' };
    service = await startProcess({ ...env, ROLE: 'all', NODE_EXTRA_CA_CERTS: certificates.authority });
    api = new Client(service.url, (await aTenant(app)).key);
    const targetUrl = `https://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    webhookId = (await aWebhook(api, { targetUrl, subscribedEvents: ['claim_project.created'] })).id;
  });
  afterAll(async () => {
    await app.close();
    receiver.close();
    await postgres.stop();
    await servers.stop();
    clock.remove();
    certificates.remove();
  });

  /** For all three, at once, as an administrator renews them. */
  async function issueAll(days: number, redisRuns = true): Promise<{ cert: string; key: string }> {
    const issued = certificates.issue(days);
    const files = { cert: join(certificates.folder, `${days}.crt`), key: join(certificates.folder, `${days}.key`) };
    for (const kind of ['cert', 'key'] as const) await writeFile(files[kind], issued[kind]);
    receiver.setSecureContext(issued);
    await giveToPostgres(issued);
    if (redisRuns) {
      const redis = new Redis(redisPort);
      await redis.config('SET', 'tls-cert-file', files.cert, 'tls-key-file', files.key);
      redis.disconnect();
    }
    return files;
  }

  async function giveToPostgres({ cert, key }: { cert: string; key: string }): Promise<void> {
    const { uid, gid } = await stat(postgres.cluster);
    for (const [name, text] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
      const file = join(postgres.cluster, name);
      await writeFile(file, text, { mode: 0o600 });
      await chown(file, uid, gid);
    }
    await rowsOf(postgres.directUrl, 'ALTER SYSTEM SET ssl = on');
    await rowsOf(postgres.directUrl, 'SELECT pg_reload_conf()');
  }

  async function breakConnections(): Promise<void> {
    await postgres.endSessions();
    const redis = new Redis(redisPort);
    await redis.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    redis.disconnect();
  }

  const nextDelivery = async (): Promise<Delivery> => {
    const log = async () => (await api.get(`/v1/webhooks/${webhookId}/deliveries`)).body.data as Delivery[];
    const { length } = await log();
    await aProject(api);
    return eventually(async () => {
      const [latest, ...before] = await log();
      expect([before.length, latest?.status === 'pending']).toEqual([length, false]);
      return latest!;
    });
  };
  const dependencies = async () => (await fetch(`${service.url}/health/dependencies`)).json() as Promise<Record<string, unknown>>;

  it('are named in the log and by claims doctor, calls are refused with 503, and renewed ones are taken without a restart', async () => {
    expect(await nextDelivery()).toMatchObject({ status: 'delivered' });
    await eventually(async () => expect(await dependencies()).toMatchObject({ database: 'ok', redis: 'ok' }));
    await clock.step(2 * ENDS_AFTER_DAYS * DAY_MS, [service]);
    // Connections that are open go on; a receiver is connected to anew.
    expect(await nextDelivery()).toMatchObject({ errorCode: 'tls_failed' });
    await breakConnections();
    const refused = await eventually(async () => {
      const answer = await api.get('/v1/claim-projects');
      expect(answer.status).toBe(503);
      return answer;
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await dependencies()).toMatchObject({ status: 503, code: 'unavailable' });
    const doctor = await runClaims(['doctor'], env);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(SAYS_SO)]);
    await issueAll(RENEWED_FOR_DAYS);
    await eventually(async () => expect(await dependencies()).toMatchObject({ database: 'ok', redis: 'ok' }));
    expect(await nextDelivery()).toMatchObject({ status: 'delivered' });
    const { code, stdout } = await service.stop();
    const lines = stdout.split('\n').filter((line) => SAYS_SO.test(line));
    expect(code).toBe(0);
    expect(lines.some((line) => line.includes('redis unavailable'))).toBe(true);
    expect(lines.some((line) => line.includes('"level":50'))).toBe(true);
  });
}
