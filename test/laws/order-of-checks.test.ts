import { afterAll, describe, expect, it } from 'vitest';
import { OrganizationService } from '../../src/modules/organization/index.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import { PLANS } from '../../src/kernel/plans.js';
import { aKey, anOrganization, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { sendCall, callForMissing, fromNewAddress, validCall, type Call } from '../support/law-call.js';
import { exampleBody } from '../support/law-document.js';
import { keyedOf, named, startDocumentedApp } from '../support/documented-app.js';

/** Here the plan growth allows one call per minute. */
const ONCE = { perMinute: 1, burst: 1 };
const PLENTY = { perMinute: 1e6, burst: 1e6 };
const app = await startDocumentedApp({ RATE_LIMITS: JSON.stringify({ starter: PLENTY, growth: ONCE, enterprise: PLENTY }) });
afterAll(() => app.close());

type Operation = (typeof app.operations)[number];

/** A call with an invalid path, query and body. */
function badCall(operation: Operation): Call {
  const path = `${operation.path.replace(/\{\w+\}/g, 'x')}?no_such_parameter=1`;
  return { operation, path, ...(operation.needsKey && { body: '{"malformed' }) };
}

const BAD_HEADERS = { 'Idempotency-Key': '', 'Content-Type': 'application/json' };
const refusalOf = ({ status, body }: { status: number; body: unknown }) => `${status} ${(body as { code: string }).code}`;
const allowlisted = { ipAllowlist: ['10.0.0.0/8'] };
const allowed = { 'X-Forwarded-For': '10.0.0.1' };

describe.each(named(app.operations))('%s', (_id, operation) => {
  it('checks the credential first: missing, wrong or repeated', async () => {
    const { key } = await aTenant(app);
    const none = await sendCall(app, badCall(operation), undefined, { ...BAD_HEADERS, ...fromNewAddress() });
    const wrong = await sendCall(app, badCall(operation), 'pk_test_x', { ...BAD_HEADERS, ...fromNewAddress() });
    const two = await sendCall(app, badCall(operation), key, { ...BAD_HEADERS, Authorization: 'Bearer x' });
    expect([none, wrong, two].map(refusalOf)).toEqual(['401 credential_missing', '401 credential_invalid', '400 ambiguous_credentials']);
  });

  it('then checks for a suspended organization, the IP allowlist, the rate limit and the scope, in this order', async () => {
    const { id } = await anOrganization(app, { plan: 'growth' });
    const key = await aKey(app, id, { ...allowlisted, scopes: [] });
    const duringSuspension = await aKey(app, id, { ...allowlisted, scopes: [] });
    await app.app.get(OrganizationService).change(OPERATOR, id, { status: 'suspended' });
    expect(refusalOf(await sendCall(app, badCall(operation), duringSuspension.key, BAD_HEADERS))).toBe('403 organization_suspended');
    await app.app.get(OrganizationService).change(OPERATOR, id, { status: 'active' });
    // The refusals so far have not used up the only call.
    expect(refusalOf(await sendCall(app, badCall(operation), key.key, BAD_HEADERS))).toBe('403 ip_not_allowed');
    const first = await sendCall(app, badCall(operation), key.key, { ...BAD_HEADERS, ...allowed });
    expect(refusalOf(first)).toBe(operation.scope ? '403 scope_missing' : firstRefusalOf(operation));
    const limited = await sendCall(app, badCall(operation), key.key, { ...BAD_HEADERS, ...allowed });
    expect(limited).toMatchObject({ status: 429, body: { code: 'rate_limited', retry: 'later' } });
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(limited.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(refusalOf(await sendCall(app, badCall(operation), key.key, BAD_HEADERS)), 'the limit is used up').toBe('403 ip_not_allowed');
  });

  it.each(PLANS)('on the plan %s: checks the scope before the plan, and both before the request itself', async (plan) => {
    const [{ key }, { id }] = [await aTenant(app, { plan }), await anOrganization(app, { plan })];
    const unscoped = await aKey(app, id, { scopes: [] });
    const suffices = PLANS.indexOf(plan) >= PLANS.indexOf(operation.plan ?? PLANS[0]);
    const ofThePlan = suffices ? firstRefusalOf(operation) : '403 plan_required';
    expect(refusalOf(await sendCall(app, badCall(operation), unscoped.key, BAD_HEADERS))).toBe(
      operation.scope ? '403 scope_missing' : ofThePlan,
    );
    expect(refusalOf(await sendCall(app, badCall(operation), key, BAD_HEADERS))).toBe(ofThePlan);
  });
});

/** The first refusal of a bad call if its caller has access. */
const firstRefusalOf = ({ needsKey }: Operation): string => (needsKey ? '400 idempotency_key_missing' : '400 validation_failed');

describe.each(named(keyedOf(app)))('%s', (_id, operation) => {
  it('checks the Idempotency-Key before the body, and the body before the record', async () => {
    const { key } = await aTenant(app);
    const codes = [];
    for (const text of ['', 'k'.repeat(256), newId()])
      codes.push(refusalOf(await sendCall(app, badCall(operation), key, { ...BAD_HEADERS, 'Idempotency-Key': text })));
    const body = { ...exampleBody(app.document, operation), no_such_property: 1 };
    codes.push(refusalOf(await sendCall(app, { ...callForMissing(app, operation), body }, key)));
    expect(codes).toEqual(['400 idempotency_key_missing', '400 idempotency_key_invalid', '400 malformed_json', '400 validation_failed']);
  });

  it('checks the body before it replays or refuses a used Idempotency-Key', async () => {
    const { key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    const used = { 'Idempotency-Key': newId() };
    expect((await sendCall(app, call, key, used)).status).toBe(operation.status);
    const invalid = { ...exampleBody(app.document, operation), no_such_property: 1 };
    expect(refusalOf(await sendCall(app, { ...call, body: invalid }, key, used))).toBe('400 validation_failed');
    expect(refusalOf(await sendCall(app, { ...call, body: '{' }, key, used))).toBe('400 malformed_json');
  });
});

describe.each([...new Set(app.operations.map(({ path }) => path))])('%s', (path) => {
  it('returns 405 to other methods, before the credential is checked', async () => {
    const methods = app.operations.filter((operation) => operation.path === path).map(({ method }) => method as string);
    const client = new Client(app.url);
    for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].filter((candidate) => !methods.includes(candidate))) {
      const answer = await client.send(method, path.replace(/\{\w+\}/g, newId()), undefined);
      expect(answer, method).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
      expect(answer.headers.allow!.split(', ').sort(), method).toEqual([...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort());
    }
  });

  it('returns 404 to unknown paths below it, before the credential is checked', async () => {
    const answer = await new Client(app.url).get(`${path.replace(/\{\w+\}/g, newId())}/no/such/address`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
  });
});
