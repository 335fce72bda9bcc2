import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { idAt, newId } from '../../../src/kernel/ids.js';
import { startApp, TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { runClaims, startClaims, type RunningCommand } from '../../support/process.js';
import { Receiver } from '../../support/receiver.js';

const PATIENCE_MS = 300_000;
const PROJECTS = '/v1/claim-projects';
const project = (name: string) => ({ name, periodStart: '2026-01-01', periodEnd: '2026-12-31' });

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let receiver: Receiver;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createDatabase();
  env = { DATABASE_URL: database.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
  app = await startApp({ ...env, ROLE: 'all' });
  // Builds the program if it is stale.
  await runClaims(['--version']);
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(async () => {
  receiver = await Receiver.start();
});
afterEach(() => receiver.close());

/** Runs a command with --json. Expects one document on stdout, and no other output. */
async function claimsJson(args: string, code = 0) {
  const ended = await runCommand([...args.split(' '), '--json'], env);
  expect([ended.code, ended.stderr], args).toEqual([code, '']);
  return JSON.parse(ended.stdout);
}

const kindsReceived = () => receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);

async function anEndpoint() {
  const { key } = await aTenant(app);
  const api = new Client(app.url, key);
  const { body } = await api.post('/v1/webhooks', { name: 'Sync', targetUrl: receiver.url, subscribedEvents: ['claim_project.created'] });
  const log = async () =>
    (await api.get(`/v1/webhooks/${body.id}/deliveries`)).body.data as { id: string; trigger: string; status: string; eventId: string }[];
  return { api, id: body.id as string, log };
}

describe('an operator', () => {
  it('pings an endpoint and sees its response; the ping is unsigned and not in the delivery log', async () => {
    const { id, log } = await anEndpoint();
    expect(await claimsJson(`webhook ping ${id}`)).toEqual({
      webhookId: id,
      ok: true,
      responseStatus: 200,
      errorCode: null,
      durationMs: expect.any(Number),
    });
    expect(kindsReceived()).toEqual(['webhook.test']);
    expect(receiver.received[0]!.headers).not.toHaveProperty('webhook-signature');
    receiver.answer = (_received, response) => void response.writeHead(503).end();
    expect(await claimsJson(`webhook ping ${id}`, 1)).toMatchObject({ ok: false, responseStatus: 503, errorCode: 'http_error' });
    const { code, stdout } = await runCommand(['webhook', 'ping', id], env);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^FAILED {2}503 after \d+ ms\n$/)]);
    expect(await log()).toEqual([]);
  });

  it('sends a delivery again', async () => {
    const { api, id, log } = await anEndpoint();
    await api.post(PROJECTS, project('Berlin'));
    await eventually(async () => expect(await log()).toMatchObject([{ status: 'delivered' }]));
    const [first] = await log();
    const made = await claimsJson(`webhook redeliver ${first!.id}`);
    expect(made).toEqual({ id: expect.any(String), webhookId: id });
    await eventually(
      async () =>
        expect(await log()).toMatchObject([
          { id: made.id, trigger: 'manual', status: 'delivered', eventId: first!.eventId },
          { trigger: 'automatic' },
        ]),
      20_000,
    );
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([first!.eventId, first!.eventId]);
  });

  it('replays the events that an endpoint missed, since a given time or for a given duration', async () => {
    const { api, id, log } = await anEndpoint();
    await api.patch(`/v1/webhooks/${id}`, { status: 'disabled' });
    for (const name of ['Berlin', 'Hamburg', 'Bremen']) await api.post(PROJECTS, project(name));
    await api.patch(`/v1/webhooks/${id}`, { status: 'active' });
    const now = new Date().toISOString();
    expect(await claimsJson(`webhook replay ${id} --since ${now}`)).toEqual({
      webhookId: id,
      since: now,
      replayId: expect.any(String),
      deliveries: 0,
    });
    expect(await claimsJson(`webhook replay ${id} --since 1h`)).toMatchObject({ webhookId: id, deliveries: 3 });
    await eventually(async () => expect(await log()).toMatchObject(Array(3).fill({ trigger: 'manual', status: 'delivered' })), 20_000);
    expect(receiver.received).toHaveLength(3);
  });

  it('sees what a replay would send before it is sent, follows it, and stops it', async () => {
    const { api, id, log } = await anEndpoint();
    await api.patch(`/v1/webhooks/${id}`, { status: 'disabled', subscribedEvents: ['claim_project.created', 'claim_project.updated'] });
    for (const name of ['Berlin', 'Hamburg']) await api.post(PROJECTS, project(name));
    await api.patch(`/v1/webhooks/${id}`, { status: 'active' });
    const shown = await claimsJson(`webhook replay ${id} --since 1h --dry-run`);
    const [kind] = shown.byKind;
    expect(shown).toMatchObject({ webhookId: id, dryRun: true, deliveries: 2, firstAt: kind.firstAt, lastAt: kind.lastAt });
    expect(shown.byKind).toMatchObject([{ kind: 'claim_project.created', deliveries: 2 }]);
    expect(await log()).toEqual([]);
    expect(await claimsJson(`webhook replay ${id} --since 1h --kinds claim_project.updated --wait`)).toMatchObject({
      deliveries: 0,
      waiting: 0,
    });
    const foreign = await runCommand(['webhook', 'replay', id, '--since', '1h', '--kinds', 'claim_report.failed'], env);
    expect([foreign.code, foreign.stderr]).toEqual([
      1,
      expect.stringMatching(/^claims: The endpoint does not subscribe to claim_report.failed/),
    ]);
    const replayed = await claimsJson(`webhook replay ${id} --since 1h --kinds claim_project.created --wait`);
    expect(replayed).toMatchObject({ deliveries: 2, delivered: 2, waiting: 0, failed: 0 });
    expect(receiver.received).toHaveLength(2);
    expect(await claimsJson(`webhook replay-stop ${id}`)).toEqual({ webhookId: id, stopped: 0 });
  });
});

