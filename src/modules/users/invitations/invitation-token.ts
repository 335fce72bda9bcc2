import { createHash, randomBytes } from 'node:crypto';
import { API_NAME } from '../../../kernel/product.js';
import type { Mail } from './mailer.js';

/** So long an invitation is open. */
export const INVITATION_DAYS = 7;

/** By its beginning the log of requests knows what it must not hold. */
const PREFIX = 'invite_';

export const makeToken = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export function invitationMail(to: string, link: string): Mail {
  const text = `You are invited to ${API_NAME}. Choose your password within ${INVITATION_DAYS} days:\n\n${link}\n\nThe link can be used once. If you did not expect this mail, you need not do anything.\n`;
  return { to, subject: `Your invitation to ${API_NAME}`, text };
}
