import { createHash, createHmac, createPrivateKey, createSecretKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';

/** `hmac`: the receiver has the same secret. `ed25519`: it has the public key only. */
export const SIGNATURES = ['hmac', 'ed25519'] as const;
export type SignatureKind = (typeof SIGNATURES)[number];

// The forms of keys in Standard Webhooks.
const SECRET = 'whsec_';
const PRIVATE_KEY = 'whsk_';
const PUBLIC_KEY = 'whpk_';
const ED25519_BYTES = 32;
const HINT_LENGTH = 4;

/** A signing secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const makeSecret = (): string => `${SECRET}${randomBytes(32).toString('base64')}`;

/** What an endpoint signs with, and what its receiver verifies with. */
export interface SigningSecret {
  readonly secret: string;
  /** null: the receiver needs the secret itself. */
  readonly publicKey: string | null;
}

export function makeSigningSecret(kind: SignatureKind): SigningSecret {
  if (kind === 'hmac') return { secret: makeSecret(), publicKey: null };
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [seed, publicKey] = [Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')];
  return {
    secret: `${PRIVATE_KEY}${Buffer.concat([seed, publicKey]).toString('base64')}`,
    publicKey: `${PUBLIC_KEY}${publicKey.toString('base64')}`,
  };
}

/** What a stored secret is bound to: it decrypts for its own endpoint only. */
export const secretBoundTo = (webhookId: string): string => `webhook ${webhookId}`;

export const headersBoundTo = (webhookId: string): string => `webhook headers ${webhookId}`;

/** The last characters of what the receiver verifies with. */
export const hintOf = ({ secret, publicKey }: SigningSecret): string => (publicKey ?? secret).slice(-HINT_LENGTH);

/** A public key as receivers find it by the id that a delivery names (RFC 7517, 8037). */
export type PublishedKey = Readonly<Record<'kty' | 'crv' | 'x' | 'kid' | 'use' | 'alg', string>>;

/** A secret that is ready to sign with. Decoding it costs time, so a key is made once for many messages. */
export interface SigningKey {
  readonly key: KeyObject;
  readonly expiresAt?: Date | undefined;
  /** Of a pair of keys. */
  readonly published?: PublishedKey;
}

export const signingKey = (secret: string, expiresAt?: Date): SigningKey => ({
  ...(secret.startsWith(PRIVATE_KEY) ? pairOf(secret) : { key: createSecretKey(secret.slice(SECRET.length), 'base64') }),
  expiresAt,
});

function pairOf(secret: string): Pick<SigningKey, 'key' | 'published'> {
  const bytes = Buffer.from(secret.slice(PRIVATE_KEY.length), 'base64');
  const [d, x] = [bytes.subarray(0, ED25519_BYTES), bytes.subarray(ED25519_BYTES)].map((part) => part.toString('base64url'));
  const [kty, crv] = ['OKP', 'Ed25519'];
  // The thumbprint of RFC 7638: these members, in this order.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  const key = createPrivateKey({ key: { kty, crv, d, x } as JsonWebKey, format: 'jwk' });
  return { key, published: { kty, crv, x: x!, kid, use: 'sig', alg: 'EdDSA' } };
}

export const keysAt = (keys: readonly SigningKey[], time: Date): SigningKey[] =>
  keys.filter(({ expiresAt }) => expiresAt === undefined || time < expiresAt);

interface Message {
  readonly id: string;
  readonly sentAt: Date;
  readonly body: string;
}

/** The signatures of a message under all keys that have not expired, separated by spaces. */
export function signatureOf({ id, sentAt, body }: Message, keys: readonly SigningKey[]): string {
  return keysAt(keys, sentAt)
    .map(({ key }) => signed(key, `${id}.${Math.floor(sentAt.getTime() / 1000)}.${body}`))
    .join(' ');
}

/** The library that receivers use takes 15 times as long: a large event for many endpoints would hold up the process. */
const signed = (key: KeyObject, text: string): string =>
  key.type === 'secret'
    ? `v1,${createHmac('sha256', key).update(text).digest('base64')}`
    : `v1a,${sign(null, Buffer.from(text), key).toString('base64')}`;
