import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { subscribableKinds } from '../../../src/kernel/declare-event.js';
import type { TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitor, aVisitorOf, textOf, type Visitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/receiver.js';
import { aProject, startDelivering, untilReceived } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering({ WEBHOOK_RETRY_SCHEDULE: '0s,1h' });
});
afterAll(() => app.close());

const WEBHOOKS = '/console/test/webhooks';
const FIELDS = { name: 'Bookkeeping', targetUrl: 'https://hooks.example.com/claims', subscribedEvents: ['claim_project.created'] };
const csrfOf = async ({ browser }: Visitor): Promise<string> =>
  /name="csrf" value="([^"]+)"/.exec((await browser.visit('/console/test')).text)![1]!;
const secretIn = (text: string): string | undefined => /whsec_[\w+/=]+/.exec(text)?.[0];

async function anEndpoint(visitor: Visitor, fields: object = {}) {
  const shown = await visitor.browser.fill(`${WEBHOOKS}/new`, { ...FIELDS, ...fields });
  expect(shown.status, shown.text).toBe(200);
  const id = /\/webhooks\/([0-9a-f-]{36})"/.exec(shown.text)![1]!;
  return { id, path: `${WEBHOOKS}/${id}`, shown, secret: secretIn(shown.text) };
}

/** An endpoint with a receiver, and a key of its organization. */
async function received(visitor: Visitor, status = 200) {
  const receiver = await Receiver.start();
  receiver.answer = (_received, response) => void response.writeHead(status).end('<script>alert("an answer")</script>');
  const endpoint = await anEndpoint(visitor, { targetUrl: `${receiver.url}/hook` });
  const api = new Client(app.url, (await aKey(app, visitor.organization.id)).key);
  return { ...endpoint, receiver, api };
}

