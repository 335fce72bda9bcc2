import { createHash, randomBytes } from 'node:crypto';

/** How long an invitation can be accepted. */
export const INVITATION_DAYS = 7;

/** Lets secret scanners recognize a token. */
const PREFIX = 'invite_';

export const makeToken = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
