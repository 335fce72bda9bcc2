import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { TEST_ENCRYPTION_KEY } from '../../support/app.js';
import { runCommand } from '../../support/command.js';
import { createDatabase } from '../../support/database.js';
import { freePorts } from '../../support/free-port.js';
import { canStartRedis, RedisServers } from '../../support/redis-engines.js';

let database: Awaited<ReturnType<typeof createDatabase>>;
const servers = new RedisServers();
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  await servers.stop();
  await database.drop();
});

async function doctorSays(env: Record<string, string>): Promise<{ code: number | null; lines: string[] }> {
  const { code, stdout } = await runCommand(['doctor'], { DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, ...env });
  return { code, lines: stdout.split('\n') };
}
const about = (lines: readonly string[], check: string): string[] => lines.filter((line) => line.slice(8).startsWith(`${check} `));

it.skipIf(!canStartRedis())(
  'a Redis that refuses the password was said not to answer (Connection is closed.): the reason is named',
  async () => {
    const [port] = await freePorts(1);
    await servers.server(port!);
    const redis = new Redis(port!);
    await redis.config('SET', 'requirepass', 'right');
    redis.disconnect();
    const wrong = await doctorSays({ REDIS_URL: `redis://:wrong-one@127.0.0.1:${port}` });
    expect([wrong.code, about(wrong.lines, 'redis')]).toEqual([
      1,
      [expect.stringMatching(/^FAILED +redis +127\.0\.0\.1:\d+ refuses the user or password \(WRONGPASS .*\): check REDIS_URL\.$/)],
    ]);
    expect(wrong.lines.join('\n')).not.toContain('wrong-one');
    const [none] = about((await doctorSays({ REDIS_URL: `redis://127.0.0.1:${port}` })).lines, 'redis');
    expect(none).toMatch(/^FAILED +redis +.*NOAUTH/);
    expect((await doctorSays({ REDIS_URL: `redis://:right@127.0.0.1:${port}` })).code).toBe(0);
  },
);

it('connections without TLS to other machines are a warning, and those to this one are not', async () => {
  // Another spelling of this machine, which doctor takes for another one.
  const elsewhere = Object.assign(new URL(database.url), { hostname: '0.0.0.0' }).href;
  const { code, lines } = await doctorSays({ DATABASE_URL: elsewhere, REDIS_URL: 'redis://cache.invalid:6379' });
  expect(about(lines, 'tls')).toEqual([
    'WARN    tls         DATABASE_URL leads to 0.0.0.0 without TLS: use ?sslmode=verify-full',
    'WARN    tls         REDIS_URL leads to cache.invalid without TLS: use rediss://',
  ]);
  expect([code, lines.some((line) => line.startsWith('FAILED  redis'))]).toEqual([1, true]);
  expect(about((await doctorSays({})).lines, 'tls')).toEqual([]);
});

it.skipIf(!inject('redisUrl'))('a service in production whose role owns the tables is a warning', async () => {
  const production = { NODE_ENV: 'production', BASE_URL: 'https://claims.example', REDIS_URL: inject('redisUrl')! };
  const { code, lines } = await doctorSays(production);
  expect([code, about(lines, 'privileges')]).toEqual([
    0,
    [
      expect.stringMatching(/^ok /),
      expect.stringMatching(/^WARN +privileges +the role \w+ of DATABASE_URL can do what the owner of the tables can/),
    ],
  ]);
  expect(about((await doctorSays({})).lines, 'privileges')).toHaveLength(1);
});