/** The oldest delivery of the log, once it was sent. */
const settled = (visitor: Visitor, path: string): Promise<string> =>
  eventually(async () => {
    const { text } = await visitor.browser.visit(`${path}/deliveries`);
    expect(text).toMatch(/badge (good|bad)">(Delivered|Failed)/);
    return [...text.matchAll(new RegExp(`${path}/deliveries/[0-9a-f-]{36}`, 'g'))].at(-1)![0];
  });

const rowOf = async (id: string) =>
  (
    await rowsOf<{ name: string; status: string; subscribed_events: string[]; environment: string; ordered: boolean; rate_limit: number }>(
      app.databaseUrl,
      'SELECT name, status, subscribed_events, environment, ordered, rate_limit FROM webhook_endpoints WHERE id = $1',
      [id],
    )
  )[0]!;

const actionsOf = async ({ organization }: Visitor, id: string): Promise<string[]> =>
  (
    await rowsOf<{ action: string }>(
      app.databaseUrl,
      // A worker seals entries meanwhile: they move to audit_events.
      `SELECT action FROM (
        SELECT organization_id, resource_id, actor_type, action, 1 AS part, sequence AS place FROM audit_events UNION ALL
        SELECT organization_id, resource_id, actor_type, action, 2 AS part, ordinal AS place FROM audit_entries
      ) entry WHERE organization_id = $1 AND resource_id = $2 AND actor_type = 'user' ORDER BY part, place`,
      [organization.id, id],
    )
  ).map(({ action }) => action);

describe('a new endpoint', () => {
  it('is made as the API makes it, and its secret is shown once', async () => {
    const visitor = await aVisitor(app);
    const { id, path, secret } = await anEndpoint(visitor, { ordered: 'yes', rateLimit: '60' });
    expect(secret).toBeDefined();
    expect(await rowOf(id)).toEqual({
      name: FIELDS.name,
      status: 'active',
      subscribed_events: FIELDS.subscribedEvents,
      environment: 'test',
      ordered: true,
      rate_limit: 60,
    });
    expect(await actionsOf(visitor, id)).toEqual(['webhook.created']);
    for (const page of [WEBHOOKS, path, `${path}/edit`]) expect(secretIn((await visitor.browser.visit(page)).text)).toBeUndefined();
  });

  it('counts once, however often its button is pressed, and shows the same secret', async () => {
    const { browser, organization } = await aVisitor(app);
    const form = await browser.visit(`${WEBHOOKS}/new`);
    const answers = await Promise.all([browser.send(form, FIELDS), browser.send(form, FIELDS)]);
    expect(secretIn(answers[0].text)).toBe(secretIn(answers[1].text));
    expect(await rowsOf(app.databaseUrl, 'SELECT 1 FROM webhook_endpoints WHERE organization_id = $1', [organization.id])).toHaveLength(1);
  });

  it('can have all events', async () => {
    const visitor = await aVisitor(app);
    const { id } = await anEndpoint(visitor, { subscribedEvents: [], allEvents: 'yes' });
    expect((await rowOf(id)).subscribed_events.sort()).toEqual(subscribableKinds().sort());
  });

  const WRONG: readonly { readonly fields: Readonly<Record<string, string>>; readonly field: string }[] = [
    { fields: { name: '' }, field: 'name' },
    { fields: { targetUrl: 'no URL' }, field: 'targetUrl' },
    { fields: { targetUrl: 'http://169.254.169.254/' }, field: 'targetUrl' },
    { fields: { rateLimit: 'many' }, field: 'rateLimit' },
    { fields: { description: 'd'.repeat(1001) }, field: 'description' },
  ];
  it.each(WRONG)('is refused at its field, and keeps the rest: $fields', async ({ fields, field }) => {
    const { browser } = await aVisitor(app);
    const shown = await browser.fill(`${WEBHOOKS}/new`, { ...FIELDS, ...fields });
    expect(shown.status).toBe(400);
    expect(shown.text).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"`));
    expect(shown.text).toMatch(/value="claim_project.created" checked/);
  });

  it('is refused without an event, or with one that does not exist', async () => {
    const { browser } = await aVisitor(app);
    for (const subscribedEvents of [[], ['moon.landed']]) {
      const shown = await browser.fill(`${WEBHOOKS}/new`, { ...FIELDS, subscribedEvents });
      expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('subscribedEvents')]);
    }
  });

  it('shows its texts as the texts that they are', async () => {
    const name = '<script>alert(1)</script>';
    const visitor = await aVisitor(app);
    const { path } = await anEndpoint(visitor, { name, description: name });
    for (const page of [WEBHOOKS, path, `${path}/edit`, `${path}/deliveries`, `${path}/replay`]) {
      const { text, status } = await visitor.browser.visit(page);
      expect(status).toBe(200);
      expect(text).not.toContain('<script>alert');
      expect(textOf(text)).toContain(name);
    }
  });
});

