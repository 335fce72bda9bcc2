import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

const PREFIX = 'whsec_';
const HINT_LENGTH = 4;

/** A signing secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const makeSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

/** What a stored secret is bound to: it decrypts for its own endpoint only. */
export const secretBoundTo = (webhookId: string): string => `webhook ${webhookId}`;

/** The same for the headers of its own. */
export const headersBoundTo = (webhookId: string): string => `webhook headers ${webhookId}`;

export const hintOf = (secret: string): string => secret.slice(-HINT_LENGTH);

/** A secret that is ready to sign with. Decoding it costs time, so a key is made once for many messages. */
export interface SigningKey {
  readonly key: KeyObject;
  /** undefined: it does not expire. */
  readonly expiresAt?: Date;
}

export const signingKey = (secret: string, expiresAt?: Date): SigningKey => ({
  key: createSecretKey(secret.slice(PREFIX.length), 'base64'),
  expiresAt,
});

interface Message {
  readonly id: string;
  readonly sentAt: Date;
  readonly body: string;
}

/** The signatures of a message under all keys that have not expired, separated by spaces. */
export function signatureOf({ id, sentAt, body }: Message, keys: readonly SigningKey[]): string {
  return keys
    .filter(({ expiresAt }) => expiresAt === undefined || sentAt < expiresAt)
    .map(({ key }) => signed(key, `${id}.${Math.floor(sentAt.getTime() / 1000)}.${body}`))
    .join(' ');
}

/** The library that receivers use takes 15 times as long: a large event for many endpoints would hold up the process. */
const signed = (key: KeyObject, text: string): string => `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
