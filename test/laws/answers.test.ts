import type { Answer } from '../support/client.js';
import { afterAll, describe, expect, it } from 'vitest';
import { METRICS } from '../../src/kernel/metrics.js';
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
  // `sendCall` checks every answer in all laws against its declared schema.
  it('answers a valid call with its declared status and schema', async () => {
    const { key } = await aTenant(app);
    const answer = await sendCall(app, await validCall(app, operation, key), key);
    expect(answer.status).toBe(operation.status);
    expect(answer.text === '').toBe(operation.status === 204);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  it('returns the request id of the caller, or a new one if that has forbidden characters or is too long', async () => {
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

  it('sends the rate limit headers with every answer to a valid credential, also with errors', async () => {
    const { organization, key } = await aTenant(app);
    const unscoped = await aKey(app, organization.id, { scopes: [] });
    const call = await validCall(app, operation, key);
    const answers = [
      await sendCall(app, call, key),
      await sendCall(app, { ...call, path: `${call.path}?no_such_parameter=1` }, key),
      await sendCall(app, call, unscoped.key),
      await sendCall(app, call, key, { Accept: 'text/html' }),
    ];
    for (const answer of answers)
      expect(policyOf(answer), answer.text).toEqual([
        `"enterprise";q=${PER_MINUTE};w=60`,
        expect.stringMatching(/^"enterprise";r=\d+;t=\d+$/),
      ]);
  });

  it('counts down the remaining requests', async () => {
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

it('no computed field of an extension was left out of these answers', async () => {
  expect((await METRICS.getSingleMetric('claims_computed_fields_failed_total')!.get()).values).toEqual([]);
});
