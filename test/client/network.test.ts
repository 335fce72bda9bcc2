import { afterAll, beforeAll, expect, it } from 'vitest';
import { Claims, RateLimitedError } from '../../client/src/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { FAULTS, startFaultyProxy, type Fault } from '../support/faulty-proxy.js';

/** `CLIENT_CREATES=1000` for as many as the promise names; fewer tell as much in the time of a test. */
const CREATES = Number(process.env.CLIENT_CREATES ?? 200);
const PARALLEL = 10;
const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const KINDS = Object.keys(FAULTS) as Fault[];
/** Every fifth request, each fault in turn. */
const aFifth = (number: number): Fault | undefined => (number % 5 === 4 ? KINDS[Math.floor(number / 5) % KINDS.length] : undefined);

it('a network that fails a fifth of the requests in every way leaves exactly the records that were created', async () => {
  const { key } = await aTenant(app);
  const network = await startFaultyProxy(app.url, aFifth);
  // With so many calls, one of them meets several faults in a row.
  const claims = new Claims({ apiKey: key, baseUrl: network.url, attemptTimeout: 1500, maxRetries: 10 });
  const names = Array.from({ length: CREATES }, (_none, number) => `Project ${number}`);
  const waiting = [...names];
  const work = async (): Promise<void> => {
    for (let name = waiting.pop(); name; name = waiting.pop())
      expect(await claims.projects.create({ name, ...PERIOD })).toMatchObject({ name });
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL }, work));
    expect(Math.min(...Object.values(network.made))).toBeGreaterThan(0);
  } finally {
    await network.close();
  }
  const found: string[] = [];
  for await (const { name } of new Claims({ apiKey: key, baseUrl: app.url }).projects.list()) found.push(name);
  expect(found.sort()).toEqual(names.sort());
});

it('a lost answer to a DELETE is not an error when the call is repeated', async () => {
  const { key } = await aTenant(app);
  const webhook = await new Claims({ apiKey: key, baseUrl: app.url }).webhooks.create({
    name: 'A receiver',
    targetUrl: 'https://example.com/hooks',
    subscribedEvents: ['claim_project.created'],
  });
  const network = await startFaultyProxy(app.url, (number) => (number === 0 ? 'reset' : undefined));
  try {
    await new Claims({ apiKey: key, baseUrl: network.url }).webhooks.delete(webhook.id);
  } finally {
    await network.close();
  }
});

/** Counts what the client sends, and how long after a refusal. */
function watched() {
  const [attempts, refusals, tooEarly] = [new Map<string, number>(), new Map<string, number>(), [] as string[]];
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const notBefore = refusals.get(url);
    if (notBefore !== undefined && performance.now() < notBefore) tooEarly.push(url);
    attempts.set(url, (attempts.get(url) ?? 0) + 1);
    const response = await fetch(url, init);
    if (response.status === 429) refusals.set(url, performance.now() + Number(response.headers.get('retry-after')) * 1000 - 20);
    return response;
  };
  return { send, attempts, refusals, tooEarly };
}

it('100 parallel calls on a limit of 40 all succeed, and none asks again before it may', async () => {
  const limited = await startApp({
    RATE_LIMITS: JSON.stringify({
      starter: { perMinute: 1200, burst: 40 },
      growth: { perMinute: 1200, burst: 40 },
      enterprise: { perMinute: 1200, burst: 40 },
    }),
  });
  try {
    const { key } = await aTenant(limited);
    const { send, attempts, refusals, tooEarly } = watched();
    const claims = new Claims({ apiKey: key, baseUrl: limited.url, fetch: send });
    const pages = await Promise.all(
      Array.from({ length: 100 }, (_none, number) => claims.projects.list({ search: `name ${number}` }).page()),
    );
    expect(pages).toHaveLength(100);
    expect(refusals.size).toBeGreaterThan(0);
    expect(tooEarly).toEqual([]);
    // Without a shared pace, the last of them would be refused in every round.
    expect(Math.max(...attempts.values())).toBeLessThanOrEqual(4);
  } finally {
    await limited.close();
  }
});

it('a rate limit that lasts longer than the calls may take is their error at once, and nothing more is sent', async () => {
  let sent = 0;
  const refuse = (): Promise<Response> => {
    sent += 1;
    const problem = { code: 'rate_limited', detail: 'Used up.', retry: 'later', errors: [] };
    return Promise.resolve(Response.json(problem, { status: 429, headers: { 'Retry-After': '90' } }));
  };
  const claims = new Claims({ apiKey: 'pk_test_x', fetch: refuse });
  for (let call = 0; call < 2; call += 1) {
    const error = await claims.organization.get().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ name: 'RateLimitedError', retryAfter: 90, status: 429, retry: 'later' });
  }
  expect(sent).toBe(1);
});
