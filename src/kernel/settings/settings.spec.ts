import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Settings, SETTINGS, SettingsError } from './settings.js';

const ONE_KEY = Buffer.alloc(32, 1).toString('base64');
const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://db/claims',
  REDIS_URL: 'redis://redis',
  ENCRYPTION_KEY: ONE_KEY,
  BASE_URL: 'https://claims.example',
};

function problemsOf(env: Record<string, string>): string[] {
  try {
    Settings.from(env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}

describe('settings', () => {
  it('all have defaults', () => {
    expect(Settings.from({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      role: 'all',
      databaseUrl: undefined,
      databasePoolSize: 10,
      dataDir: '.data',
      redisUrl: undefined,
      trustedProxies: [],
      idempotencyRetentionMs: 86_400_000,
      logLevel: 'info',
      isProduction: false,
    });
  });

  it('take the default where the variable is empty', () => {
    expect(Settings.from({ PORT: '', DATABASE_URL: '', LOG_LEVEL: '', TRUSTED_PROXIES: '' })).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
      logLevel: 'info',
      trustedProxies: [],
    });
  });

  it('keep a sample of the calls in production, and all of them elsewhere', () => {
    expect(Settings.from({}).requestHistory).toBe('all');
    expect(Settings.from(PRODUCTION).requestHistory).toBe('sampled');
    expect(Settings.from({ ...PRODUCTION, REQUEST_HISTORY: '' }).requestHistory).toBe('sampled');
    expect(Settings.from({ ...PRODUCTION, REQUEST_HISTORY: 'all' }).requestHistory).toBe('all');
    expect(problemsOf({ REQUEST_HISTORY: 'some' })).toEqual([expect.stringContaining('REQUEST_HISTORY')]);
  });

  it('are read from the environment', () => {
    const settings = Settings.from({
      PORT: '80',
      ROLE: 'worker',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      IDEMPOTENCY_RETENTION: '5m',
      RATE_LIMITS: '{"starter":{"perMinute":1,"burst":2}}',
      UNRELATED: 'x',
    });
    expect(settings).toMatchObject({
      port: 80,
      role: 'worker',
      trustedProxies: ['10.0.0.0/8', '::1'],
      idempotencyRetentionMs: 300_000,
      rateLimits: { starter: { perMinute: 1, burst: 2 }, growth: { perMinute: 600, burst: 200 } },
    });
    expect(settings).not.toHaveProperty('UNRELATED');
  });

  it('are all checked, and every invalid one is named at once', () => {
    const wrong = {
      PORT: '65536',
      BASE_URL: 'claims.example',
      ROLE: 'boss',
      DATABASE_URL: 'mysql://x',
      DATABASE_POOL_SIZE: '2',
      REDIS_URL: 'http://x',
      ENCRYPTION_KEY: 'c2hvcnQ=',
      TRUSTED_PROXIES: '10.0.0.1,proxy',
      WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/33',
      WEBHOOK_RETRY_SCHEDULE: '5s,soon',
      WEBHOOK_TIMEOUT_MS: '0',
      WEBHOOK_MAX_CONCURRENCY: '257',
      RATE_LIMITS: '{',
      IDEMPOTENCY_RETENTION: '1 day',
      LOG_LEVEL: 'loud',
      LOG_FORMAT: 'xml',
    };
    const problems = problemsOf(wrong);
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(Object.keys(wrong));
    expect(problems).toContain('TRUSTED_PROXIES holds "proxy", which is not an address or a CIDR');
    // The error of a secret must not contain the secret.
    expect(problems.join()).not.toContain('c2hvcnQ');
    expect(problems).toContain('DATABASE_POOL_SIZE must be a whole number from 3 to 1000');
    expect(new SettingsError(problems).message).toBe(problems.join('; '));
  });

  it('have unique names, and a sentence each', () => {
    const all = Object.values(SETTINGS);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { name, about } of all) {
      expect(name).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
      expect(about).toMatch(/^[A-Z].+\.$/);
    }
  });
});