describe('an endpoint', () => {
  it('that moves to another server says which of its own headers were removed', async () => {
    const visitor = await aVisitor(app);
    const { id, path } = await anEndpoint(visitor);
    const api = new Client(app.url, (await aKey(app, visitor.organization.id)).key);
    await api.patch(`/v1/webhooks/${id}`, { headers: { 'X-Tenant': 'berlin-office' } });
    const moved = await visitor.browser.fill(`${path}/edit`, { targetUrl: 'https://elsewhere.example.com/claims' });
    expect(moved.text).toContain('Its own headers (X-Tenant) were removed: they were for the former server.');
    expect((await api.get(`/v1/webhooks/${id}`)).body).toMatchObject({ headerNames: [] });
  });

  it('can be for some projects, which are shown and chosen in its form, or for all', async () => {
    const visitor = await aVisitor(app);
    const api = new Client(app.url, (await aKey(app, visitor.organization.id)).key);
    const [one, other] = [await aProject(api), await aProject(api)];
    const { id, path } = await anEndpoint(visitor, { projects: 'some', projectIds: [one.id] });
    const projects = async () => (await api.get(`/v1/webhooks/${id}`)).body.projectIds as unknown;
    expect(await projects()).toEqual([one.id]);
    expect((await visitor.browser.visit(path)).text).toContain(`href="/console/test/projects/${one.id}">${one.name}</a>`);
    await visitor.browser.fill(`${path}/edit`, { name: 'Renamed' });
    expect(await projects()).toEqual([one.id]);
    await visitor.browser.fill(`${path}/edit`, { projectIds: [one.id, other.id] });
    expect(await projects()).toEqual([one.id, other.id]);
    const refused = await visitor.browser.fill(`${path}/edit`, { projects: 'all' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('must be left empty if all are chosen')]);
    await visitor.browser.fill(`${path}/edit`, { projects: 'all', projectIds: [] });
    expect(await projects()).toBeNull();
  });

  it('can be changed, paused, resumed, given a new secret, and deleted', async () => {
    const visitor = await aVisitor(app);
    const { browser } = visitor;
    const { id, path, secret } = await anEndpoint(visitor);
    expect((await browser.fill(`${path}/edit`, { name: 'Renamed' })).text).toContain('The endpoint was changed.');
    expect((await browser.fill(path, {}, '/status')).text).toContain('The endpoint is paused.');
    expect(await rowOf(id)).toMatchObject({ name: 'Renamed', status: 'disabled', subscribed_events: FIELDS.subscribedEvents });
    expect((await browser.fill(path, {}, '/status')).text).toContain('The endpoint gets events again.');
    const rotated = secretIn((await browser.fill(path, {}, '/rotate-secret')).text);
    expect(rotated).toBeDefined();
    expect(rotated).not.toBe(secret);
    const gone = await browser.fill(path, {}, '/delete');
    expect([gone.url.pathname, gone.text]).toEqual([WEBHOOKS, expect.stringContaining('Renamed was deleted.')]);
    expect((await browser.visit(path)).status).toBe(404);
    expect(await actionsOf(visitor, id)).toEqual(['webhook.created', ...Array<string>(4).fill('webhook.updated'), 'webhook.deleted']);
  });

  it('of another organization or environment is not there', async () => {
    const visitor = await aVisitor(app);
    const { receiver, path, id, api } = await received(visitor);
    await aProject(api);
    const delivery = await settled(visitor, path);
    const live = path.replace('/test/', '/live/');
    const stranger = await aVisitor(app);
    const tries = [
      [stranger, path, delivery],
      [visitor, live, delivery.replace('/test/', '/live/')],
    ] as const;
    for (const [who, at, deliveryAt] of tries) {
      for (const page of [at, `${at}/edit`, `${at}/deliveries`, `${at}/replay`, deliveryAt])
        expect((await who.browser.visit(page)).status, page).toBe(404);
      const fields = { csrf: await csrfOf(who), ...FIELDS, status: 'disabled', since: '2026-01-01T00:00:00Z' };
      for (const action of ['edit', 'status', 'rotate-secret', 'delete', 'ping', 'replay', 'replay/stop'])
        expect((await who.browser.visit(`${at}/${action}`, fields)).status, action).toBe(404);
      expect((await who.browser.visit(`${deliveryAt}/redeliver`, fields)).status).toBe(404);
      // Nor by the address of an own endpoint.
      const own = await anEndpoint(stranger);
      const through = `${own.path}/deliveries/${delivery.split('/').at(-1)}`;
      expect((await stranger.browser.visit(`${through}/redeliver`, { csrf: await csrfOf(stranger) })).status).toBe(404);
    }
    expect(await rowOf(id)).toMatchObject({ name: FIELDS.name, status: 'active' });
    expect(receiver.received).toHaveLength(1);
    for (const unknown of [newId(), 'no-id']) expect((await visitor.browser.visit(`${WEBHOOKS}/${unknown}`)).status).toBe(404);
  });

  it('is seen by members, who can change nothing', async () => {
    const owner = await aVisitor(app);
    const { path, id } = await anEndpoint(owner);
    const member = await aVisitorOf(app, owner.organization, { role: 'member' });
    expect((await member.browser.visit(WEBHOOKS)).text).not.toContain(`${WEBHOOKS}/new`);
    expect((await member.browser.visit(path)).text).not.toContain(`action="${path}`);
    for (const page of [`${WEBHOOKS}/new`, `${path}/edit`, `${path}/replay`]) expect((await member.browser.visit(page)).status).toBe(403);
    const csrf = await csrfOf(member);
    for (const action of ['edit', 'status', 'rotate-secret', 'delete', 'ping', 'replay', 'replay/stop'])
      expect((await member.browser.visit(`${path}/${action}`, { csrf, ...FIELDS })).status, action).toBe(403);
    expect(await actionsOf(owner, id)).toEqual(['webhook.created']);
  });
});

