import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeysService } from '../../../src/modules/api-keys/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, anOrganization } from '../../support/builders.js';
import { sends } from '../../support/confirmations.js';
import { Client } from '../../support/client.js';
import { aVisitorOf } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { anApplication, ask } from '../../support/oauth.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const today = (): string => new Date().toISOString().slice(0, 10);

async function callTimes(times: number, api: Client, headers = {}): Promise<void> {
  for (let index = 0; index < times; index += 1) expect((await api.get('/v1/claim-projects', headers)).status).toBe(200);
}

describe('the usage by key and application', () => {
  it('names each with its calls of the period in this environment, most calls first', async () => {
    const { id } = await anOrganization(app);
    const [busy, asking, live] = [
      await aKey(app, id, { name: 'Busy' }),
      await aKey(app, id, { name: 'Asking' }),
      await aKey(app, id, { name: 'Live', environment: 'live' }),
    ];
    const application = await anApplication(app, id, { name: 'Month-end sync' });
    const tokens = await Promise.all(
      [1, 2].map(async () => (await ask(app, { application }, { grant_type: 'client_credentials' })).body.access_token!),
    );
    await callTimes(5, new Client(app.url, busy.key));
    for (const token of tokens) await callTimes(2, new Client(app.url), { Authorization: `Bearer ${token}` });
    await callTimes(1, new Client(app.url, live.key));
    const { body } = await new Client(app.url, asking.key).get('/v1/usage');
    expect(body.credentials).toEqual([
      { id: busy.id, name: 'Busy', type: 'api_key', calls: 5, clients: [] },
      { id: application.id, name: 'Month-end sync', type: 'oauth', calls: 4, clients: [] },
    ]);
    expect(body.credentialsLeftOut).toBe(0);
    const again = await new Client(app.url, asking.key).get('/v1/usage');
    expect(again.body.credentials.at(-1)).toEqual({ id: asking.id, name: 'Asking', type: 'api_key', calls: 1, clients: [] });
    const sum = again.body.credentials.reduce((total: number, { calls }: { calls: number }) => total + calls, 0);
    expect(again.body.total).toBe(sum);
  });

  it('has the name of the last call, and those that are revoked', async () => {
    const { id } = await anOrganization(app);
    const [keys, renamed, asking] = [app.app.get(ApiKeysService), await aKey(app, id, { name: 'Before' }), await aKey(app, id)];
    await rowsOf(app.databaseUrl, `INSERT INTO usage_credentials VALUES ($1, 'test', $2, $3, 'api_key', 'Long ago', 7, 0)`, [
      ...[id, today(), renamed.id],
    ]);
    await callTimes(1, new Client(app.url, renamed.key));
    await keys.revoke(OPERATOR, renamed.id);
    const { body } = await new Client(app.url, asking.key).get('/v1/usage');
    expect(body.credentials).toEqual([{ id: renamed.id, name: 'Before', type: 'api_key', calls: 8, clients: [] }]);
  });

  it('says by which clients of tools a credential has called, also of several processes and days, and keeps at most 20', async () => {
    const { id: organizationId } = await anOrganization(app);
    const key = await aKey(app, organizationId);
    const call = (name: string) => sends(app, { 'X-API-Key': key.key }, 'get_organization', {}, { client: name });
    const clients = async () => {
      const { body } = await new Client(app.url, (await aKey(app, organizationId)).key).get('/v1/usage');
      return (body.credentials as { id: string; clients: object[] }[]).find(({ id }) => id === key.id)!.clients;
    };
    for (const name of ['Claude Code', 'Claude Code', 'Cursor']) await call(name);
    expect(await clients()).toEqual([
      { name: 'Claude Code', calls: 2 },
      { name: 'Cursor', calls: 1 },
    ]);
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO usage_credentials
         SELECT organization_id, environment, day + 1, credential_id, type, name, 5, 0, NULL, NULL, '{"Cursor":5}'
         FROM usage_credentials WHERE credential_id = $1`,
      [key.id],
    );
    await call('Claude Code');
    expect(await clients()).toEqual([
      { name: 'Cursor', calls: 6 },
      { name: 'Claude Code', calls: 3 },
    ]);
    for (let client = 0; client < 25; client += 1) await call(`Client ${client}`);
    const found = await clients();
    expect([found.length, found[0]]).toMatchObject([20, { name: 'Cursor' }]);
  });

  it('has at most 500, those with most calls, and says how many it leaves out', async () => {
    const organization = await anOrganization(app);
    const { key } = await aKey(app, organization.id);
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO usage_credentials
         SELECT $1, 'test', $2, gen_random_uuid(), 'api_key', 'Key ' || number, number, 0 FROM generate_series(1, 503) number`,
      [organization.id, today()],
    );
    const { body } = await new Client(app.url, key).get('/v1/usage');
    expect([body.credentials.length, body.credentials[0].calls, body.credentials.at(-1).calls]).toEqual([500, 503, 4]);
    expect(body.credentialsLeftOut).toBe(3);
    const { browser } = await aVisitorOf(app, organization);
    const { text } = await browser.visit('/console/test/usage');
    expect(text).toContain('By key and application');
    expect(text).toMatch(/<div>Key 503<\/div><\/td><td[^>]*><div>API key<\/div><\/td><td[^>]*><div>503</);
    expect(text).toContain('454 more have made fewer requests.');
  });
});