describe('a setting in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'claims-settings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const aFile = (content: string): string => {
    const file = join(folder, randomUUID());
    writeFileSync(file, content);
    return file;
  };

  it('is read like one of the environment, without the line break at its end', () => {
    expect(Settings.from({ DATABASE_URL_FILE: aFile('postgres://db.test/claims\n') }).databaseUrl).toBe('postgres://db.test/claims');
    expect(Settings.from({ PORT_FILE: aFile('4000') }).port).toBe(4000);
    expect(Settings.from({ PORT: '', PORT_FILE: aFile('') }).port).toBe(3000);
  });

  it('is refused with its name, never with its content, when it is wrong, missing or set twice', () => {
    const missing = join(folder, 'missing');
    const env = { ENCRYPTION_KEY_FILE: aFile('too short'), REDIS_URL_FILE: missing, PORT: '1', PORT_FILE: aFile('2') };
    const error = problemsOf(env).join('; ');
    expect(error).toContain(`REDIS_URL cannot be read: REDIS_URL_FILE names ${missing} (ENOENT)`);
    expect(error).toContain('PORT is set twice: also by PORT_FILE');
    expect(error).toContain('ENCRYPTION_KEY ');
    expect(error).not.toContain('too short');
    // An empty file is not a key: in production there is no default.
    const { ENCRYPTION_KEY: _given, ...others } = PRODUCTION;
    expect(problemsOf({ ...others, ENCRYPTION_KEY_FILE: aFile('') })).toEqual(['ENCRYPTION_KEY must be set when NODE_ENV is production']);
  });
});

describe('in production', () => {
  it('requires database, Redis, encryption key and base URL', () => {
    expect(problemsOf(PRODUCTION)).toEqual([]);
    expect(problemsOf({ NODE_ENV: 'production', DATABASE_URL: '' })).toEqual(
      ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEY', 'BASE_URL'].map((name) => `${name} must be set when NODE_ENV is production`),
    );
    expect(problemsOf({ ...PRODUCTION, REDIS_URL: '', PORT: 'x' })).toEqual([
      'PORT must be a whole number from 0 to 65535',
      'REDIS_URL must be set when NODE_ENV is production',
    ]);
    expect(Settings.from(PRODUCTION).isProduction).toBe(true);
  });

  it('refuses the encryption key that was published in an earlier compose file', () => {
    const key = Buffer.from('trying-it-out-only-make-your-own').toString('base64');
    expect(problemsOf({ ...PRODUCTION, ENCRYPTION_KEY: key })).toEqual([
      expect.stringMatching(/^ENCRYPTION_KEY must not begin with a key that/),
    ]);
    // It may still decrypt what it has encrypted.
    expect(problemsOf({ ...PRODUCTION, ENCRYPTION_KEY: `${PRODUCTION.ENCRYPTION_KEY},${key}` })).toEqual([]);
  });

  it('the compose file has neither a key nor a password in it', () => {
    const compose = readFileSync('docker/compose.yaml', 'utf8');
    expect(compose.match(/\$\{(?:ENCRYPTION_KEY|POSTGRES_PASSWORD)[^}]*\}/g)).toEqual([
      '${ENCRYPTION_KEY:?run docker/first-start.sh}',
      '${POSTGRES_PASSWORD:?run docker/first-start.sh}',
    ]);
  });

  it('means exactly NODE_ENV=production', () => {
    for (const nodeEnv of ['development', 'test', 'Production', '']) expect(Settings.from({ NODE_ENV: nodeEnv }).isProduction).toBe(false);
  });
});

describe('the public URL', () => {
  it('is BASE_URL, or the address that the process listens on', () => {
    expect(Settings.from({ BASE_URL: 'https://claims.example/' }).publicUrl).toBe('https://claims.example');
    expect(Settings.from({ HOST: '0.0.0.0', PORT: '81' }).publicUrl).toBe('http://0.0.0.0:81');
    expect(Settings.from({ HOST: '::1' }).publicUrl).toBe('http://[::1]:3000');
  });

  it('has the port that was picked for PORT=0', () => {
    const settings = Settings.from({ PORT: '0' });
    settings.listensOn(4711);
    expect(settings.publicUrl).toBe('http://127.0.0.1:4711');
  });
});

it('makes a copy with some values replaced', () => {
  const settings = Settings.from({});
  const better = settings.with({ databaseUrl: 'postgres://127.0.0.1/claims' });
  expect(better).toMatchObject({ databaseUrl: 'postgres://127.0.0.1/claims', port: 3000 });
  expect(better.publicUrl).toBe(settings.publicUrl);
  expect(settings.databaseUrl).toBeUndefined();
});
