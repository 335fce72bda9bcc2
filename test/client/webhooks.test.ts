import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { Headers as UndiciHeaders } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Webhooks, WebhookError, type ClaimsEvent } from '../../client/src/index.js';
import type { TestApp } from '../support/app.js';
import { aProject, openHook, startDelivering, untilReceived } from '../support/webhooks.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const BODY = JSON.stringify({ id: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21', type: 'claim_project.created', data: { name: 'Büro “7”' } });

const mistakeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    (error: unknown) => (error instanceof WebhookError ? error.mistake : String(error)),
  );

describe("Standard Webhooks' own example", () => {
  // Of its specification and of the tests of its libraries.
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const body = '{"test": 2432232314}';
  const now = new Date(1614265330_000);

  it('verifies, with and without the prefix of the secret', async () => {
    expect(await Webhooks.verify(body, headers, SECRET, { now })).toEqual({ test: 2432232314 });
    expect(await Webhooks.verify(body, headers, SECRET.replace('whsec_', ''), { now })).toEqual({ test: 2432232314 });
  });

  it('is what sign makes', async () => {
    expect(await Webhooks.sign(body, SECRET, { id: headers['webhook-id'], timestamp: now })).toMatchObject(headers);
  });

  it.each([
    ['the time is too old', { now: new Date(1614265330_000 + 301_000) }, {}, 'clock'],
    ['the time is too new', { now: new Date(1614265330_000 - 301_000) }, {}, 'clock'],
    ['the time is no number', { now }, { 'webhook-timestamp': 'soon' }, 'clock'],
    ['the id is missing', { now }, { 'webhook-id': '' }, 'header_missing'],
    ['the time is missing', { now }, { 'webhook-timestamp': '' }, 'header_missing'],
    ['the signature is missing', { now }, { 'webhook-signature': '' }, 'header_missing'],
    ['the signature has no version', { now }, { 'webhook-signature': 'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' }, 'signature_wrong'],
    [
      'the signature is of another version',
      { now },
      { 'webhook-signature': headers['webhook-signature'].replace('v1', 'v2') },
      'signature_wrong',
    ],
    ['the signature is cut off', { now }, { 'webhook-signature': 'v1,g0hM9SsE' }, 'signature_wrong'],
    ['the id is another', { now }, { 'webhook-id': 'msg_other' }, 'signature_wrong'],
  ])('is refused when %s', async (_what, options, changed, mistake) => {
    expect(await mistakeOf(Webhooks.verify(body, { ...headers, ...changed }, SECRET, options))).toBe(mistake);
  });

  it('verifies when one of several signatures fits', async () => {
    const several = `v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v2,Ceo5 ${headers['webhook-signature']} v1,x`;
    expect(await mistakeOf(Webhooks.verify(body, { ...headers, 'webhook-signature': several }, SECRET, { now }))).toBe('none');
  });
});

describe('the classic mistakes', () => {
  it('a body that was parsed is named', async () => {
    const headers = await Webhooks.sign(BODY, SECRET);
    expect(await mistakeOf(Webhooks.verify(JSON.parse(BODY), headers, SECRET))).toBe('parsed_body');
  });

  it('a body that was parsed and written again does not verify, and the message says why', async () => {
    const spaced = JSON.stringify(JSON.parse(BODY), null, 1);
    await expect(Webhooks.verify(spaced, await Webhooks.sign(BODY, SECRET), SECRET)).rejects.toThrow(/raw/);
  });

  it('a wrong secret is named, and no message repeats a secret', async () => {
    const error = (await Webhooks.verify(BODY, await Webhooks.sign(BODY, SECRET), OTHER).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toMatch(/secret is that of another endpoint/);
    expect(error.stack).not.toContain(OTHER.slice(6));
  });

  it.each(['', 'whsec_', 'not a secret!', 'whpk_AAAA'])('the secret %j is refused', async (secret) => {
    expect(await mistakeOf(Webhooks.verify(BODY, await Webhooks.sign(BODY, SECRET), secret))).toBe('secret_invalid');
  });

  it('no secret at all is refused', async () => {
    expect(await mistakeOf(Webhooks.verify(BODY, await Webhooks.sign(BODY, SECRET), []))).toBe('secret_invalid');
  });
});

describe('the headers', () => {
  it('can be those of Fetch, those of Node, and of any case', async () => {
    const headers = await Webhooks.sign(BODY, SECRET);
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const given of [headers, new Headers(headers), new UndiciHeaders(headers), upper])
      expect(await mistakeOf(Webhooks.verify(BODY, given, SECRET))).toBe('none');
  });

  it('can be those of ours alone', async () => {
    const { 'x-service-timestamp': time, 'x-service-signature': signature } = await Webhooks.sign(BODY, SECRET);
    const ours = { 'X-Service-Timestamp': time, 'X-Service-Signature': signature };
    expect(await Webhooks.verify(BODY, ours, SECRET)).toEqual(JSON.parse(BODY));
  });
});

