import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { StartError } from '../../../src/kernel/settings/settings.js';
import { NewOrganizations, OrganizationService } from '../../../src/modules/organization/index.js';
import { prepareDatabase } from '../../../src/program/start.js';
import type { TestApp } from '../../support/app.js';
import { aKey, anOrganization, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { aVisitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { connectTools, namesOf } from '../../support/tools.js';
import { aProject, openHook, startDelivering, untilReceived, WEBHOOKS } from '../../support/webhooks.js';

const PLANS = JSON.stringify({ scale: { like: 'enterprise', perMinute: 7000, burst: 900 }, trial: { like: 'starter' } });
const NAMES = ['starter', 'growth', 'enterprise', 'scale', 'trial'];

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering({ PLANS });
});
afterAll(() => app.close());

async function anApi(plan: string): Promise<Client> {
  return new Client(app.url, (await aTenant(app, { plan })).key);
}
const setPlan = (id: string, plan: string) => app.app.get(OrganizationService).change(OPERATOR, id, { plan });
const storePlan = (id: string, plan: string) => rowsOf(app.databaseUrl, 'UPDATE organizations SET plan = $2 WHERE id = $1', [id, plan]);

describe('a plan of PLANS', () => {
  it('has the operations of the plan that it is like, and its own tier', async () => {
    const api = await anApi('scale');
    expect((await api.get(WEBHOOKS)).status).toBe(200);
    expect((await api.get('/v1/audit/events')).status).toBe(200);
    expect((await api.get('/v1/auth/context')).body).toMatchObject({
      organization: { plan: 'scale', standardPlan: 'enterprise' },
      rateLimit: { tier: 'scale', limit: 7000 },
    });
    expect((await api.get('/v1/organization')).body).toMatchObject({
      plan: 'scale',
      limits: { rateTier: 'scale', requestsPerMinute: 7000, burst: 900, webhooks: 50 },
    });
  });

  it('has the tier of the plan that it is like if it has none, and is refused what that is refused', async () => {
    const api = await anApi('trial');
    const { perMinute } = app.settings.rateLimits.starter!;
    expect((await api.get('/v1/auth/context')).body).toMatchObject({ rateLimit: { tier: 'trial', limit: perMinute } });
    expect((await api.get('/v1/organization')).body).toMatchObject({ limits: { webhooks: 0 } });
    expect(await api.get(WEBHOOKS)).toMatchObject({ status: 403, body: { code: 'plan_required' } });
  });

  it('is sent events, and none while its plan is not like Enterprise', async () => {
    const hook = await openHook(app);
    await setPlan(hook.organizationId, 'trial');
    await aProject(hook.api);
    await setPlan(hook.organizationId, 'scale');
    const { id } = await aProject(hook.api);
    await untilReceived(hook.receiver, 1);
    expect(hook.receiver.received.map(({ body }) => (JSON.parse(String(body)) as { data: { id: string } }).data.id)).toEqual([id]);
  });

  it('lists the tools of the plan that it is like', async () => {
    const listed = async (plan: string) => {
      const client = await connectTools(app, { Authorization: `Bearer ${(await aTenant(app, { plan })).key}` });
      const names = await namesOf(client);
      await client.close();
      return names;
    };
    const [scale, trial] = [await listed('scale'), await listed('trial')];
    expect(scale).toContain('list_webhooks');
    expect(trial).not.toContain('list_webhooks');
  });

  it('opens the pages of the plan that it is like', async () => {
    const scale = await aVisitor(app, { plan: 'scale' });
    expect((await scale.browser.visit('/console/test/webhooks')).text).not.toContain('Webhooks need the plan');
    expect((await scale.browser.visit('/console/test')).status).toBe(200);
    const trial = await aVisitor(app, { plan: 'trial' });
    expect((await trial.browser.visit('/console/test/webhooks')).text).toContain('Webhooks need the plan enterprise');
  });

  it('is in the documents that the service serves, and not as a plan that operations require', async () => {
    const document = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
      components: { schemas: Record<string, { properties: Record<string, { 'x-extensible-enum'?: string[] }> }> };
    };
    const { schemas } = document.components;
    expect(schemas.Organization!.properties.plan!['x-extensible-enum']).toEqual(NAMES);
    expect(schemas.RateLimitState!.properties.tier!['x-extensible-enum']).toEqual(NAMES);
    expect(schemas.AuthContextOrganization!.properties.standardPlan!['x-extensible-enum']).toEqual(NAMES.slice(0, 3));
    expect(JSON.stringify(document)).not.toContain('{{');
    expect(await (await fetch(`${app.url}/asyncapi.json`)).text()).toContain('"scale"');
  });
});

describe('claims org', () => {
  const env = () => ({ DATABASE_URL: app.databaseUrl, PLANS });

  it('gives organizations plans of PLANS, and refuses others with the names that there are', async () => {
    const made = await runCommand(['org', 'create', '--name', 'Scaled', '--plan', 'scale', '--json'], env());
    expect([made.code, made.stderr]).toEqual([0, '']);
    const { id } = JSON.parse(made.stdout) as { id: string };
    expect((await runCommand(['org', 'set', id, '--plan', 'trial'], env())).code).toBe(0);
    const refused = await runCommand(['org', 'set', id, '--plan', 'huge'], env());
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(NAMES.join(', ')) });
    const unknown = await runCommand(['org', 'create', '--name', 'Scaled', '--plan', 'scale'], { DATABASE_URL: app.databaseUrl });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('starter, growth, enterprise') });
    await expect(app.app.get(NewOrganizations).create(OPERATOR, { name: 'Huge', plan: 'huge' })).rejects.toThrow();
  });
});

describe('a plan that nobody declares', () => {
  it('is treated as the least one by a process that runs, and keeps others from starting until it is declared', async () => {
    const organization = await anOrganization(app, { plan: 'scale' });
    const api = new Client(app.url, (await aKey(app, organization.id)).key);
    await storePlan(organization.id, 'retired');
    expect(await api.get(WEBHOOKS)).toMatchObject({ status: 403, body: { code: 'plan_required' } });
    expect((await api.get('/v1/organization')).body).toMatchObject({
      plan: 'retired',
      limits: { requestsPerMinute: app.settings.rateLimits.starter!.perMinute, webhooks: 0 },
    });

    const starting = prepareDatabase(app.settings);
    await expect(starting).rejects.toThrow(new RegExp(`${organization.slug} has retired.*PLANS`));
    await expect(starting).rejects.toBeInstanceOf(StartError);
    const doctor = await runCommand(['doctor', '--json'], { DATABASE_URL: app.databaseUrl, PLANS });
    expect(doctor.code).toBe(1);
    expect((JSON.parse(doctor.stdout) as { findings: object[] }).findings).toContainEqual({
      check: 'plans',
      ok: false,
      detail: expect.stringContaining(`${organization.slug} has retired`),
    });

    await runCommand(['org', 'set', organization.id, '--plan', 'scale'], { DATABASE_URL: app.databaseUrl, PLANS });
    await prepareDatabase(app.settings);
    expect((await runCommand(['doctor'], { DATABASE_URL: app.databaseUrl, PLANS })).code).toBe(0);
  });
});
