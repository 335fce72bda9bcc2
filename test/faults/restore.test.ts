import { afterAll, beforeAll, expect, it } from 'vitest';
import { Webhooks } from '../../client/src/webhooks.js';
import { newId } from '../../src/kernel/ids.js';
import { AuditService, type ChainHead } from '../../src/modules/audit/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { aKey, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { runClaims, startProcess } from '../support/process.js';
import { Receiver } from '../support/receiver.js';
import { RecoverableDatabase } from '../support/recoverable.js';
import { aWebhook } from '../support/webhooks.js';

const ENV = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
const PROJECT = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let database: RecoverableDatabase;
let receiver: Receiver;
let app: TestApp;
/** On the restored database. */
let restored: TestApp;
let restoredUrl: string;
let organizationId: string;
let [keyBefore, keyAfter] = ['', ''];
let head: ChainHead;
let headAfter: ChainHead;
let deliveryId: unknown;
const idempotencyKey = newId();
let idAfter: string;
let secret: string | undefined;

const create = (api: Client, name: string, key = newId()) =>
  api.post('/v1/claim-projects', { ...PROJECT, name }, { 'Idempotency-Key': key });

/** Starts a worker, and returns the `webhook-id` of the next delivery at the receiver. */
async function nextDelivery(url: string): Promise<unknown> {
  const count = receiver.received.length;
  const worker = await startProcess({ DATABASE_URL: url, ROLE: 'worker', ...ENV });
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(count));
  await worker.stop();
  return receiver.received[count]!.headers['webhook-id'];
}

beforeAll(async () => {
  [database, receiver] = await Promise.all([RecoverableDatabase.start(), Receiver.start()]);
  // It sends nothing, so that a delivery is pending.
  app = await startApp({ DATABASE_URL: database.url, ROLE: 'api', ...ENV });
  const tenant = await aTenant(app);
  [organizationId, keyBefore] = [tenant.organization.id, tenant.key];
  await database.backUp();

  const api = new Client(app.url, keyBefore);
  ({ secret } = await aWebhook(api, { targetUrl: receiver.url, subscribedEvents: ['claim_project.created'] }));
  expect((await create(api, 'Before')).status).toBe(201);
  head = await app.app.get(AuditService).sealedHead(organizationId);
  await database.mark('agreed');

  deliveryId = await nextDelivery(database.url);
  ({ key: keyAfter } = await aKey(app, organizationId));
  const made = await create(new Client(app.url, keyAfter), 'After', idempotencyKey);
  expect(made.status).toBe(201);
  idAfter = made.body.id as string;
  headAfter = await app.app.get(AuditService).sealedHead(organizationId);

  restoredUrl = await database.restore('agreed');
  restored = await startApp({ DATABASE_URL: restoredUrl, ROLE: 'api', ...ENV });
});
afterAll(async () => {
  await restored?.close();
  await app?.close();
  await Promise.all([database?.stop(), receiver?.close()]);
});

/** `claims audit verify` on the restored database, as an operator runs it. */
const verify = ({ sequence, hash }: ChainHead) =>
  runClaims(['audit', 'verify', '--org', organizationId, '--head', `${sequence}:${hash}`], { DATABASE_URL: restoredUrl });

it('`claims audit verify` finds the chain whole, with the head of then, and says what is missing up to a later head', async () => {
  const { code, stdout } = await verify(head);
  // A checkpoint is signed once a minute.
  const checked = stdout.replace(/^agree \d+ signed checkpoints\n/m, '');
  expect([code, checked]).toEqual([0, `rows  ${head.sequence}\nhead  ${head.sequence}:${head.hash}\nok\n`]);
  const later = await verify(headAfter);
  expect(later.code).toBe(1);
  expect(later.stdout).toContain('bad ');
});

it('keys made since then are refused, and those of before work', async () => {
  expect((await new Client(restored.url, keyAfter).get('/v1/claim-projects')).status).toBe(401);
  const { body } = await new Client(restored.url, keyBefore).get('/v1/claim-projects');
  expect((body.data as { name: string }[]).map(({ name }) => name)).toEqual(['Before']);
});

it('deliveries that were pending then are sent again, with the same id, and signed with the same secret', async () => {
  const [sent, again] = [receiver.received.length, await nextDelivery(restoredUrl)];
  expect(again).toBe(deliveryId);
  const { body, headers } = receiver.received[sent]!;
  expect(await Webhooks.verify(body, headers, secret!)).toMatchObject({ type: 'claim_project.created' });
  expect(receiver.received.length).toBe(sent + 1);
  const [pending] = await rowsOf<{ count: number }>(
    restoredUrl,
    "SELECT count(*)::int AS count FROM webhook_deliveries WHERE status = 'pending'",
  );
  expect(pending).toEqual({ count: 0 });
});

it('a write since then is made anew when it is repeated with its key', async () => {
  const again = await create(new Client(restored.url, keyBefore), 'After', idempotencyKey);
  expect(again.status).toBe(201);
  expect(again.body.id).not.toBe(idAfter);
});
