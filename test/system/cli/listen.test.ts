import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, anOrganization, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { runClaims, startClaims, type RunningCommand } from '../../support/process.js';
import { Receiver } from '../../support/receiver.js';
import { TcpProxy } from '../../support/tcp-proxy.js';

const PROBE = fileURLToPath(new URL('../../support/loaded-libraries.js', import.meta.url));
const PATIENCE_MS = 90_000;
const PROJECTS = '/v1/claim-projects';
const project = (name: string) => ({ name, periodStart: '2026-01-01', periodEnd: '2026-12-31' });
const without = (text: string) => new RegExp(`^(?!.*${text})`, 's');

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url });
  // Builds the program if it is stale.
  await runClaims(['--version']);
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await database.drop();
});
let command: RunningCommand | undefined;
beforeEach(async () => {
  receiver = await Receiver.start();
});
afterEach(async () => {
  await command?.interrupt();
  await receiver.close();
});

/** The environment has no database and no Redis, and the process could not start a database either. */
function start(api: string, key: string, args: readonly string[] = [], further: Record<string, string> = {}): RunningCommand {
  const env = { CLAIMS_API_KEY: key, ...further };
  return (command = startClaims(['webhook', 'listen', '--api', api, '--forward-to', receiver.url, ...args], env));
}

async function listening(running: RunningCommand) {
  await eventually(() => expect(running.lines.length).toBeGreaterThan(0));
  return running;
}

const bodies = () => receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: { name: string } });
const namesReceived = () => bodies().map(({ data }) => data.name);

/** Writes events as a change does, but without a request, which would count against the rate limit. */
const insertEvents = (organizationId: string, names: readonly string[]) =>
  rowsOf(
    database.url,
    `INSERT INTO events (id, organization_id, environment, kind, resource_id, occurred_at, data)
     SELECT id, $2, 'test', 'claim_project.created', id, now(), json_build_object('name', name)
     FROM unnest($1::uuid[], $3::text[]) AS made (id, name)`,
    [names.map(() => newId()), organizationId, names],
  );

