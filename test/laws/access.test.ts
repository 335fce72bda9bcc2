import { afterAll, describe, expect, it } from 'vitest';
import { OrganizationService } from '../../src/modules/organization/index.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { PLANS } from '../../src/kernel/plans.js';
import { aKey, aTenant } from '../support/builders.js';
import { sendCall, callForMissing, validCall } from '../support/law-call.js';
import { named, startDocumentedApp } from '../support/documented-app.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

const { scopes } = app.registry;
const organizations = app.app.get(OrganizationService);

describe.each(named(app.operations))('%s', (_id, operation) => {
  it('accepts a key with only its scope, and returns 403 to keys with any other scope', async () => {
    const { organization, key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    for (const scope of scopes.filter((candidate) => operation.scope !== undefined && candidate !== operation.scope)) {
      const other = await aKey(app, organization.id, { scopes: [scope] });
      const answer = await sendCall(app, call, other.key);
      expect(answer, scope).toMatchObject({ status: 403, body: { code: 'scope_missing', retry: 'never' } });
    }
    // Events are given to those who may read their records: here, of the project in the examples.
    const further = operation.problems.includes('event_not_allowed') ? ['claim_projects:read'] : [];
    // A batch takes the scope of its operation: here, that of the one in the example.
    if (operation.effects === 'byCalls') further.push('expense_categories:write');
    const own = await aKey(app, organization.id, { scopes: [operation.scope ?? [], further].flat() });
    expect((await sendCall(app, call, own.key)).status).toBe(operation.status);
  });

  it('names the missing scope to a key that has all others', async () => {
    const { organization, key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    const most = await aKey(app, organization.id, { scopes: scopes.filter((scope) => scope !== operation.scope) });
    const answer = await sendCall(app, call, most.key);
    if (operation.scope === undefined) return void expect(answer.status).toBe(operation.status);
    expect(answer).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
    expect((answer.body as { detail: string }).detail).toContain(operation.scope);
    const metadata = `${app.url}/.well-known/oauth-protected-resource`;
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", scope="${operation.scope}", resource_metadata="${metadata}"`,
    );
  });

  it.each(PLANS)('on the plan %s: returns 403 if it needs a higher plan, and succeeds otherwise', async (plan) => {
    const { organization, key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    await organizations.change(OPERATOR, organization.id, { plan });
    const later = await aKey(app, organization.id);
    const answer = await sendCall(app, call, later.key);
    const suffices = PLANS.indexOf(plan) >= PLANS.indexOf(operation.plan ?? PLANS[0]);
    if (suffices) return void expect(answer.status).toBe(operation.status);
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'plan_required', detail: `This operation needs the plan ${operation.plan}.` },
    });
  });

  it('returns 403 to a suspended organization, and succeeds again once it is active', async () => {
    const { organization, key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    await organizations.change(OPERATOR, organization.id, { status: 'suspended' });
    const during = await aKey(app, organization.id);
    expect(await sendCall(app, call, during.key)).toMatchObject({
      status: 403,
      body: { code: 'organization_suspended', retry: 'never' },
    });
    await organizations.change(OPERATOR, organization.id, { status: 'active' });
    const after = await aKey(app, organization.id);
    expect((await sendCall(app, call, after.key)).status).toBe(operation.status);
  });

  it('returns 403 to addresses outside the allowlist of the key, and names the address', async () => {
    const { organization } = await aTenant(app);
    const { key } = await aKey(app, organization.id, { ipAllowlist: ['10.0.0.0/8', '2001:db8:1::/48'] });
    for (const address of ['127.0.0.1', '11.0.0.1', '2001:db8:2::1', '::ffff:11.0.0.1']) {
      const answer = await sendCall(app, callForMissing(app, operation), key, { 'X-Forwarded-For': address });
      const detail = `The address ${address.replace('::ffff:', '')} is not on the allowlist of this key.`;
      expect(answer).toMatchObject({ status: 403, body: { code: 'ip_not_allowed', retry: 'never', detail } });
    }
  });

  it('accepts calls from addresses on the allowlist of the key', async () => {
    for (const address of ['10.200.3.4', '2001:db8:1:2::3', '::ffff:10.0.0.1']) {
      const { organization, key: unrestricted } = await aTenant(app);
      const { key } = await aKey(app, organization.id, { ipAllowlist: ['10.0.0.0/8', '2001:db8:1::/48'] });
      const call = await validCall(app, operation, unrestricted);
      expect((await sendCall(app, call, key, { 'X-Forwarded-For': address })).status, address).toBe(operation.status);
    }
  });
});
