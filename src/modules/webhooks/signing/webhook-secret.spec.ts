import { createHmac, createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { hintOf, makeSecret, makeSigningSecret, secretBoundTo, signatureOf, signingKey } from './webhook-secret.js';

const now = Math.floor(Date.now() / 1000);
const sentAt = new Date(now * 1000);
const headersOf = (id: string, signature: string) => ({
  'webhook-id': id,
  'webhook-timestamp': String(now),
  'webhook-signature': signature,
});

/** The signature as the specification defines it, without the library. */
const hmacOf = (secret: string, id: string, body: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${now}.${body}`)
    .digest('base64')}`;

describe('a signing secret', () => {
  it('is whsec_ and 32 random bytes in base64, and its hint is its end', () => {
    const secrets = Array.from({ length: 100 }, makeSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
      expect(hintOf({ secret, publicKey: null })).toBe(secret.slice(-4));
    }
    expect(new Set(secrets).size).toBe(secrets.length);
  });

  it('is stored bound to its endpoint', () => {
    expect(secretBoundTo('a')).not.toBe(secretBoundTo('b'));
  });
});

describe('a signature', () => {
  it('matches the example of the Standard Webhooks specification', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', sentAt: new Date(1614265330_000), body: '{"test": 2432232314}' };
    expect(signatureOf(message, [signingKey(secret)])).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('of any body is the specified HMAC and is verified by the library; that of a changed message is not', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.json(), (id, body) => {
        const [secret, other] = [makeSecret(), makeSecret()];
        const signature = signatureOf({ id, sentAt, body }, [signingKey(secret)]);
        expect(signature).toBe(hmacOf(secret, id, body));
        const headers = headersOf(id, signature);
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

  it('is made with each of several secrets, and each of them verifies it', () => {
    const secrets = [makeSecret(), makeSecret()];
    const signature = signatureOf(
      { id: 'x', sentAt, body: '{}' },
      secrets.map((secret) => signingKey(secret)),
    );
    expect(signature).toBe(secrets.map((secret) => hmacOf(secret, 'x', '{}')).join(' '));
    for (const secret of secrets) expect(new Webhook(secret).verify('{}', headersOf('x', signature))).toEqual({});
  });

  it('is no longer made with a secret from the moment it expires', () => {
    const [current, previous] = [makeSecret(), makeSecret()];
    const keys = [signingKey(current), signingKey(previous, sentAt)];
    const signed = (time: number) => signatureOf({ id: 'x', sentAt: new Date(time), body: '{}' }, keys).split(' ');
    expect(signed(sentAt.getTime() - 1)).toHaveLength(2);
    expect(signed(sentAt.getTime())).toEqual([hmacOf(current, 'x', '{}')]);
  });

  it('covers the body in UTF-8', () => {
    const secret = makeSecret();
    const body = '{"name":"Büro 😀"}';
    const signature = signatureOf({ id: 'x', sentAt, body }, [signingKey(secret)]);
    expect(new Webhook(secret).verify(Buffer.from(body), headersOf('x', signature))).toEqual({ name: 'Büro 😀' });
  });
});

describe('a pair of keys', () => {
  /** Verifies as the specification says, from nothing but the published key. */
  function isVerified(publicKey: string, id: string, body: string, signature: string): boolean {
    const key = createPublicKey({
      // The prefix of every Ed25519 key in the form of RFC 8410.
      key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(publicKey.replace('whpk_', ''), 'base64')]),
      format: 'der',
      type: 'spki',
    });
    const [version, encoded] = signature.split(',');
    return version === 'v1a' && verify(null, Buffer.from(`${id}.${now}.${body}`), key, Buffer.from(encoded!, 'base64'));
  }

  it('is whsk_ with both keys and whpk_ with 32 bytes, and its hint is the end of the public key', () => {
    const made = makeSigningSecret('ed25519');
    expect(made.secret).toMatch(/^whsk_[A-Za-z0-9+/]{86}==$/);
    expect(made.publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(made.secret.slice(5), 'base64').subarray(32)).toEqual(Buffer.from(made.publicKey!.slice(5), 'base64'));
    expect(hintOf(made)).toBe(made.publicKey!.slice(-4));
    expect(makeSigningSecret('ed25519').publicKey).not.toBe(made.publicKey);
  });

  it('signs any body so that the public key verifies it, and no other message or key', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.json(), (id, body) => {
        const { secret, publicKey } = makeSigningSecret('ed25519');
        const signature = signatureOf({ id, sentAt, body }, [signingKey(secret)]);
        expect(isVerified(publicKey!, id, body, signature)).toBe(true);
        expect(isVerified(publicKey!, id, `${body} `, signature)).toBe(false);
        expect(isVerified(publicKey!, `${id}x`, body, signature)).toBe(false);
        expect(isVerified(makeSigningSecret('ed25519').publicKey!, id, body, signature)).toBe(false);
      }),
      { numRuns: 25 },
    );
  });

  it('signs beside a secret while one replaces the other, and each is verified', () => {
    const [pair, secret] = [makeSigningSecret('ed25519'), makeSecret()];
    const signature = signatureOf({ id: 'x', sentAt, body: '{}' }, [signingKey(pair.secret), signingKey(secret)]);
    expect(isVerified(pair.publicKey!, 'x', '{}', signature.split(' ')[0]!)).toBe(true);
    expect(new Webhook(secret).verify('{}', headersOf('x', signature))).toEqual({});
  });
});
