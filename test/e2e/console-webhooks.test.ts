import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aVisitor, aVisitorOf, textOf, type Visitor } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { rowsOf } from '../support/database.js';
import { Receiver } from '../support/receiver.js';

let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  [app, receiver] = await Promise.all([startApp({ ROLE: 'all', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }), Receiver.start()]);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

const PATH = '/console/test/webhooks';
const EVENTS = ['claim_project.created', 'claim_project.updated'];

async function made(visitor: Visitor) {
  const targetUrl = `${receiver.url}/${visitor.organization.id}`;
  const shown = await visitor.browser.fill(`${PATH}/new`, { name: 'Ledger', targetUrl, subscribedEvents: EVENTS });
  const path = /href="(\/console\/test\/webhooks\/[\w-]{36})"/.exec(shown.text)?.[1] ?? '';
  return { shown, path, secret: /whsec_[\w+/=]+/.exec(textOf(shown.text))?.[0] };
}

const aProject = ({ browser }: Visitor, name: string) =>
  browser.fill('/console/test/projects/new', { name, periodStart: '2026-01-01', periodEnd: '2026-12-31' });

it('a new endpoint gets what happens, and its secret is shown once', async () => {
  const visitor = await aVisitor(app);
  const { path, secret } = await made(visitor);
  expect(secret).toBeDefined();
  for (const page of [path, PATH]) expect((await visitor.browser.visit(page)).text).not.toContain(secret);
  await aProject(visitor, 'Something that happens');
  await eventually(async () => {
    const { text } = await visitor.browser.visit(`${path}/deliveries`);
    expect(text).toContain('Delivered');
    expect(text).toContain('claim_project.created');
  });
  const { text } = await visitor.browser.visit(`${path}/deliveries?status=delivered&event_kind=claim_project.created`);
  const details = await visitor.browser.visit(/href="([^"]+\/deliveries\/[\w-]{36})"/.exec(text)![1]!);
  for (const said of ['Something that happens', 'webhook-signature: (hidden)', 'What came back']) expect(details.text).toContain(said);
  const again = await visitor.browser.send(details, {}, `${details.url.pathname}/again`);
  expect(again.text).toContain('The event is sent again.');
  expect((await visitor.browser.visit(`${path}/deliveries?status=failed`)).text).toContain('Nothing was sent yet');
});

it('a test says what the endpoint answered, or why it could not be reached', async () => {
  const visitor = await aVisitor(app);
  const { path } = await made(visitor);
  expect((await visitor.browser.fill(path, {}, `${path}/ping`)).text).toContain('The endpoint answered.');
  await visitor.browser.fill(`${path}/edit`, { targetUrl: 'http://127.0.0.1:1/' });
  expect((await visitor.browser.fill(path, {}, `${path}/ping`)).text).toContain('connection_failed');
});

it('can be paused, resumed, rotated, sent what it has missed, and deleted, and each is recorded', async () => {
  const visitor = await aVisitor(app);
  const { path, secret } = await made(visitor);
  const { browser } = visitor;
  expect((await browser.fill(path, {}, `${path}/pause`)).text).toContain('Somebody paused it.');
  await aProject(visitor, 'Missed');
  await browser.fill(path, {}, `${path}/resume`);
  const replayed = await browser.fill(`${path}/deliveries/replay`, { since: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10) });
  expect(replayed.text).toContain('One event is sent again.');
  const rotated = await browser.fill(path, {}, `${path}/rotate`);
  expect(/whsec_[\w+/=]+/.exec(textOf(rotated.text))![0]).not.toBe(secret);
  expect((await browser.fill(path, {}, `${path}/delete`)).text).toContain('The endpoint was deleted.');
  expect((await browser.visit(path)).status).toBe(404);
  // The worker of this process seals them.
  await eventually(async () => {
    const actions = await rowsOf<{ action: string; actor: string; address: string | null }>(
      app.databaseUrl,
      `SELECT action, actor_id AS actor, ip_address AS address FROM audit_events
       WHERE organization_id = $1 AND action LIKE 'webhook.%' ORDER BY sequence`,
      [visitor.organization.id],
    );
    const expected = ['created', 'updated', 'updated', 'replayed', 'updated', 'deleted'];
    expect(actions.map(({ action }) => action.slice('webhook.'.length))).toEqual(expected);
    for (const { actor, address } of actions) expect([actor, address]).toEqual([visitor.user.id, '127.0.0.1']);
  });
});

it('says at the field why an address is refused', async () => {
  const { browser } = await aVisitor(app);
  const fields = { name: 'Inside', targetUrl: 'http://10.0.0.1/', subscribedEvents: EVENTS };
  const shown = await browser.fill(`${PATH}/new`, fields);
  expect([shown.status, shown.text]).toEqual([400, expect.stringMatching(/id="targetUrl"[^>]*aria-invalid="true"/)]);
  expect((await browser.fill(`${PATH}/new`, { ...fields, targetUrl: receiver.url, subscribedEvents: [] })).status).toBe(400);
});

it('is out of reach for other organizations and environments, and members change nothing', async () => {
  const owner = await aVisitor(app);
  const { path } = await made(owner);
  const [member, stranger] = [await aVisitorOf(app, owner.organization, { role: 'member' }), await aVisitor(app)];
  const seen = await member.browser.visit(path);
  expect([seen.status, seen.text.includes('Rotate the secret')]).toEqual([200, false]);
  const csrfOf = async ({ browser }: Visitor): Promise<string> =>
    /name="csrf" value="([^"]+)"/.exec((await browser.visit('/console/test')).text)![1]!;
  for (const [visitor, expected] of [
    [member, 403],
    [stranger, 404],
  ] as const) {
    const csrf = await csrfOf(visitor);
    for (const step of ['pause', 'resume', 'rotate', 'delete', 'ping', 'deliveries/replay'])
      expect((await visitor.browser.visit(`${path}/${step}`, { csrf, since: '2026-01-01' })).status, step).toBe(expected);
  }
  for (const page of [path, `${path}/edit`, `${path}/deliveries`]) expect((await stranger.browser.visit(page)).status).toBe(404);
  expect((await owner.browser.visit(path.replace('/test/', '/live/'))).status).toBe(404);
  expect((await owner.browser.visit(path)).status).toBe(200);
});

it('says which plan it takes', async () => {
  const { browser } = await aVisitor(app, { plan: 'growth' });
  const shown = await browser.visit(PATH);
  expect([shown.status, shown.text]).toEqual([403, expect.stringContaining('This needs the plan enterprise.')]);
});
