import type { Answer } from '../support/client.js';
import { afterAll, describe, expect, it } from 'vitest';
import { aKey, aTenant } from '../support/builders.js';
import { sendCall, callForMissing, fromNewAddress, validCall } from '../support/law-call.js';
import { named, startDocumentedApp } from '../support/documented-app.js';

const PER_MINUTE = 1200;
const BURST = 300;
const TIER = { perMinute: PER_MINUTE, burst: BURST };
const app = await startDocumentedApp({ RATE_LIMITS: JSON.stringify({ enterprise: TIER }) });
afterAll(() => app.close());

const policyOf = ({ headers }: Answer): unknown[] => [headers['ratelimit-policy'], headers['ratelimit']];

describe.each(named(app.operations))('%s', (_id, operation) => {
  // That it fits its schema is held against every answer that any law is given; see `answerTo`.
  it('answers a valid call with its status and a body that fits the declared schema', async () => {
    const { key } = await aTenant(app);
    const answer = await sendCall(app, await validCall(app, operation, key), key);
    expect(answer.status).toBe(operation.status);
    expect(answer.text === '').toBe(operation.returns === undefined);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  it('answers with the request id of the caller, and with one of its own where that is not harmless', async () => {
    const { key } = await aTenant(app);
    const idOf = async (sent: string, credential?: string) => {
      const answer = await sendCall(app, callForMissing(app, operation), credential, { 'X-Request-Id': sent, ...fromNewAddress() });
      return answer.headers['x-request-id'];
    };
    for (const id of ['a', 'Az09._-', 'x'.repeat(128)]) {
      expect(await idOf(id, key)).toBe(id);
      expect(await idOf(id)).toBe(id);
    }
    const given = ['x'.repeat(129), 'a b', 'a/b', '<script>', 'é', 'a,b', ''];
    const made = await Promise.all(given.map((id) => idOf(id, key)));
    expect(given.filter((id) => made.includes(id))).toEqual([]);
    expect(new Set(made).size).toBe(given.length);
  });

  it('tells of the rate limit in every answer to a credential, whether it succeeds or fails', async () => {
    const { organization, key } = await aTenant(app);
    const powerless = await aKey(app, organization.id, { scopes: [] });
    const call = await validCall(app, operation, key);
    const answers = [
      await sendCall(app, call, key),
      await sendCall(app, { ...call, path: `${call.path}?no_such_parameter=1` }, key),
      await sendCall(app, call, powerless.key),
      await sendCall(app, call, key, { Accept: 'text/html' }),
    ];
    for (const answer of answers)
      expect(policyOf(answer), answer.text).toEqual([
        `"enterprise";q=${PER_MINUTE};w=60`,
        expect.stringMatching(/^"enterprise";r=\d+;t=\d+$/),
      ]);
  });

  it('counts down what the rate limit leaves', async () => {
    const { key } = await aTenant(app);
    const left = [];
    for (let calls = 0; calls < 3; calls += 1) {
      const { headers } = await sendCall(app, callForMissing(app, operation), key, { Accept: 'text/html' });
      left.push(Number(/r=(\d+)/.exec(headers.ratelimit as string)![1]));
    }
    expect(left[0]).toBe(BURST - 1);
    expect(left[2]).toBeLessThan(BURST);
    expect(left[2]).toBeGreaterThanOrEqual(BURST - 3);
  });
});
