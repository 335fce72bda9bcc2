import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobRegistry } from '../../../src/store/jobs/job-registry.js';
import { CatchingUp } from '../../../src/modules/webhooks/sending/catching-up.js';
import { NoticeChoices } from '../../../src/modules/organization/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import type { TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { stepsOf } from '../../support/law-database.js';
import { startMailServer } from '../../support/mail-server.js';
import { Receiver } from '../../support/receiver.js';
import { aUser } from '../../support/users.js';
import { aProject, aWebhook, openHook, startDelivering, untilReceived, untilSettled, type Hook } from '../../support/webhooks.js';

const KINDS = ['webhook.disabled', 'webhook.failing', 'webhook.recovered'];
const ALL = ['claim_project.created', ...KINDS];
const FROM_THE_OLDEST = '/v1/events?after=00000000-0000-0000-0000-000000000000';

let server: Awaited<ReturnType<typeof startMailServer>>;
let app: TestApp;
beforeAll(async () => {
  server = await startMailServer();
  const mail = { SMTP_URL: server.url, MAIL_FROM: 'no-reply@claims.example' };
  // An event that is refused makes four attempts.
  app = await startDelivering({ WEBHOOK_RETRY_SCHEDULE: '0s,50ms,50ms,50ms', ...mail });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const answering = (hook: Pick<Hook, 'receiver'>, status: number) => {
  hook.receiver.answer = (_received, response) => void response.writeHead(status).end();
};

interface Told {
  readonly type: string;
  readonly environment: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const bodiesOf = (receiver: Receiver): Told[] => receiver.received.map(({ body }) => JSON.parse(body) as Told);
const aboutEndpoints = (receiver: Receiver): Told[] => bodiesOf(receiver).filter(({ type }) => type.startsWith('webhook.'));
const told = (receiver: Receiver) => aboutEndpoints(receiver).map(({ type, data }) => [type, data.id]);

/** Another endpoint of the same organization, which is told of endpoints. */
async function besides(hook: Hook, wanted: object = {}): Promise<Hook> {
  const receiver = await Receiver.start();
  const webhook = await aWebhook(hook.api, { targetUrl: `${receiver.url}/hook`, subscribedEvents: KINDS, ...wanted });
  const path = `/v1/webhooks/${webhook.id}`;
  const log: Hook['log'] = async (query = '') => (await hook.api.get(`${path}/deliveries${query}`)).body.data;
  return { ...hook, receiver, webhook, path, log };
}

/** The events about endpoints of an organization, in their order. */
const written = async ({ organizationId }: Hook): Promise<string[]> =>
  (
    await rowsOf<{ kind: string }>(
      app.databaseUrl,
      `SELECT kind FROM events WHERE organization_id = $1 AND kind LIKE 'webhook.%' ORDER BY id`,
      [organizationId],
    )
  ).map(({ kind }) => kind);

/** Makes an event whose four attempts fail. */
async function failFourTimes(hook: Hook): Promise<void> {
  const { length } = hook.receiver.received;
  await aProject(hook.api);
  await untilReceived(hook.receiver, length + 4);
  await untilSettled(hook);
}

describe('when four attempts in a row have failed', () => {
  it('the other endpoints of the organization that want to know are told, once, and the endpoint itself is not', async () => {
    const hook = await openHook(app, { subscribedEvents: ALL });
    const [other, silent, stranger] = [
      await besides(hook),
      await besides(hook, { subscribedEvents: ['user.invited'] }),
      await openHook(app, { subscribedEvents: ALL }),
    ];
    const live = new Client(app.url, (await aKey(app, hook.organizationId, { environment: 'live' })).key);
    await aWebhook(live, { targetUrl: 'https://127.0.0.1:1/hook', subscribedEvents: ALL, environment: 'live' });
    await hook.change({ targetUrl: `${hook.receiver.url}/s3cr3t?token=s3cr3t` });
    answering(hook, 500);
    await failFourTimes(hook);
    await failFourTimes(hook);
    await untilReceived(other.receiver, 1);
    await untilSettled(other);
    const [{ type, environment, data }] = aboutEndpoints(other.receiver) as [Told];
    const failingSince = expect.any(String) as string;
    expect([type, environment]).toEqual(['webhook.failing', 'test']);
    expect(data).toEqual({
      ...{ id: hook.webhook.id, environment: 'test', name: hook.webhook.name, host: new URL(hook.receiver.url).host },
      ...{ status: 'active', disabledReason: null, failingSince, disabledAt: expect.any(String) as string },
    });
    expect(Date.parse(data.disabledAt as string) - Date.parse(data.failingSince as string)).toBe(120 * 3_600_000);
    expect(await written(hook)).toEqual(['webhook.failing']);
    expect((await stepsOf(app, hook.webhook.id)).filter(({ action }) => action === type)).toMatchObject([
      { actor_type: 'system', actor_name: 'webhook dispatcher', environment: 'test' },
    ]);
    expect([...told(hook.receiver), ...told(silent.receiver), ...told(stranger.receiver)]).toEqual([]);
    const fed = async (api: Client) =>
      ((await api.get(`${FROM_THE_OLDEST}&kind=webhook.failing`)).body.data as Told[]).map(({ data: { id } }) => id);
    await eventually(async () => expect(await fed(hook.api)).toEqual([hook.webhook.id]));
    expect([await fed(stranger.api), await fed(live)]).toEqual([[], []]);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expect((await hook.api.get(`${hook.path}/missed?since=${since}`)).body.kinds).toMatchObject([
      { kind: 'claim_project.created', deliveries: 2 },
    ]);
  });

  it('and not when three have, and a success follows', async () => {
    const hook = await openHook(app);
    const other = await besides(hook);
    hook.receiver.answer = (_received, response) => void response.writeHead(hook.receiver.received.length % 4 ? 500 : 200).end();
    for (const length of [4, 8]) {
      await aProject(hook.api);
      await untilReceived(hook.receiver, length);
      await untilSettled(hook);
    }
    expect([await written(hook), other.receiver.received]).toEqual([[], []]);
  });

  it('an endpoint that was enabled by hand has forgotten its failures', async () => {
    const hook = await openHook(app);
    const other = await besides(hook);
    answering(hook, 500);
    await failFourTimes(hook);
    await hook.change({ status: 'disabled' });
    await hook.change({ status: 'active' });
    await failFourTimes(hook);
    await untilReceived(other.receiver, 2);
    expect(await written(hook)).toEqual(['webhook.failing', 'webhook.failing']);
  });
});

describe('two endpoints that fail and are told of each other', () => {
  it('are told once each, and nothing follows from what they are told', async () => {
    const one = await openHook(app, { subscribedEvents: ALL });
    const other = await besides(one, { subscribedEvents: ALL });
    const onlyTold = await besides(one);
    for (const hook of [one, other, onlyTold]) answering(hook, 500);
    await aProject(one.api);
    // Four of the project, and four of what is told of the other one.
    for (const hook of [one, other, onlyTold]) await untilReceived(hook.receiver, 8);
    for (const hook of [one, other, onlyTold]) await untilSettled(hook);
    await failFourTimes(one);
    expect(await written(one)).toEqual(['webhook.failing', 'webhook.failing']);
    expect(new Set(told(one.receiver).map(([, id]) => id))).toEqual(new Set([other.webhook.id]));
    expect(new Set(told(other.receiver).map(([, id]) => id))).toEqual(new Set([one.webhook.id]));
  });
});

/** The names of the projects that were accepted, in their order. */
function accepting(hook: Hook): unknown[] {
  const accepted: unknown[] = [];
  hook.receiver.answer = ({ body }, response) => {
    accepted.push((JSON.parse(body) as Told).data.name);
    response.writeHead(200).end();
  };
  return accepted;
}

describe('an endpoint that works again', () => {
  it('is told of as recovered, and gets what was given up, in order and once', async () => {
    const hook = await openHook(app, { ordered: true });
    const other = await besides(hook);
    const { name: before } = await aProject(hook.api);
    await untilReceived(hook.receiver, 1);
    await untilSettled(hook);
    answering(hook, 500);
    const names: string[] = [];
    for (let count = 0; count < 3; count += 1) names.push((await aProject(hook.api)).name);
    await untilReceived(hook.receiver, 13);
    await untilSettled(hook);
    const accepted = accepting(hook);
    const { name } = await aProject(hook.api);
    await eventually(() => expect(accepted).toEqual([name, ...names]));
    await untilReceived(other.receiver, 2);
    expect(told(other.receiver)).toEqual([
      ['webhook.failing', hook.webhook.id],
      ['webhook.recovered', hook.webhook.id],
    ]);
    const [failing, recovered] = aboutEndpoints(other.receiver) as [Told, Told];
    expect(recovered.data).toEqual({ ...failing.data, disabledAt: null });
    await untilSettled(hook);
    await app.app.get(CatchingUp).catchUp();
    expect(await hook.log('?status=pending')).toEqual([]);
    expect(accepted).not.toContain(before);
    expect((await stepsOf(app, hook.webhook.id)).filter(({ action }) => action === 'webhook.replayed')).toMatchObject([
      {
        actor_name: 'webhook dispatcher',
        changes: { since: { from: null, to: failing.data.failingSince }, deliveries: { from: null, to: 3 } },
      },
    ]);
  });

  it('that refuses some events whenever they come is not sent them again and again', async () => {
    const hook = await openHook(app);
    answering(hook, 400);
    for (let count = 0; count < 4; count += 1) await failFourTimes(hook);
    const refused = new Set((await hook.log('?page_size=100')).map(({ eventId }) => eventId));
    hook.receiver.answer = ({ headers }, response) => void response.writeHead(refused.has(String(headers['webhook-id'])) ? 400 : 200).end();
    for (let round = 1; round <= 5; round += 1) {
      await aProject(hook.api);
      await untilSettled(hook);
      await app.app.get(CatchingUp).catchUp();
      await untilSettled(hook);
    }
    const times = hook.receiver.received.filter(({ headers }) => refused.has(String(headers['webhook-id']))).length;
    expect(times).toBe(4 * (4 + 3));
  });

  it('is not sent what its owner has stopped', async () => {
    const hook = await openHook(app);
    answering(hook, 500);
    await failFourTimes(hook);
    hook.receiver.answer = () => undefined;
    const { length } = hook.receiver.received;
    expect((await hook.api.post(`${hook.path}/replays`, { since: hook.webhook.createdAt })).body).toEqual({ deliveries: 1 });
    await untilReceived(hook.receiver, length + 1);
    expect((await hook.api.post(`${hook.path}/replays/stop`, {})).body).toEqual({ deliveries: 1 });
    await rowsOf(app.databaseUrl, 'UPDATE webhook_endpoints SET catch_up_since = created_at WHERE id = $1', [hook.webhook.id]);
    await app.app.get(CatchingUp).catchUp();
    expect(await hook.log('?status=pending')).toEqual([]);
  });
});

/** As if no delivery had succeeded for so many days. */
const failFor = ({ webhook }: Hook, days: number) =>
  rowsOf(
    app.databaseUrl,
    'UPDATE webhook_endpoints SET failing_since = now() - make_interval(days => $2), updated_at = now() WHERE id = $1',
    [webhook.id, days],
  );

const untilDisabled = (hook: Hook) => eventually(async () => expect((await hook.current()).status).toBe('disabled'));
const sendMails = () =>
  app.app
    .get(JobRegistry)
    .jobs.find(({ id }) => id === 'mail.send')!
    .run();

describe('an endpoint that the service disables', () => {
  it('because it has answered 410 is told of to the others, and to the owners by mail', async () => {
    const hook = await openHook(app, { subscribedEvents: ALL });
    const other = await besides(hook);
    const owner = await aUser(app, hook.organizationId, { role: 'owner' });
    const admin = await aUser(app, hook.organizationId, { role: 'admin' });
    answering(hook, 410);
    await aProject(hook.api);
    await untilReceived(other.receiver, 1);
    const [{ type, data }] = aboutEndpoints(other.receiver) as [Told];
    expect([type, data]).toMatchObject(['webhook.disabled', { id: hook.webhook.id, status: 'disabled', disabledReason: 'gone' }]);
    expect(told(hook.receiver)).toEqual([]);
    await sendMails();
    const mails = await eventually(() => {
      const found = server.mails.filter(({ text }) => text.includes(hook.webhook.id));
      expect(found).toHaveLength(1);
      return found;
    });
    expect(mails[0]!.to).toEqual([owner.email]);
    expect(mails[0]!.text).toContain(`Subject: Webhook endpoint was disabled: ${hook.webhook.name}`);
    expect(mails[0]!.text).toContain('answered with 410');
    expect(mails[0]!.text).not.toContain(admin.email);
  });

  it('because it has failed for days gets what it has missed when it is enabled, also what happened meanwhile', async () => {
    const hook = await openHook(app, { ordered: true });
    const other = await besides(hook);
    await app.app.get(NoticeChoices).change(OPERATOR, hook.organizationId, []);
    await aUser(app, hook.organizationId, { role: 'owner' });
    answering(hook, 500);
    const names = [(await aProject(hook.api)).name];
    await untilReceived(hook.receiver, 4);
    await untilSettled(hook);
    await failFor(hook, 5);
    names.push((await aProject(hook.api)).name);
    await untilDisabled(hook);
    names.push((await aProject(hook.api)).name);
    await untilReceived(other.receiver, 2);
    expect(aboutEndpoints(other.receiver).map(({ type, data }) => [type, data.disabledReason])).toEqual([
      ['webhook.failing', null],
      ['webhook.disabled', 'failing'],
    ]);
    const accepted = accepting(hook);
    await hook.change({ status: 'active' });
    for (const _worker of [1, 2]) await app.app.get(CatchingUp).catchUp();
    await eventually(() => expect(accepted).toEqual(names));
    await untilSettled(hook);
    await sendMails();
    expect(server.mails.filter(({ text }) => text.includes(hook.webhook.id))).toEqual([]);
    // It was not told of as failing since it was enabled.
    expect(await written(hook)).toEqual(['webhook.failing', 'webhook.disabled']);
  });

  it('by hand gets nothing that it has missed when it is enabled, and no other endpoint is told', async () => {
    const hook = await openHook(app);
    const other = await besides(hook);
    await hook.change({ status: 'disabled' });
    await aProject(hook.api);
    await hook.change({ status: 'active' });
    await app.app.get(CatchingUp).catchUp();
    expect([await hook.log(), other.receiver.received, await written(hook)]).toEqual([[], [], []]);
  });
});
