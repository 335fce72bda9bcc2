import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitorOf } from '../../support/console.js';
import { createDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/receiver.js';
import { anInvitation } from '../../support/users.js';

// Its own: transactions of other tests in the same database would hold events back.
let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  [database, receiver] = [await createDatabase(), await Receiver.start()];
  app = await startApp({ DATABASE_URL: database.url, ROLE: 'all', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  await database.drop();
});

const FROM_THE_OLDEST = '/v1/events?after=00000000-0000-0000-0000-000000000000';
const PROJECT = { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const NOT_ALLOWED = { status: 403, body: { code: 'event_not_allowed' } };

type Page = { data: { type: string }[] };

/** An organization with a project and an invitation, and keys with some scopes. */
async function aFeed() {
  const { organization, key } = await aTenant(app);
  const all = new Client(app.url, key);
  const invitation = await anInvitation(app, organization.id);
  expect((await all.post('/v1/claim-projects', PROJECT)).status).toBe(201);
  await eventually(async () => expect(((await all.get(FROM_THE_OLDEST)).body as unknown as Page).data).toHaveLength(2));
  const limited = async (...scopes: string[]) => new Client(app.url, (await aKey(app, organization.id, { scopes })).key);
  return { organization, all, limited, invitation };
}

it('a key with webhooks:read alone got whole records and the addresses of invited people from the feed', async () => {
  const { limited } = await aFeed();
  // It reads endpoints, so it is given what is told of them: here, nothing.
  const { status, body } = await (await limited('webhooks:read')).get(FROM_THE_OLDEST);
  expect([status, body]).toMatchObject([200, { data: [] }]);
  const refused = await (await limited('requests:read')).get(FROM_THE_OLDEST);
  expect(refused).toMatchObject(NOT_ALLOWED);
  expect(refused.text).not.toContain('@');
});

it('the feed leaves out what the key may not read, and says so if that is asked for', async () => {
  const { limited } = await aFeed();
  const projects = await limited('webhooks:read', 'claim_projects:read');
  expect(((await projects.get(FROM_THE_OLDEST)).body as unknown as Page).data.map(({ type }) => type)).toEqual(['claim_project.created']);
  const refused = await projects.get(`${FROM_THE_OLDEST}&kind=user.invited`);
  expect(refused).toMatchObject(NOT_ALLOWED);
  expect(refused.body).toMatchObject({
    detail:
      'Events are given to those who may read their records. Missing for user.invited, whose record takes the scope organization:read.',
    errors: [{ location: 'query', field: 'kind', code: 'not_allowed' }],
  });
});

it('cannot be sent elsewhere by changing an endpoint, with a key that may not read their records', async () => {
  const { all, limited } = await aFeed();
  const endpoint = { name: 'Sync', targetUrl: receiver.url, subscribedEvents: ['claim_project.created'] };
  const writer = await limited('webhooks:write');
  expect(await writer.post('/v1/webhooks', endpoint)).toMatchObject(NOT_ALLOWED);
  const { body } = await all.post('/v1/webhooks', endpoint);
  const path = `/v1/webhooks/${body.id}`;
  expect(await writer.patch(path, { targetUrl: `${receiver.url}/elsewhere` })).toMatchObject(NOT_ALLOWED);
  expect(await (await limited('webhooks:write', 'claim_projects:read')).patch(path, { subscribedEvents: ['user.invited'] })).toMatchObject({
    ...NOT_ALLOWED,
    body: { errors: [{ location: 'body', field: 'subscribedEvents' }] },
  });
  expect((await all.get(path)).body).toMatchObject(endpoint);
  expect((await (await limited('webhooks:write', 'claim_projects:read')).patch(path, { name: 'Renamed' })).status).toBe(200);
});

it('the message of a delivery is shown to those who may read its record, also in the console', async () => {
  const { organization, all, limited } = await aFeed();
  const { body: hook } = await all.post('/v1/webhooks', { name: 'People', targetUrl: receiver.url, subscribedEvents: ['user.invited'] });
  const { user } = await anInvitation(app, organization.id);
  const log = `/v1/webhooks/${hook.id}/deliveries`;
  const [delivery] = await eventually(async () => {
    const { data } = (await all.get(`${log}?status=delivered`)).body as unknown as { data: { id: string }[] };
    expect(data).toHaveLength(1);
    return data;
  });
  const path = `${log}/${delivery!.id}`;
  expect((await all.get(path)).text).toContain(user.email);
  expect(await (await limited('webhooks:deliveries:read')).get(path)).toMatchObject(NOT_ALLOWED);
  const page = `/console/test/webhooks/${hook.id}/deliveries/${delivery!.id}`;
  const shown = await (await aVisitorOf(app, organization, { role: 'member' })).browser.visit(page);
  expect([shown.status, shown.text.includes(user.email)]).toEqual([403, false]);
  expect((await (await aVisitorOf(app, organization, { role: 'admin' })).browser.visit(page)).text).toContain(user.email);
});
