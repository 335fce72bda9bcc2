import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { inject } from 'vitest';
import { createApp } from '../../src/program/app.js';
import type { Extension } from '../../src/extension.js';
import { loadExtensions } from '../../src/program/extensions/load-extensions.js';
import { settingsOf } from '../../src/extension.js';
import { Settings } from '../../src/kernel/settings/settings.js';
import { createLog, type Log } from '../../src/kernel/log.js';
import type { AddressInfo } from 'node:net';
import { throughPooler } from './pooled.js';
import { asService, hasGrants } from './service-role.js';
import { watchStatements } from './tenant-statements.js';

export interface TestApp {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly databaseUrl: string;
  readonly settings: Settings;
  close(): Promise<void>;
}

/** One key for all applications of the tests, because replicas share it. */
export const TEST_ENCRYPTION_KEY = Buffer.alloc(32, 'a test key').toString('base64');

/** Limits that no test reaches. A test about limits sets its own. */
export const NO_RATE_LIMITS = {
  RATE_LIMITS: JSON.stringify({
    starter: { perMinute: 1e6, burst: 1e6 },
    growth: { perMinute: 1e6, burst: 1e6 },
    enterprise: { perMinute: 1e6, burst: 1e6 },
  }),
  ADDRESS_LIMITS: JSON.stringify({
    authorize: { perMinute: 1e6, burst: 1e6 },
    pushed: { perMinute: 1e6, burst: 1e6 },
    pages: { perMinute: 1e6, burst: 1e6 },
    console: { perMinute: 1e6, burst: 1e6 },
    userCodes: { perMinute: 1e6, burst: 1e6 },
    documents: { perMinute: 1e6, burst: 1e6 },
    preflights: { perMinute: 1e6, burst: 1e6 },
  }),
};

/** Not one of a proxy, of a pooler or of another role, which a test has chosen itself, and not one that a test has filled itself. */
async function isOfTests(databaseUrl: string): Promise<boolean> {
  if (!URL.canParse(databaseUrl) || process.env.TEST_CITUS_URL || inject('poolerHost')) return false;
  const [url, server] = [new URL(databaseUrl), new URL(inject('templateUrl'))];
  return url.host === server.host && url.username === server.username && url.search === '' && hasGrants(databaseUrl);
}

/**
 * Starts the application on a free port with a real database. Tests configure it as operators do, by settings. `extensions` instead of
 * those of src/extensions.
 */
export async function startApp(env: Record<string, string> = {}, log?: Log, extensions?: readonly Extension[]): Promise<TestApp> {
  const databaseUrl = env.DATABASE_URL ?? inject('databaseUrl');
  const given: Record<string, string> = {
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_POOL_SIZE: '8',
    ROLE: 'api',
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    ...NO_RATE_LIMITS,
    ...throughPooler({ ...env, DATABASE_URL: (await isOfTests(databaseUrl)) ? asService(databaseUrl) : databaseUrl }),
  };
  const settings = Settings.from(given, undefined, settingsOf(extensions ?? (await loadExtensions())));
  const app = await createApp(settings, log ?? createLog(settings), extensions);
  watchStatements({ app });
  await app.listen(0, '127.0.0.1');
  settings.listensOn((app.getHttpServer().address() as AddressInfo).port);
  return { app, url: settings.publicUrl, databaseUrl, settings, close: () => app.close() };
}
