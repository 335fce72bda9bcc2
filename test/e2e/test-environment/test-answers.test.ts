import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { PROBLEMS, type ProblemCode } from '../../../src/kernel/problems.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';

const redisUrl = inject('redisUrl');
const PLACES: readonly [string, Record<string, string>][] = [
  ['in one process', {}],
  ...(redisUrl ? [['on Redis', { REDIS_URL: redisUrl }] as [string, Record<string, string>]] : []),
];

describe.each(PLACES)('answers that are kept %s', (_where, env) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(env);
  });
  afterAll(() => app.close());

  const plan = async (api: Client, answers: object): Promise<void> => {
    const { status, text } = await api.post('/v1/test/answers', answers);
    expect(status, text).toBe(200);
  };

  it('every code of a problem can be provoked by one call, with its status, and nothing is done then', async () => {
    const { key } = await aTenant(app);
    const api = new Client(app.url, key);
    for (const code of Object.keys(PROBLEMS) as ProblemCode[]) {
      await plan(api, { problem: code });
      const { status, body, headers } = await api.post('/v1/claim-projects', {
        name: code,
        periodStart: '2026-01-01',
        periodEnd: '2026-12-31',
      });
      expect([status, body], code).toMatchObject([PROBLEMS[code].status, { code, retry: PROBLEMS[code].retry }]);
      expect(headers['retry-after'], code).toBe(PROBLEMS[code].retry === 'later' ? '1' : undefined);
    }
    expect((await api.get('/v1/claim-projects')).body).toMatchObject({ pagination: { total: 0 } });
  });

  it('they are for the next calls of one key alone, in their number, and are replaced and taken back', async () => {
    const { organization, key } = await aTenant(app);
    const api = new Client(app.url, key);
    const [other, live] = await Promise.all(
      (['test', 'live'] as const).map(async (environment) => new Client(app.url, (await aKey(app, organization.id, { environment })).key)),
    );
    const statuses = async (client: Client, times: number): Promise<number[]> => {
      const all = [];
      for (let call = 0; call < times; call += 1) all.push((await client.get('/v1')).status);
      return all;
    };
    await plan(api, { problem: 'internal_error', calls: 2 });
    expect([await statuses(other!, 1), await statuses(live!, 1)]).toEqual([[200], [200]]);
    expect(await statuses(api, 3)).toEqual([500, 500, 200]);
    await plan(api, { problem: 'internal_error', calls: 5 });
    await plan(api, { problem: 'unavailable' });
    expect(await statuses(api, 2)).toEqual([503, 200]);
    await plan(api, { problem: 'unavailable', calls: 5 });
    await plan(api, { calls: 0 });
    expect(await statuses(api, 1)).toEqual([200]);
  });

  it('a call may only be delayed, and does then what it is asked for', async () => {
    const { key } = await aTenant(app);
    const api = new Client(app.url, key);
    await plan(api, { delaySeconds: 1 });
    const startedAt = performance.now();
    expect((await api.get('/v1')).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });
});