describe('a developer who has only an API key and the address of the service', () => {
  it('gets every event from then on, once, in order, and signed like a delivery; the service keeps no trace', async () => {
    const { organization, key } = await aTenant(app);
    const [api, stranger] = [new Client(app.url, key), new Client(app.url, (await aTenant(app)).key)];
    const live = new Client(app.url, (await aKey(app, organization.id, { environment: 'live' })).key);
    const listener = await listening(start(`${app.url}/`, key, ['--json'], { NODE_OPTIONS: `--import ${PROBE}` }));
    const documents = () => listener.lines.map((line) => JSON.parse(line));
    expect(documents()).toEqual([
      { listening: { api: app.url, forwardTo: receiver.url, events: null, secret: expect.stringMatching(/^whsec_/) } },
    ]);
    await Promise.all([stranger, live].map((other) => other.post(PROJECTS, project('Elsewhere'))));
    const { body: created } = await api.post(PROJECTS, project('Berlin'));
    await api.patch(`${PROJECTS}/${created.id}`, { name: 'Hamburg' });
    await eventually(() => expect(namesReceived()).toEqual(['Berlin', 'Hamburg']));
    const verified = receiver.received.map(({ headers, body }) =>
      new Webhook(documents()[0].listening.secret as string).verify(body, headers as Record<string, string>),
    ) as { id: string }[];
    expect(verified).toMatchObject([
      { type: 'claim_project.created', environment: 'test', organizationId: organization.id, data: created },
      { type: 'claim_project.updated', changedFields: ['name'] },
    ]);
    expect(receiver.received[0]!.headers).toMatchObject({ 'webhook-id': verified[0]!.id, 'x-service-event': 'claim_project.created' });
    // The next event arrives after several more polls. If one of the others had been sent twice, the copy would come before it.
    await api.post(PROJECTS, project('Bremen'));
    await eventually(() => expect(namesReceived()).toEqual(['Berlin', 'Hamburg', 'Bremen']));
    await eventually(() =>
      expect(documents().slice(1)).toMatchObject(
        ['created', 'updated', 'created'].map((what) => ({ kind: `claim_project.${what}`, responseStatus: 200, error: null })),
      ),
    );
    // It has loaded neither the application nor what reaches a database or Redis.
    const { code, stderr } = await listener.interrupt();
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^loaded: .*\n$/)]);
    expect(stderr).not.toMatch(/nestjs|typeorm|reflect-metadata|\bpg\b|pino|ioredis|bull/);
    for (const table of ['webhook_endpoints', 'webhook_deliveries'])
      expect(await rowsOf(database.url, `SELECT 1 FROM ${table} WHERE organization_id = $1`, [organization.id])).toEqual([]);
  });

  it('may pass the key on standard input, choose kinds, and sign with a secret of their own', async () => {
    const { key } = await aTenant(app);
    const api = new Client(app.url, key);
    const secret = `whsec_${Buffer.alloc(32, 'a secret of my own').toString('base64')}`;
    const kinds = 'claim_project.updated,expense_category.created';
    const args = ['webhook', 'listen', '--api', app.url, '--key-stdin', '--forward-to', receiver.url, '--events', kinds];
    const listener = await listening((command = startClaims(args, { CLAIMS_WEBHOOK_SECRET: secret }, `${key}\n`)));
    await eventually(() =>
      expect(listener.lines).toEqual([`Forwarding the events of ${app.url} to ${receiver.url}; Ctrl-C ends.`, `Signed with ${secret}`]),
    );
    receiver.answer = (_received, response) => void response.writeHead(500).end();
    const { body } = await api.post(PROJECTS, project('Berlin'));
    await api.patch(`${PROJECTS}/${body.id}`, { name: 'Hamburg' });
    await api.post('/v1/expense-categories', { code: 'rail', name: 'Rail travel' });
    await eventually(() =>
      expect(listener.lines.slice(2)).toEqual([
        expect.stringMatching(/^claim_project\.updated {2}[0-9a-f-]{36} {2}500$/),
        expect.stringMatching(/^expense_category\.created {2}[0-9a-f-]{36} {2}500$/),
      ]),
    );
    for (const { headers, body: sent } of receiver.received) new Webhook(secret).verify(sent, headers as Record<string, string>);
    expect(await listener.interrupt()).toMatchObject({ code: 0, stderr: '' });
  });

  it('loses no event while the service is away, and is told so in one line', async () => {
    const { organization, key } = await aTenant(app);
    const proxy = await TcpProxy.to(app.url);
    const address = proxy.url.replace(/\/$/, '');
    proxy.cut();
    const listener = start(address, key);
    await eventually(() => expect(listener.errors).toEqual([expect.stringContaining(`claims: ${address} cannot be reached (`)]));
    proxy.restore();
    await listening(listener);
    await insertEvents(organization.id, ['Before']);
    await eventually(() => expect(namesReceived()).toEqual(['Before']));
    proxy.cut();
    await eventually(() => expect(listener.errors).toHaveLength(3));
    await insertEvents(organization.id, ['Meanwhile', 'Later']);
    proxy.restore();
    await eventually(() => expect(namesReceived()).toEqual(['Before', 'Meanwhile', 'Later']));
    const { code, stderr } = await listener.interrupt();
    const [away, back] = [expect.stringMatching(/; trying again until it answers\.$/), `claims: ${address} answers again.`];
    expect([code, stderr.trim().split('\n')]).toEqual([0, [away, back, away, back]]);
    await proxy.close();
  });

  it.each([
    ['a key that is not valid', () => [app.url, 'pk_test_wrong'], /refused the key: .* \(credential_invalid\)/],
    [
      'a key that may read no record of an event',
      async () => [app.url, (await aKey(app, (await anOrganization(app)).id, { scopes: ['audit:read'] })).key],
      /refused the key: .* \(event_not_allowed\)/,
    ],
    ['an address that is not of the service', () => [receiver.url, 'pk_test_any'], /There is no Claims API at .* with 200\./],
    ['a wrong path', () => [`${app.url}/api`, 'pk_test_any'], /There is no Claims API at .* with 404\./],
    ['an unknown host', () => ['https://claims.invalid', 'pk_test_any'], /The host of https:\/\/claims\.invalid cannot be found/],
  ] as [string, () => [string, string] | Promise<[string, string]>, RegExp][])(
    'is told in one line about %s',
    async (_what, make, text) => {
      const [api, key] = await make();
      const ended = await runCommand(['webhook', 'listen', '--api', api, '--forward-to', receiver.url], { CLAIMS_API_KEY: key });
      expect(ended).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^claims: [^\n]+\n$/) });
      expect(ended.stderr).toMatch(text);
      expect(ended.stderr).toMatch(without(key));
    },
  );

  it('is told by the service which kinds of events there are', async () => {
    const { key } = await aTenant(app);
    const args = [
      'webhook',
      'listen',
      '--api',
      app.url,
      '--forward-to',
      receiver.url,
      '--events',
      'claim_project.created,claim_project.lost',
    ];
    const { code, stderr } = await runCommand(args, { CLAIMS_API_KEY: key });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^claims: .* kind must be one of .*claim_project\.updated.*\n$/)]);
  });

  it.each([
    ['no key', ['--api', 'http://127.0.0.1:1'], {}, /set CLAIMS_API_KEY, or pass it on standard input with --key-stdin/],
    [
      'an organization, which the key decides',
      ['--api', 'http://127.0.0.1:1', '--org', 'x'],
      {},
      /'--api <url>' cannot be used with .*--org/,
    ],
    ['a key for no address', ['--key-stdin'], {}, /'--key-stdin' needs '--api <url>'/],
    ['a key that is none', ['--api', 'http://127.0.0.1:1'], { CLAIMS_API_KEY: 'pk test' }, /characters that no key has/],
    ['an address with a password', ['--api', 'http://a:b@127.0.0.1:1'], {}, /must be a URL such as/],
  ])('is told that it is bad usage to give %s', async (_what, args, env, text) => {
    const ended = await runCommand(['webhook', 'listen', '--forward-to', receiver.url, ...args], env);
    expect(ended).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(/^claims: [^\n]+\n$/) });
    expect(ended.stderr).toMatch(text);
  });

  it('is slowed down by a small rate limit, but not refused', async () => {
    const limits = { enterprise: { perMinute: 60, burst: 3 } };
    const own = await startApp({ DATABASE_URL: database.url, RATE_LIMITS: JSON.stringify(limits) });
    const { organization, key } = await aTenant(own);
    const listener = await listening(start(own.url, key));
    for (const names of [['Berlin', 'Hamburg'], ['Bremen']]) {
      await insertEvents(organization.id, names);
      await eventually(() => expect(namesReceived()).toEqual(expect.arrayContaining(names)));
    }
    expect(namesReceived()).toEqual(['Berlin', 'Hamburg', 'Bremen']);
    expect(await listener.interrupt()).toMatchObject({ code: 0, stderr: '' });
    await own.close();
  });
});
