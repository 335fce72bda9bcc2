import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Application } from './application.entity.js';

const CLIENT_ID_BYTES = 15;
const SECRET_BYTES = 32;

/** It names an application to everybody, and is no secret. */
export const makeClientId = (): string => `app_${randomBytes(CLIENT_ID_BYTES).toString('base64url')}`;
export const isClientId = (text: string): boolean => /^app_[\w-]{20}$/.test(text);
export const makeClientSecret = (): string => `cs_${randomBytes(SECRET_BYTES).toString('base64url')}`;

/** Secrets are random, so a plain hash keeps them as well as a slow one would. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Whether a secret is one of those with these hashes; it takes as long whichever it is. */
export function isSecretOf(secret: string, hashes: readonly Buffer[]): boolean {
  const given = hashSecret(secret);
  return hashes.reduce((found, hash) => timingSafeEqual(given, hash) || found, false);
}

/** The hashes of an application's secret, and of the one before it until its overlap ends. */
export function secretsInForce(
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
