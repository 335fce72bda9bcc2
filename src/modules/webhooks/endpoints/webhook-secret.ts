import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const HINT_LENGTH = 4;

/** A signing secret as Standard Webhooks has it: 32 random bytes. */
export const makeSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

/** What a stored secret is bound to. */
export const secretPlace = (webhookId: string): string => `webhook ${webhookId}`;

export const hintOf = (secret: string): string => secret.slice(-HINT_LENGTH);

interface Message {
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** The signature of a message under each of the secrets, separated by spaces. */
export function signatureOf({ id, timestamp, body }: Message, secrets: readonly string[]): string {
  const content = `${id}.${timestamp}.${body}`;
  return secrets
    .map(
      (secret) =>
        `v1,${createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
          .update(content)
          .digest('base64')}`,
    )
    .join(' ');
}
