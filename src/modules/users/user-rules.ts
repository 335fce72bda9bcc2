import type { Actor } from '../../kernel/context.js';
import { brokenConstraint } from '../../store/database/database.js';
import { newId } from '../../kernel/ids.js';
import { Problem } from '../../kernel/problems.js';
import { codePoints, foldText, isStorableText } from '../../kernel/text.js';
import type { User, UserRole } from './user.entity.js';

/** What mail servers take (RFC 5321). */
const EMAIL_MAX = 254;
const NAME_MAX = 200;

/** Somebody who is to become a user. */
export interface NewUser {
  readonly organizationId: string;
  readonly email: string;
  /** When left out: the part of the address before the @. */
  readonly name?: string;
  readonly role: UserRole;
}

export function invalid(field: string, code: string, message: string): Problem {
  return Problem.validation([{ location: 'body', field, code, message }]);
}

export function missing(id: string): never {
  throw new Problem('not_found', { detail: `There is no user ${id}.` });
}

/** One form for all spellings of an address. */
export const emailKeyOf = (email: string): string => foldText(email.trim());

/** A user who cannot sign in yet, with an address and a name that are as they must be. */
export function aNewUser({ organizationId, email: typed, name: given, role }: NewUser, now: string): User {
  const email = typed.trim();
  requireEmail(email);
  const name = given ?? email.slice(0, email.lastIndexOf('@'));
  if (name.trim() === '' || codePoints(name) > NAME_MAX || !isStorableText(name))
    throw invalid('name', 'too_long', `must have 1 to ${NAME_MAX} characters`);
  const secrets = { passwordHash: null, totpSecret: null, totpLastStep: null };
  return {
    id: newId(),
    organizationId,
    email,
    emailKey: emailKeyOf(email),
    name,
    role,
    status: 'invited',
    ...secrets,
    createdAt: now,
    updatedAt: now,
    lastSignInAt: null,
  };
}

/** Whether mail reaches anybody there only a mail tells; but no address holds white space or control characters. */
function requireEmail(email: string): void {
  if (!/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email) || email.length > EMAIL_MAX)
    throw invalid('email', 'invalid_email', `must be an e-mail address of at most ${EMAIL_MAX} characters`);
}

export function explainDuplicate(error: unknown): never {
  if (brokenConstraint(error) !== 'users_email_unique') throw error;
  throw alreadyThere(error);
}

export function alreadyThere(cause?: unknown): Problem {
  return new Problem('already_exists', { detail: 'The organization has a user with this e-mail address already.', cause });
}

export function lastOwner(): Problem {
  const errors = [{ location: 'path' as const, field: 'id', code: 'last_owner', message: 'is the last owner of the organization' }];
  return new Problem('validation_failed', { detail: 'The user is the last owner of the organization: make another one first.', errors });
}

/** Who does what a user does. */
export const actorOf = ({ id, name }: User): Actor => ({ type: 'user', id, name });
