import { generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { describe, expect, it } from 'vitest';
import { readPublicKeys } from './public-keys.js';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (key: KeyObject) => key.export({ type: key.type === 'public' ? 'spki' : 'pkcs8', format: 'pem' }).toString();
const jwk = (key: KeyObject, more: object = {}): JsonWebKey => ({ ...key.export({ format: 'jwk' }), ...more });
const setOf = (...keys: JsonWebKey[]) => JSON.stringify({ keys });

describe('the public keys of an application', () => {
  it.each([
    ['PEM', pem(ec.publicKey)],
    ['a JWK', JSON.stringify(jwk(ec.publicKey))],
    ['a set of JWKs', setOf(jwk(ec.publicKey))],
  ])('are read from %s, and named by their thumbprint', async (_form, text) => {
    const members = jwk(ec.publicKey);
    expect(readPublicKeys(text)).toEqual({ keys: [{ ...members, kid: await calculateJwkThumbprint(members as never) }] });
  });

  it('keep their own names', () => {
    expect(readPublicKeys(setOf(jwk(ec.publicKey, { kid: 'june' }))).keys[0]!.kid).toBe('june');
  });

  it.each(['rsa', 'ed25519'] as const)('can be for %s', (type) => {
    const { publicKey } = generateKeyPairSync(type as 'rsa', { modulusLength: 2048 });
    expect(readPublicKeys(pem(publicKey)).keys).toHaveLength(1);
  });

  it.each([
    ['a private key in PEM', pem(ec.privateKey), /is a private key/],
    ['a private JWK', JSON.stringify(jwk(ec.privateKey)), /is a private key/],
    ['a secret', JSON.stringify({ kty: 'oct', k: 'c2VjcmV0' }), /is a private key/],
    ['another text', 'a key', /must be a public key in PEM/],
    ['JSON that is no key', '{"kty":"EC"}', /must be a public key in PEM/],
    ['a list that is none', '{"keys":1}', /must be a set of JWKs/],
    ['no key', setOf(), /must have 1 to 5 keys/],
    ['six keys', setOf(...[1, 2, 3, 4, 5, 6].map((n) => jwk(ec.publicKey, { kid: String(n) }))), /must have 1 to 5 keys/],
    ['two keys of one name', setOf(jwk(ec.publicKey), jwk(ec.publicKey)), /two keys with the same kid/],
    ['a short RSA key', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey), /must be for ES256/],
    ['another curve', pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey), /must be for ES256/],
  ])('are not %s', (_what, text, message) => {
    expect(() => readPublicKeys(text)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
    expect(() => readPublicKeys(text)).toThrow(
      expect.objectContaining({
        errors: [expect.objectContaining({ field: 'publicKeys', message: expect.stringMatching(message) as string })],
      }),
    );
  });
});
