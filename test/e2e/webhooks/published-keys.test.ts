import { calculateJwkThumbprint, importJWK } from 'jose';
import { verify } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import type { TestApp } from '../../support/app.js';
import { Client } from '../../support/client.js';
import { aProject, openHook, startDelivering, untilReceived } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering();
});
afterAll(() => app.close());

interface Key {
  readonly kty: 'OKP';
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
}

const keysOf = async (id: string): Promise<Key[]> =>
  ((await new Client(app.url).get(`/webhooks/${id}/jwks.json`)).body as { keys: Key[] }).keys;

it('a delivery is verified by the key that it names, found without a credential', async () => {
  const hook = await openHook(app, { signature: 'ed25519' });
  await aProject(hook.api);
  await untilReceived(hook.receiver, 1);
  const { headers, body } = hook.receiver.received[0]!;
  const [key, ...others] = await keysOf(hook.webhook.id);
  expect(others).toEqual([]);
  expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid: headers['x-service-key-id'] });
  expect(await calculateJwkThumbprint(key!)).toBe(key!.kid);
  const signed = Buffer.from(`${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${body}`);
  const signature = Buffer.from((headers['webhook-signature'] as string).slice('v1a,'.length), 'base64');
  expect(verify(null, signed, { key, format: 'jwk' } as never, signature)).toBe(true);
  await importJWK(key!, 'EdDSA');
});

it('after a rotation both keys are published, the newest first, and a delivery names both in the order of its signatures', async () => {
  const hook = await openHook(app, { signature: 'ed25519' });
  const [before] = await keysOf(hook.webhook.id);
  await hook.change({ rotateSecret: true });
  const keys = await keysOf(hook.webhook.id);
  expect(keys.map(({ kid }) => kid)).toEqual([expect.not.stringMatching(before!.kid), before!.kid]);
  await aProject(hook.api);
  await untilReceived(hook.receiver, 1);
  const { headers } = hook.receiver.received[0]!;
  expect(headers['x-service-key-id']).toBe(keys.map(({ kid }) => kid).join(' '));
  expect((headers['webhook-signature'] as string).split(' ')).toHaveLength(2);
});

it('an endpoint that signs with a secret publishes nothing, as if it did not exist, and its deliveries name no key', async () => {
  const hook = await openHook(app);
  const anyone = new Client(app.url);
  const answers = await Promise.all([hook.webhook.id, newId(), 'x'].map((id) => anyone.get(`/webhooks/${id}/jwks.json`)));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(new Set(answers.map(({ body }) => (body as { detail: string }).detail)).size).toBe(1);
  await aProject(hook.api);
  await untilReceived(hook.receiver, 1);
  expect(hook.receiver.received[0]!.headers).not.toHaveProperty('x-service-key-id');
});
