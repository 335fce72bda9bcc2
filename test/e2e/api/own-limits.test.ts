import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeysService } from '../../../src/modules/api-keys/index.js';
import { ApplicationsService } from '../../../src/modules/oauth/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, anOrganization } from '../../support/builders.js';
import { Client, type Answer } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { aVisitor, textOf } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { anApplication, ask } from '../../support/oauth.js';

// Slow enough that nothing is replenished during a test.
const TIER = { perMinute: 10, burst: 20 };

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ RATE_LIMITS: JSON.stringify({ starter: TIER, growth: { perMinute: 6000, burst: 1000 } }) });
});
afterAll(() => app.close());

type Call = () => Promise<Answer>;

const callerWith =
  (key: string): Call =>
  () =>
    new Client(app.url, key).get('/v1');

async function callTimes(times: number, call: Call): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let index = 0; index < times; index += 1) answers.push(await call());
  return answers;
}

const allowed = (answers: readonly Answer[]): number => answers.filter(({ status }) => status === 200).length;
const secondsOfDay = (): number => (86_400_000 - (Date.now() % 86_400_000)) / 1000;

async function aToken(organizationId: string, limits: { rateShare?: number; dailyCalls?: number }) {
  const application = await anApplication(app, organizationId, limits);
  const token = async (): Promise<Call> => {
    const { body } = await ask(app, { application }, { grant_type: 'client_credentials' });
    return () => new Client(app.url).get('/v1', { Authorization: `Bearer ${body.access_token}` });
  };
  return { application, token };
}

describe('a key with a share of the rate', () => {
  it('never gets more than that, also when it calls alone, and is told so; the others have the rest', async () => {
    const { id } = await anOrganization(app, { plan: 'starter' });
    const limited = callerWith((await aKey(app, id, { rateShare: 20 })).key);
    const answers = await callTimes(6, limited);
    expect(allowed(answers)).toBe(4);
    const { headers, body } = answers.at(-1)!;
    expect(headers['ratelimit-policy']).toBe('"share";q=2;w=60, "starter";q=10;w=60');
    expect(headers.ratelimit).toMatch(/^"share";r=0;t=1[12]\d$/);
    expect(Number(headers['retry-after'])).toBeGreaterThan(20);
    expect(body).toMatchObject({
      code: 'rate_limited',
      detail: 'This credential has used up its share, 20 percent of 10 requests a minute, at most 20 at once.',
    });
    expect(allowed(await callTimes(8, callerWith((await aKey(app, id)).key)))).toBe(8);
  });

  it('is told how many items a batch of its can have: more could never be let in', async () => {
    const { id } = await anOrganization(app, { plan: 'starter' });
    const items = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `Project ${index}`, periodStart: '2026-01-01', periodEnd: '2026-12-31' }));
    for (const [limits, most] of [
      [{ rateShare: 25 }, 4],
      [{ dailyCalls: 3 }, 2],
    ] as const) {
      const api = new Client(app.url, (await aKey(app, id, limits)).key);
      const send = (count: number) => api.post('/v1/batches', { operation: 'claim_projects.create', items: items(count) });
      const refused = await send(most + 1);
      expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining(`must have at most ${most} items`)]);
    }
  });

  it('has it until it is changed, at once, and its copy by a rotation has it, too', async () => {
    const { id } = await anOrganization(app, { plan: 'starter' });
    const keys = app.app.get(ApiKeysService);
    const { id: keyId, key } = await aKey(app, id, { rateShare: 5 });
    expect(allowed(await callTimes(3, callerWith(key)))).toBe(1);
    const rotated = await keys.rotate(OPERATOR, keyId, 60_000);
    expect(rotated.row).toMatchObject({ rateShare: 5, dailyCalls: null });
    await keys.change(OPERATOR, keyId, { rateShare: null });
    await eventually(async () => expect((await callerWith(key)()).status).toBe(200));
  });

  it('is refused with a share or a number of calls that cannot be', async () => {
    const { id } = await anOrganization(app);
    for (const limits of [
      { rateShare: 0 },
      { rateShare: 101 },
      { rateShare: 1.5 },
      { dailyCalls: 0 },
      { dailyCalls: 10_000_001 },
      { rateShare: NaN },
    ])
      await expect(aKey(app, id, limits)).rejects.toMatchObject({ code: 'validation_failed', errors: [{ code: 'out_of_range' }] });
  });
});

