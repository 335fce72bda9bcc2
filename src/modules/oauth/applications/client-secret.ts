import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Application } from './application.entity.js';

const CLIENT_ID_BYTES = 15;
const SECRET_BYTES = 32;

/** A client id is public. */
export const makeClientId = (): string => `app_${randomBytes(CLIENT_ID_BYTES).toString('base64url')}`;
export const isClientId = (text: string): boolean => /^app_[\w-]{20}$/.test(text);
export const makeClientSecret = (): string => `cs_${randomBytes(SECRET_BYTES).toString('base64url')}`;

/** A fast hash is enough, because secrets are random and not chosen by people. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Whether the secret has one of these hashes. Takes equally long for each of them. */
export function isSecretOf(secret: string, hashes: readonly Buffer[]): boolean {
  const given = hashSecret(secret);
  return hashes.reduce((found, hash) => timingSafeEqual(given, hash) || found, false);
}

export function validSecretHashes(
  {
    secretHash,
    previousSecretHash,
    previousSecretExpiresAt,
  }: Pick<Application, 'secretHash' | 'previousSecretHash' | 'previousSecretExpiresAt'>,
  now: Date,
): Buffer[] {
  const isOverlap = previousSecretExpiresAt !== null && now < new Date(previousSecretExpiresAt);
  return [secretHash, isOverlap ? previousSecretHash : null].filter((hash) => hash !== null);
}
