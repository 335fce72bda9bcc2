import { createPublicKey, verify } from 'node:crypto';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { secretBoundTo } from '../../../src/modules/webhooks/signing/webhook-secret.js';
import { Secrets } from '../../../src/store/secrets/secrets.js';
import { newId } from '../../../src/kernel/ids.js';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { expectFieldErrors } from '../../support/problem.js';
import type { Received } from '../../support/receiver.js';
import { nextDelivery, openHook, startDelivering, WEBHOOKS, webhookInput, type Webhook } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering();
});
afterAll(() => app.close());

/** Which signatures of a delivery a receiver verifies that has nothing but a published key, by the Standard Webhooks specification. */
function verifiedBy(publicKey: string | null, { headers, body }: Received): boolean[] {
  const x = Buffer.from(publicKey!.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.from(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`);
  return String(headers['webhook-signature'])
    .split(' ')
    .map((one) => one.split(','))
    .map(([version, signature]) => version === 'v1a' && verify(null, signed, key, Buffer.from(signature!, 'base64')));
}

const hmacVerifies = (secret: string, { headers, body }: Received): boolean => {
  try {
    new Verifier(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

it('an endpoint with ed25519 has a public key, which verifies its deliveries, and no secret', async () => {
  const hook = await openHook(app, { signature: 'ed25519' });
  const { publicKey, secretHint } = hook.webhook;
  expect(hook.webhook).not.toHaveProperty('secret');
  expect(publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
  expect(secretHint).toBe(publicKey!.slice(-4));
  expect(await hook.current()).toMatchObject({ signature: 'ed25519', publicKey });
  const received = await nextDelivery(hook);
  expect(verifiedBy(publicKey, received)).toEqual([true]);
  expect(received.headers['x-service-signature']).toBe(received.headers['webhook-signature']);
  expect(verifiedBy(publicKey, { ...received, body: `${received.body} ` })).toEqual([false]);
});

it('a rotation makes a new pair of keys, and both sign for 24 hours', async () => {
  const hook = await openHook(app, { signature: 'ed25519' });
  const { publicKey } = hook.webhook;
  const rotated = await hook.change({ rotateSecret: true });
  expect(rotated.publicKey).not.toBe(publicKey);
  expect(rotated).not.toHaveProperty('secret');
  expect(Date.parse(rotated.previousSecretExpiresAt!)).toBeGreaterThan(Date.now() + 86_000_000);
  const received = await nextDelivery(hook);
  expect([verifiedBy(rotated.publicKey, received), verifiedBy(publicKey, received)]).toEqual([
    [true, false],
    [false, true],
  ]);
});

it('a change of the signature is a rotation: the old kind signs for 24 hours, and a new secret is returned once', async () => {
  const hook = await openHook(app);
  const asymmetric = await hook.change({ signature: 'ed25519' });
  expect(asymmetric).not.toHaveProperty('secret');
  const first = await nextDelivery(hook);
  expect(verifiedBy(asymmetric.publicKey, first)).toEqual([true, false]);
  expect(hmacVerifies(hook.webhook.secret!, first)).toBe(true);
  const symmetric = await hook.change({ signature: 'hmac' });
  expect([symmetric.publicKey, symmetric.secretHint]).toEqual([null, symmetric.secret!.slice(-4)]);
  const second = await nextDelivery(hook);
  expect([hmacVerifies(symmetric.secret!, second), verifiedBy(asymmetric.publicKey, second)]).toEqual([true, [false, true]]);
  expect(await hook.change({ signature: 'hmac' })).not.toHaveProperty('secret');
  expect(await hook.current()).toMatchObject({ updatedAt: symmetric.updatedAt });
});

it('a private key is in no answer, audit entry or column in plain text, also where the request is repeated', async () => {
  const hook = await openHook(app);
  const again = { 'Idempotency-Key': newId() };
  const answers = [
    await hook.api.post(WEBHOOKS, webhookInput({ signature: 'ed25519' }), again),
    await hook.api.post(WEBHOOKS, webhookInput({ signature: 'ed25519' }), again),
  ];
  expect(answers[1]!.text).toBe(answers[0]!.text);
  const { id } = answers[0]!.body as Webhook;
  const [row] = await rowsOf<{ secret: Buffer }>(app.databaseUrl, 'SELECT * FROM webhook_endpoints WHERE id = $1', [id]);
  const kept = app.app.get(Secrets).decrypt(row!.secret, secretBoundTo(id));
  expect(kept).toMatch(/^whsk_/);
  const seed = Buffer.from(kept.slice(5), 'base64').subarray(0, 32);
  const audit = await rowsOf(app.databaseUrl, 'SELECT * FROM audit_entries WHERE resource_id = $1', [id]);
  const found = JSON.stringify([answers, { ...row, secret: row!.secret.toString('latin1') }, audit]);
  expect(found).toContain(id);
  for (const form of ['whsk_', seed.toString('base64').slice(0, 40), seed.toString('latin1'), seed.toString('hex')])
    expect(found).not.toContain(form);
});

it.each(['rsa', '', null, 1])('refuses the signature %j and names the property', async (signature) => {
  const { api } = await openHook(app);
  expectFieldErrors(await api.post(WEBHOOKS, webhookInput({ signature })), 'body signature');
});