describe('any delivery', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });
  const secrets = fc.uint8Array({ minLength: 24, maxLength: 64 }).map((key) => `whsec_${Buffer.from(key).toString('base64')}`);

  it('that sign has made verifies, here and with the library of Standard Webhooks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), secrets, fc.uuid(), async (body, secret, id) => {
        const headers = await Webhooks.sign(body, secret, { id });
        expect(await mistakeOf(Webhooks.verify(Buffer.from(body), headers, [OTHER, secret]))).toBe(
          JSON.parse(body) ? 'none' : 'body_invalid',
        );
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      }),
    );
  });

  it('of which one byte has changed does not verify', async () => {
    const headers = await Webhooks.sign(BODY, SECRET);
    const raw = Buffer.from(BODY);
    await fc.assert(
      fc.asyncProperty(fc.nat(raw.length - 1), fc.integer({ min: 1, max: 255 }), async (place, change) => {
        const changed = Buffer.from(raw);
        changed[place]! ^= change;
        expect(await mistakeOf(Webhooks.verify(changed, headers, SECRET))).toBe('signature_wrong');
      }),
    );
  });

  it('with any text as its headers is an error of ours, never another', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.string(), fc.string(), async (body, timestamp, signature) => {
        const headers = { 'webhook-id': 'x', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
        expect(['clock', 'header_missing', 'signature_wrong']).toContain(await mistakeOf(Webhooks.verify(body, headers, SECRET)));
      }),
    );
  });
});

describe('deliveries of the service', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startDelivering();
  });
  afterAll(() => app.close());

  /** What an event is about, read by its type. */
  function told(event: ClaimsEvent): string | undefined {
    switch (event.type) {
      case 'claim_project.created':
        return event.data?.periodStart;
      case 'claim_report.failed':
        return event.data?.failure?.code;
      default:
        return event.type;
    }
  }

  it.each(['hmac', 'ed25519'])('verify with what the API returns (%s), and are typed by their kind', async (signature) => {
    const { api, receiver, webhook } = await openHook(app, { signature });
    const { name } = await aProject(api);
    await untilReceived(receiver, 1);
    const { body, headers } = receiver.received[0]!;
    const event = await Webhooks.verify(body, headers, webhook.secret ?? webhook.publicKey!);
    expect(event).toMatchObject({ type: 'claim_project.created', environment: 'test', data: { name } });
    expect(told(event)).toBe('2026-01-01');
    expect(await mistakeOf(Webhooks.verify(body, headers, OTHER))).toBe('signature_wrong');
    await receiver.close();
  });

  it('verify with the old and the new secret while the secret is being changed', async () => {
    const { api, receiver, webhook, change } = await openHook(app);
    const { secret } = await change({ rotateSecret: true });
    await aProject(api);
    await untilReceived(receiver, 1);
    const { body, headers } = receiver.received[0]!;
    for (const one of [webhook.secret!, secret!]) expect(await mistakeOf(Webhooks.verify(body, headers, one))).toBe('none');
    await receiver.close();
  });
});
