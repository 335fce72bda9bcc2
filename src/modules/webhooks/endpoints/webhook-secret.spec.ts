import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { hintOf, makeSecret, secretPlace, signatureOf } from './webhook-secret.js';

const now = Math.floor(Date.now() / 1000);
const headersOf = (id: string, timestamp: number, signature: string) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
});

describe('a signing secret', () => {
  it('is whsec_ and 32 bytes in base64, another one each time, and hinted at by its end', () => {
    const secrets = Array.from({ length: 100 }, makeSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
      expect(hintOf(secret)).toBe(secret.slice(-4));
    }
    expect(new Set(secrets).size).toBe(secrets.length);
  });

  it('is kept in a place of its endpoint alone', () => {
    expect(secretPlace('a')).not.toBe(secretPlace('b'));
  });
});

describe('a signature', () => {
  it('is the one of the Standard Webhooks specification', () => {
    // The example that the specification gives.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };
    expect(signatureOf(message, [secret])).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('of any body is verified by the library, and of a changed one is not', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.json(), (id, body) => {
        const [secret, other] = [makeSecret(), makeSecret()];
        const headers = headersOf(id, now, signatureOf({ id, timestamp: now, body }, [secret]));
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
        for (const verify of [
          () => new Webhook(other).verify(body, headers),
          () => new Webhook(secret).verify(`${body} `, headers),
          () => new Webhook(secret).verify(body, { ...headers, 'webhook-id': `${id}x` }),
        ])
          expect(verify).toThrow();
      }),
      { numRuns: 50 },
    );
  });

  it('is made with each of several secrets, and any of them verifies', () => {
    const secrets = [makeSecret(), makeSecret()];
    const signature = signatureOf({ id: 'x', timestamp: now, body: '{}' }, secrets);
    expect(signature.split(' ')).toHaveLength(2);
    for (const secret of secrets) expect(new Webhook(secret).verify('{}', headersOf('x', now, signature))).toEqual({});
    expect(signature.split(' ')[0]).toBe(
      `v1,${createHmac('sha256', Buffer.from(secrets[0]!.slice(6), 'base64'))
        .update(`x.${now}.{}`)
        .digest('base64')}`,
    );
  });

  it('covers the bytes of the body, in UTF-8', () => {
    const secret = makeSecret();
    const body = '{"name":"Büro 😀"}';
    expect(
      new Webhook(secret).verify(Buffer.from(body), headersOf('x', now, signatureOf({ id: 'x', timestamp: now, body }, [secret]))),
    ).toEqual({ name: 'Büro 😀' });
  });
});