describe('an application with limits', () => {
  it('has one share with all of its tokens', async () => {
    const { id } = await anOrganization(app, { plan: 'starter' });
    const { token } = await aToken(id, { rateShare: 10 });
    const [one, other] = [await token(), await token()];
    expect(allowed([...(await callTimes(2, one)), ...(await callTimes(2, other))])).toBe(2);
  });

  it('has one number of calls a day with all of its tokens, and gets more within a second once that is changed', async () => {
    const { id } = await anOrganization(app, { plan: 'growth' });
    const { application, token } = await aToken(id, { dailyCalls: 3 });
    const [one, other] = [await token(), await token()];
    expect(allowed([...(await callTimes(2, one)), ...(await callTimes(2, other))])).toBe(3);
    await app.app.get(ApplicationsService).update(OPERATOR, application.id, { dailyCalls: 5 });
    await eventually(async () => expect((await other()).headers['ratelimit-policy']).toContain('"day";q=5;w=86400'));
  });
});

describe('the connection of an organization to an application that serves many', () => {
  it('has limits that the organization sets, in the console, too, and nothing else of it can be changed', async () => {
    const visitor = await aVisitor(app, { plan: 'starter' });
    const { id, clientId } = await anApplication(app, visitor.organization.id, { isPublic: true });
    await rowsOf(app.databaseUrl, 'UPDATE oauth_applications SET shared_client_id = $2 WHERE id = $1', [id, clientId]);
    const applications = app.app.get(ApplicationsService);
    const path = `/console/test/applications/${id}`;
    const form = await visitor.browser.visit(`${path}/edit`);
    expect(form.text).toContain('name="rateShare"');
    expect(form.text).not.toContain('name="scopes"');
    await visitor.browser.fill(`${path}/edit`, { rateShare: '25', dailyCalls: '90' });
    expect(await applications.get({ organizationId: visitor.organization.id, environment: 'test' }, id)).toMatchObject({
      ...{ rateShare: 25, dailyCalls: 90, name: 'Month-end sync', sharedClientId: clientId },
    });
    await expect(applications.update(OPERATOR, id, { rateShare: 10, name: 'Another' })).rejects.toThrow('describes itself');
    await expect(applications.update(OPERATOR, id, { rateShare: 0 })).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

describe('a key with a number of calls a day', () => {
  it('is refused beyond it until midnight UTC, and is told what is left once that is less than the rate leaves', async () => {
    const { id } = await anOrganization(app, { plan: 'growth' });
    const { key } = await aKey(app, id, { dailyCalls: 4 });
    const answers = await callTimes(6, callerWith(key));
    expect(allowed(answers)).toBe(4);
    expect(answers[0]!.headers['ratelimit-policy']).toBe('"day";q=4;w=86400, "growth";q=6000;w=60');
    expect(answers.map(({ headers }) => /^"day";r=(\d)/.exec(headers.ratelimit!)![1])).toEqual(['3', '2', '1', '0', '0', '0']);
    const { headers, body } = answers.at(-1)!;
    expect(body).toMatchObject({ status: 429, code: 'rate_limited', detail: 'This credential has used up its 4 calls of this day (UTC).' });
    expect(Math.abs(Number(headers['retry-after']) - secondsOfDay())).toBeLessThan(60);
    expect(allowed(await callTimes(2, callerWith((await aKey(app, id)).key))), 'another key').toBe(2);
  });

  it('hears of the rate as long as that leaves less', async () => {
    const { id } = await anOrganization(app, { plan: 'starter' });
    const { headers } = await callerWith((await aKey(app, id, { dailyCalls: 1000 })).key)();
    expect(headers['ratelimit-policy']).toBe('"starter";q=10;w=60');
    expect(headers.ratelimit).toMatch(/^"starter";r=19;/);
  });
});

describe('at the command', () => {
  const claims = (...args: string[]) => runCommand(args, { DATABASE_URL: app.databaseUrl });
  const printed = async (...args: string[]) => {
    const { stdout, stderr } = await claims(...args, '--json');
    expect(stderr).toBe('');
    return JSON.parse(stdout) as { id: string };
  };

  it('limits are set with a key and an application, and changed and taken away, each alone', async () => {
    const { id } = await anOrganization(app);
    const of = ['--org', id, '--environment', 'test', '--name', 'Sync'];
    for (const [kind, ...more] of [['key'], ['app', '--grants', 'client_credentials']] as const) {
      const made = await printed(kind, 'create', ...of, ...more, '--share', '20', '--daily-calls', '50000');
      expect(made).toMatchObject({ rateShare: 20, dailyCalls: 50_000 });
      expect(await printed(kind, 'set', made.id, '--share', '30')).toMatchObject({ rateShare: 30, dailyCalls: 50_000 });
      expect(await printed(kind, 'set', made.id, '--daily-calls', 'none')).toMatchObject({ rateShare: 30, dailyCalls: null });
    }
  });

  it('a share that cannot be is bad usage', async () => {
    const { code, stderr } = await claims('key', 'set', 'any', '--share', '101');
    expect([code, stderr]).toEqual([2, expect.stringContaining('must be none, or a whole number from 1 to 100')]);
  });
});

describe('in the console', () => {
  it('limits are set with a key, shown, changed and taken away; a number that cannot be is shown again', async () => {
    const { browser } = await aVisitor(app);
    const fields = { name: 'Month-end job', scopes: ['claim_projects:read'], rateShare: '20', dailyCalls: '5000' };
    const refused = await browser.fill('/console/test/keys/new', { ...fields, rateShare: '200' });
    expect(refused.status).toBe(400);
    expect(textOf(refused.text)).toContain('must be a whole number from 1 to 100');
    expect(refused.text).toContain('value="200"');
    const shown = await browser.fill('/console/test/keys/new', fields);
    const path = /href="([^"]*\/keys\/[0-9a-f-]{36})"/.exec(shown.text)![1]!;
    expect((await browser.visit(path)).text).toContain(
      '<dt>Share of the rate in percent</dt><dd>20</dd></div><div><dt>Calls a day</dt><dd>5,000</dd>',
    );
    expect((await browser.visit(`${path}/edit`)).text).toMatch(/name="rateShare"[^>]*value="20"/);
    await browser.fill(`${path}/edit`, { ...fields, rateShare: '', dailyCalls: '6000' });
    const { text } = await browser.visit(path);
    expect(text).toContain('<dt>Calls a day</dt><dd>6,000</dd>');
    expect(text).not.toContain('Share of the rate');
  });

  it('limits are set with an application, shown and changed', async () => {
    const { browser } = await aVisitor(app);
    const fields = {
      name: 'Sync',
      kind: 'confidential',
      grants: ['client_credentials'],
      redirectUris: '',
      scopes: ['claim_projects:read'],
    };
    const shown = await browser.fill('/console/test/applications/new', { ...fields, rateShare: '30', dailyCalls: '' });
    const path = /href="([^"]*\/applications\/[0-9a-f-]{36})"/.exec(shown.text)![1]!;
    expect((await browser.visit(path)).text).toContain('<dt>Share of the rate in percent</dt><dd>30</dd>');
    await browser.fill(`${path}/edit`, { ...fields, rateShare: '40', dailyCalls: '700' });
    expect((await browser.visit(path)).text).toContain(
      '<dt>Share of the rate in percent</dt><dd>40</dd></div><div><dt>Calls a day</dt><dd>700</dd>',
    );
  });
});