describe('deliveries', () => {
  it('are in the log, with what was sent, what came back and how long it took', async () => {
    const visitor = await aVisitor(app);
    const { path, api, receiver } = await received(visitor, 500);
    const { id } = await aProject(api);
    const delivery = await settled(visitor, path);
    const log = await visitor.browser.visit(`${path}/deliveries`);
    expect(log.text).toContain(
      'Attempts of the last 24 hours<span class="legend good">0 delivered</span><span class="legend bad">1 failed</span>',
    );
    const { text } = await visitor.browser.visit(delivery);
    expect(text).not.toContain('<script>alert');
    const shown = textOf(text);
    // The next attempt is an hour away: a page that asks for news until then would ask for nothing.
    expect(log.text + text).not.toContain('data-news');
    expect(shown).toContain('HTTP 500');
    expect(shown).toMatch(/\d ms/);
    expect(shown).toContain(receiver.received[0]!.body);
    expect(shown).toContain(`"id":"${id}"`);
    expect(shown).toContain('webhook-signature: (hidden)');
    expect(shown).toContain('<script>alert("an answer")</script>');
  });

  it('can be searched by status and kind', async () => {
    const visitor = await aVisitor(app);
    const { path, api } = await received(visitor);
    await aProject(api);
    const delivery = await settled(visitor, path);
    const found = async (query: string) => (await visitor.browser.visit(`${path}/deliveries${query}`)).text.includes(delivery);
    expect(await found('?status=delivered&event_kind=claim_project.created&page=1')).toBe(true);
    for (const query of ['?status=failed', '?event_kind=claim_project.updated', '?page=2']) expect(await found(query), query).toBe(false);
    expect(await found('?status=nonsense&page=nonsense')).toBe(true);
  });

  it('can be sent again, and the audit log says who asked', async () => {
    const visitor = await aVisitor(app);
    const { path, id, api, receiver } = await received(visitor);
    await aProject(api);
    const shown = await visitor.browser.fill(await settled(visitor, path), {}, '/redeliver');
    expect(shown.text).toContain('It is sent again.');
    await untilReceived(receiver, 2);
    expect(receiver.received[1]!.headers['webhook-id']).toBe(receiver.received[0]!.headers['webhook-id']);
    expect(await actionsOf(visitor, id)).toEqual(['webhook.created', 'webhook.redelivered']);
  });
});

describe('a test', () => {
  it.each([
    { status: 200, says: 'The endpoint accepted the test.' },
    { status: 503, says: 'The endpoint did not accept the test.' },
  ])('says what the receiver answered with $status, and shows it as text', async ({ status, says }) => {
    const visitor = await aVisitor(app);
    const { path, receiver } = await received(visitor, status);
    const { text } = await visitor.browser.fill(path, {}, '/ping');
    expect(text).toContain(says);
    expect(text).toContain(`HTTP ${status}`);
    expect(text).not.toContain('<script>alert');
    expect(textOf(text)).toContain('<script>alert("an answer")</script>');
    expect(receiver.received.map(({ headers }) => headers['x-service-event'])).toEqual(['webhook.test']);
  });
});