describe('a developer who runs claims webhook listen', () => {
  let command: RunningCommand | undefined;
  afterEach(() => command?.interrupt());

  async function listen(args: readonly string[], further: Record<string, string> = {}) {
    const running = (command = startClaims(['webhook', 'listen', '--forward-to', receiver.url, ...args], { ...env, ...further }));
    await eventually(() => expect(running.lines.length).toBeGreaterThan(0), 30_000);
    return running;
  }
  const documents = ({ lines }: RunningCommand) => lines.map((line) => JSON.parse(line));

  it('gets every event from then on, once, and signed like a delivery', async () => {
    const { organization, key } = await aTenant(app);
    const [api, stranger] = [new Client(app.url, key), new Client(app.url, (await aTenant(app)).key)];
    const live = new Client(app.url, (await aKey(app, organization.id, { environment: 'live' })).key);
    await api.post(PROJECTS, project('Before'));
    const listener = await listen(['--org', organization.slug, '--json']);
    const { listening } = documents(listener)[0];
    expect(listening).toEqual({
      forwardTo: receiver.url,
      organizationId: organization.id,
      environment: 'test',
      events: null,
      secret: expect.stringMatching(/^whsec_/),
    });
    await Promise.all([stranger, live].map((other) => other.post(PROJECTS, project('Elsewhere'))));
    const { body: created } = await api.post(PROJECTS, project('Berlin'));
    await api.patch(`${PROJECTS}/${created.id}`, { name: 'Hamburg' });
    await eventually(() => expect(kindsReceived()).toEqual(['claim_project.created', 'claim_project.updated']));
    const verified = receiver.received.map(({ headers, body }) =>
      new Webhook(listening.secret as string).verify(body, headers as Record<string, string>),
    );
    expect(verified).toMatchObject([
      { environment: 'test', organizationId: organization.id, data: created },
      { changedFields: ['name'], data: { name: 'Hamburg' } },
    ]);
    const { id } = verified[0] as { id: string };
    expect(receiver.received[0]!.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': id,
      'x-service-event': 'claim_project.created',
    });
    await eventually(() =>
      expect(documents(listener).slice(1)).toMatchObject([
        { id, kind: 'claim_project.created', responseStatus: 200, error: null },
        { kind: 'claim_project.updated', responseStatus: 200 },
      ]),
    );
    // The next event arrives after several more polls. If one of the others had been sent twice, the copy would come before it.
    await api.post(PROJECTS, project('Bremen'));
    await eventually(() => expect(kindsReceived()).toHaveLength(3));
    expect(await listener.interrupt()).toMatchObject({ code: 0, stderr: '' });
    expect(documents(listener)).toHaveLength(4);
  });

  it('gets events that were written before others but committed after them', async () => {
    const { organization, key } = await aTenant(app);
    await listen(['--org', organization.id]);
    await new Client(app.url, key).post(PROJECTS, project('Berlin'));
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const time = new Date(Date.now() - 30_000).toISOString();
    await rowsOf(
      database.url,
      `INSERT INTO events (id, organization_id, environment, kind, resource_id, occurred_at, data)
       VALUES ($1, $2, 'test', 'claim_project.created', $3, $4, '{}')`,
      [idAt(time, 1), organization.id, newId(), time],
    );
    await eventually(() => expect(receiver.received).toHaveLength(2));
  });

  it('is told that the signing secret is not valid, without repeating it', async () => {
    const ended = await runCommand(['webhook', 'listen', '--forward-to', receiver.url], { ...env, CLAIMS_WEBHOOK_SECRET: 's3same' });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/must be whsec_/) });
    expect(ended.stderr).not.toContain('s3same');
  });

  it('sees a line for each event of the chosen kinds, even if the local receiver is down or refuses it', async () => {
    const { organization, key } = await aTenant(app);
    const api = new Client(app.url, key);
    const secret = `whsec_${Buffer.alloc(32, 'a secret of my own').toString('base64')}`;
    receiver.answer = (_received, response) => void response.writeHead(302, { location: receiver.url }).end();
    const listener = await listen(['--org', organization.slug, '--events', 'claim_project.updated'], { CLAIMS_WEBHOOK_SECRET: secret });
    await eventually(() =>
      expect(listener.lines).toEqual([
        `Forwarding the test events of Example Accountants to ${receiver.url}; Ctrl-C ends.`,
        `Signed with ${secret}`,
      ]),
    );
    const { body: created } = await api.post(PROJECTS, project('Berlin'));
    await api.patch(`${PROJECTS}/${created.id}`, { name: 'Hamburg' });
    await eventually(() =>
      expect(listener.lines.slice(2)).toEqual([expect.stringMatching(/^claim_project\.updated {2}[0-9a-f-]{36} {2}302$/)]),
    );
    const { headers, body } = receiver.received[0]!;
    new Webhook(secret).verify(body, headers as Record<string, string>);
    await receiver.close();
    await api.patch(`${PROJECTS}/${created.id}`, { name: 'Bremen' });
    await eventually(() => expect(listener.lines.slice(3)).toEqual([expect.stringMatching(/FAILED: ECONNREFUSED$/)]));
    expect((await listener.interrupt()).code).toBe(0);
    receiver = await Receiver.start();
  });

  it('may omit the organization if there is only one', async () => {
    const several = await runCommand(['webhook', 'listen', '--forward-to', receiver.url], env);
    expect([several.code, several.stdout]).toEqual([1, '']);
    expect(several.stderr).toMatch(/^claims: There are \d+ organizations: say which one with --org\.\n$/);
    const own = await createDatabase();
    env = { ...env, DATABASE_URL: own.url };
    const none = await runCommand(['webhook', 'listen', '--forward-to', receiver.url], env);
    expect([none.code, none.stderr]).toEqual([1, 'claims: There is no organization yet: create one with `claims org create`.\n']);
    const { id } = await claimsJson('org create --name Only');
    const listener = await listen(['--json']);
    expect(documents(listener)[0].listening.organizationId).toBe(id);
    await listener.interrupt();
    env = { ...env, DATABASE_URL: database.url };
    await own.drop();
  });
});
