import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { Secrets } from '../../../src/store/secrets/secrets.js';
import { secretBoundTo } from '../../../src/modules/webhooks/signing/webhook-secret.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { memoryLog } from '../../support/memory-log.js';
import { expectFieldErrors } from '../../support/problem.js';
import { aWebhook, WEBHOOKS, webhookInput, type Webhook } from '../../support/webhooks.js';

const DAY_MS = 86_400_000;
const aKey = (): string => randomBytes(32).toString('base64');
const [oldKey, newKey] = [aKey(), aKey()];

const memory = memoryLog();
let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url, ENCRYPTION_KEY: oldKey }, memory.log);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const aClient = async (): Promise<Client> => new Client(app.url, (await aTenant(app)).key);
const at = ({ id }: Webhook): string => `${WEBHOOKS}/${id}`;

/** The whole database as text; bytes are decoded as latin1. */
async function dump(): Promise<string> {
  const tables = await rowsOf<{ name: string }>(
    database.url,
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  const rows = await Promise.all(tables.map(({ name }) => rowsOf<object>(database.url, `SELECT * FROM "${name}"`)));
  return JSON.stringify(rows, (_key, value: unknown) => (isBytes(value) ? Buffer.from(value.data).toString('latin1') : value));
}
const isBytes = (value: unknown): value is { data: number[] } => (value as { type?: string } | null)?.type === 'Buffer';

it('a secret is whsec_ and 32 random bytes, and is returned once', async () => {
  const api = await aClient();
  const webhook = await aWebhook(api);
  expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(Buffer.from(webhook.secret!.slice(6), 'base64')).toHaveLength(32);
  expect((await aWebhook(api)).secret).not.toBe(webhook.secret);
  const others = [
    await api.get(WEBHOOKS),
    await api.get(at(webhook)),
    await api.patch(at(webhook), { name: 'Renamed' }),
    await api.patch(at(webhook), {}),
    await api.get(`${at(webhook)}/deliveries`),
  ];
  for (const { status, text } of others) {
    expect(status).toBe(200);
    expect(text).not.toContain('"secret"');
    expect(text).not.toContain(webhook.secret);
  }
});

it('a secret is returned again, byte for byte, when the request that created it is replayed', async () => {
  const api = await aClient();
  const again = { 'Idempotency-Key': newId() };
  const first = await api.post(WEBHOOKS, webhookInput(), again);
  const replay = await api.post(WEBHOOKS, webhookInput(), again);
  expect([replay.status, replay.text, replay.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
  expect(replay.text).toContain('whsec_');
  const rotate = { 'Idempotency-Key': newId() };
  const rotated = await api.patch(at(first.body as Webhook), { rotateSecret: true }, rotate);
  expect((await api.patch(at(first.body as Webhook), { rotateSecret: true }, rotate)).text).toBe(rotated.text);
});

it('a secret is rotated: the new one is returned once, and the old one stays valid for 24 hours', async () => {
  const api = await aClient();
  const webhook = await aWebhook(api);
  const start = Date.now();
  const rotated = (await api.patch(at(webhook), { rotateSecret: true })).body as Webhook;
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(webhook.secret);
  expect(rotated.secretHint).toBe(rotated.secret!.slice(-4));
  const until = Date.parse(rotated.previousSecretExpiresAt!);
  expect(until).toBeGreaterThanOrEqual(start + DAY_MS);
  expect(until).toBeLessThanOrEqual(Date.now() + DAY_MS);
  const later = (await api.patch(at(webhook), { name: 'Renamed' })).body as Webhook;
  expect([later.secret, later.secretHint, later.previousSecretExpiresAt]).toEqual([
    undefined,
    rotated.secretHint,
    rotated.previousSecretExpiresAt,
  ]);
});

it('a secret is rotated only by `rotateSecret: true`, and never by a create request', async () => {
  const api = await aClient();
  const webhook = await aWebhook(api);
  for (const rotateSecret of [false, 'true', 1, null, {}])
    expectFieldErrors(await api.patch(at(webhook), { rotateSecret }), 'body rotateSecret');
  expectFieldErrors(await api.post(WEBHOOKS, webhookInput({ rotateSecret: true })), 'body rotateSecret unknown_property');
  expect((await api.get(at(webhook))).body).toMatchObject({ secretHint: webhook.secretHint, previousSecretExpiresAt: null });
});

it('a secret is nowhere in plain text: neither in the database, with stored responses and audit entries, nor in the log', async () => {
  const api = await aClient();
  const webhook = await aWebhook(api);
  const { secret } = (await api.patch(at(webhook), { rotateSecret: true })).body as Webhook;
  await api.post('/v1/claim-projects', { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
  await api.send('DELETE', at(webhook), undefined);
  const found = `${await dump()}\n${memory.text()}`;
  expect(found).toContain(webhook.id);
  for (const known of [webhook.secret!, secret!]) {
    const bytes = Buffer.from(known.slice(6), 'base64');
    for (const form of [known, known.slice(6), bytes.toString('latin1'), bytes.toString('hex'), bytes.toString('base64url')])
      expect(found).not.toContain(form);
  }
});

it('a secret appears in audit entries by its last characters only, which say that it was rotated', async () => {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  const webhook = await aWebhook(api);
  const rotated = (await api.patch(at(webhook), { rotateSecret: true })).body as Webhook;
  await api.send('DELETE', at(webhook), undefined);
  const rows = await rowsOf<{ action: string; actor_type: string; changes: object }>(
    database.url,
    `SELECT action, actor_type, changes FROM audit_entries WHERE organization_id = $1 AND resource_id = $2 ORDER BY ordinal`,
    [organization.id, webhook.id],
  );
  expect(rows.map(({ action, actor_type: actor }) => [action, actor])).toEqual([
    ['webhook.created', 'api'],
    ['webhook.updated', 'api'],
    ['webhook.deleted', 'api'],
  ]);
  expect(rows[1]!.changes).toEqual({
    secretHint: { from: webhook.secretHint, to: rotated.secretHint },
    previousSecretExpiresAt: { from: null, to: rotated.previousSecretExpiresAt },
    secretRotated: { from: false, to: true },
  });
  expect(JSON.stringify(rows)).not.toContain('whsec_');
});

it('a secret can be decrypted after a change of ENCRYPTION_KEY that still lists the old key, and not without it', async () => {
  const { key } = await aTenant(app);
  const api = new Client(app.url, key);
  const again = { 'Idempotency-Key': newId() };
  const first = await api.post(WEBHOOKS, webhookInput(), again);
  const webhook = first.body as Webhook;
  const stored = async () =>
    (await rowsOf<{ secret: Buffer }>(database.url, 'SELECT secret FROM webhook_endpoints WHERE id = $1', [webhook.id]))[0]!.secret;
  const later = await startApp({ DATABASE_URL: database.url, ENCRYPTION_KEY: `${newKey},${oldKey}` });
  expect(later.app.get(Secrets).decrypt(await stored(), secretBoundTo(webhook.id))).toBe(webhook.secret);
  expect((await new Client(later.url, key).post(WEBHOOKS, webhookInput(), again)).text).toBe(first.text);
  const rotated = (await new Client(later.url, key).patch(at(webhook), { rotateSecret: true })).body as Webhook;
  await later.close();
  const last = await startApp({ DATABASE_URL: database.url, ENCRYPTION_KEY: newKey });
  expect(last.app.get(Secrets).decrypt(await stored(), secretBoundTo(webhook.id))).toBe(rotated.secret);
  expect(await new Client(last.url, key).post(WEBHOOKS, webhookInput(), again)).toMatchObject({ status: 500 });
  await last.close();
});