describe('a replay', () => {
  it('shows what was missed, sends it, and is in the audit log', async () => {
    const visitor = await aVisitor(app);
    const { path, id, api, receiver } = await received(visitor);
    await visitor.browser.fill(path, {}, '/status');
    await aProject(api);
    await aProject(api);
    const since = encodeURIComponent(new Date(Date.now() - 60_000).toISOString());
    const paused = await visitor.browser.visit(`${path}/replay?since=${since}`);
    expect(paused.text).toContain('resume the endpoint first');
    expect(paused.text).not.toContain(`<form method="post" action="${path}/replay"`);
    await visitor.browser.fill(path, {}, '/status');
    const shown = await visitor.browser.fill(`${path}/replay?since=${since}`, {}, `${path}/replay`);
    expect(shown.text).toContain('2 deliveries are on their way.');
    await untilReceived(receiver, 2);
    expect((await actionsOf(visitor, id)).at(-1)).toBe('webhook.replayed');
    await eventually(async () =>
      expect((await visitor.browser.visit(`${path}/replay?since=${since}`)).text).toContain('has missed nothing since then'),
    );
    // Their results are written down a moment later.
    await eventually(async () =>
      expect((await api.get(`/v1/webhooks/${id}/deliveries?status=pending`)).body).toMatchObject({ pagination: { total: 0 } }),
    );
    expect((await visitor.browser.fill(`${path}/replay`, {}, '/replay/stop')).text).toContain('No replay had anything left to send.');
  });

  it('says what is wrong with its time', async () => {
    const visitor = await aVisitor(app);
    const { path } = await anEndpoint(visitor);
    for (const since of ['', 'yesterday', '2026-01-31', '2026-02-30T00:00:00Z']) {
      const shown = await visitor.browser.visit(`${path}/replay?since=${since}`);
      expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('must be a time with its offset')]);
    }
  });
});

describe('an endpoint that the service disabled', () => {
  it('says why, how it gets back, and is on the first page until then', async () => {
    const visitor = await aVisitor(app);
    const { browser } = visitor;
    const { path, api } = await received(visitor, 410);
    expect((await browser.visit('/console/test')).text).not.toContain('Webhook endpoints that fail');
    await aProject(api);
    const shown = await eventually(async () => {
      const page = await browser.visit(path);
      expect(page.text).toContain('it answered with 410 (Gone)');
      return page;
    });
    expect(shown.text).toContain('To get it back:');
    expect((await browser.visit('/console/test')).text).toContain('Webhook endpoints that fail');
    await browser.fill(path, {}, '/status');
    expect((await browser.visit(path)).text).not.toContain('To get it back:');
    expect((await browser.visit('/console/test')).text).not.toContain('Webhook endpoints that fail');
  });

  it('has a warning before: it says since when nothing arrived', async () => {
    const visitor = await aVisitor(app);
    const { path, api } = await received(visitor, 500);
    await aProject(api);
    await eventually(async () => expect((await visitor.browser.visit(path)).text).toContain('No delivery has succeeded since'));
  });
});

it('without the plan, the page says what it is for, and nothing else is there', async () => {
  const visitor = await aVisitor(app, { plan: 'starter' });
  const { browser } = visitor;
  const shown = await browser.visit(WEBHOOKS);
  expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('Webhooks need the plan enterprise.')]);
  for (const page of [`${WEBHOOKS}/new`, `${WEBHOOKS}/events`, `${WEBHOOKS}/${newId()}`, `${WEBHOOKS}/${newId()}/replay`])
    expect((await browser.visit(page)).status, page).toBe(403);
  expect((await browser.visit('/console/test')).text).not.toContain('Receive a webhook');
});

it('the catalogue has every kind of event, with a link to its schema', async () => {
  const { browser } = await aVisitor(app);
  const { text } = await browser.visit(`${WEBHOOKS}/events`);
  for (const kind of subscribableKinds()) expect(text).toContain(`<code>${kind}</code>`);
  expect(text).toContain('href="/asyncapi.json"');
});

it('the first page asks for a webhook until one was received', async () => {
  const visitor = await aVisitor(app);
  const { path, api } = await received(visitor);
  const step = async (): Promise<string | undefined> =>
    /<li>(?:(?!<\/li>).)*Receive a webhook/s.exec((await visitor.browser.visit('/console/test')).text)?.[0];
  expect(await step()).toContain('To do');
  await aProject(api);
  await settled(visitor, path);
  await eventually(async () => expect((await step()) ?? 'Done').toContain('Done'));
});
