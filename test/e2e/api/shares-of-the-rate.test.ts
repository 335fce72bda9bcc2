import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, anOrganization } from '../../support/builders.js';
import { Client, type Answer } from '../../support/client.js';

// Twenty a second. Half of the burst comes back within two seconds, if one caller takes the other half of the rate.
const TIER = { perMinute: 1200, burst: 40 };

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ RATE_LIMITS: JSON.stringify({ starter: TIER, growth: TIER, enterprise: TIER }) });
});
afterAll(() => app.close());

it('a key that never stops leaves the other keys of its organization half of the rate, and is told what it has', async () => {
  const { id } = await anOrganization(app);
  const [greedy, other] = await Promise.all([1, 2].map(async () => new Client(app.url, (await aKey(app, id)).key)));
  const refused: Answer[] = [];
  const others: number[] = [];
  let isOver = false;
  const loop = async (): Promise<void> => {
    while (!isOver) {
      const answer = await greedy!.get('/v1');
      if (answer.status === 429) refused.push(answer);
      else await Promise.resolve();
    }
  };
  const loops = [loop(), loop(), loop(), loop()];
  // Its burst is over when it is first refused by its share.
  while (!refused.some(({ headers }) => headers.ratelimit?.startsWith('"share"'))) await delay(5);
  await delay(2500);
  for (let calls = 0; calls < 24; calls += 1) {
    others.push((await other!.get('/v1')).status);
    // Nine a second.
    await delay(110);
  }
  isOver = true;
  await Promise.all(loops);
  expect(others).toEqual(Array.from({ length: 24 }, () => 200));
  const { headers, body } = refused.find((answer) => answer.headers.ratelimit?.startsWith('"share"'))!;
  expect(headers['ratelimit-policy']).toMatch(/^"share";q=600;w=60, "\w+";q=1200;w=60$/);
  expect(headers.ratelimit).toMatch(/^"share";r=0;t=\d+$/);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(body).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('its half of 1200 requests a minute') as string });
});

it('a key alone has the whole rate, and calls of the other environment take nothing from it', async () => {
  const { id } = await anOrganization(app);
  const [test, live] = await Promise.all(
    (['test', 'live'] as const).map(async (environment) => new Client(app.url, (await aKey(app, id, { environment })).key)),
  );
  const atOnce = (api: Client) => Promise.all(Array.from({ length: TIER.burst }, async () => (await api.get('/v1')).status));
  for (const api of [test!, live!]) expect(new Set(await atOnce(api))).toEqual(new Set([200]));
});
