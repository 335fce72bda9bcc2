import type { Actor } from '../../kernel/context.js';
import { brokenConstraint } from '../../store/database/database.js';
import { EMAIL_MAX_LENGTH, isEmail } from '../../kernel/codes.js';
import { newId } from '../../kernel/ids.js';
import { Problem } from '../../kernel/problems.js';
import { codePoints, foldText, isStorableText } from '../../kernel/text.js';
import type { UserRole } from '../../kernel/roles.js';
import { noCredentials, type User } from './user.entity.js';

const MAX_NAME_LENGTH = 200;

export interface NewUser {
  readonly organizationId: string;
  readonly email: string;
  /** By default the part of the e-mail address before the @. */
  readonly name?: string;
  readonly role: UserRole;
}

/** The form in which addresses are compared: equal for all spellings of one address. */
export const emailKeyOf = (email: string): string => foldText(email.trim());

/** A valid user who cannot sign in yet. */
export function aNewUser({ organizationId, email: typed, name: given, role }: NewUser, now: string): User {
  const email = typed.trim();
  requireEmail(email);
  const name = given ?? email.slice(0, email.lastIndexOf('@'));
  if (name.trim() === '' || codePoints(name) > MAX_NAME_LENGTH || !isStorableText(name))
    throw Problem.invalidField('name', 'too_long', `must have 1 to ${MAX_NAME_LENGTH} characters`);
  const id = newId();
  return {
    id,
    organizationId,
    email,
    emailKey: emailKeyOf(email),
    name,
    role,
    status: 'invited',
    ...noCredentials(id),
    createdAt: now,
    updatedAt: now,
    lastSignInAt: null,
  };
}

function requireEmail(email: string): void {
  if (!isEmail(email))
    throw Problem.invalidField('email', 'invalid_email', `must be an e-mail address of at most ${EMAIL_MAX_LENGTH} characters`);
}

export function explainDuplicate(error: unknown): never {
  if (brokenConstraint(error) !== 'users_email_unique') throw error;
  throw alreadyExists(error);
}

export function alreadyExists(cause?: unknown): Problem {
  return new Problem('already_exists', { detail: 'The organization already has a user with this e-mail address.', cause });
}

export const userNotFound = (id: string): Problem => Problem.notFound(`user ${id}`);

export function lastOwner(): Problem {
  return new Problem('validation_failed', {
    detail: 'The user is the last owner of the organization. Make another user an owner first.',
    errors: [{ location: 'path', field: 'id', code: 'last_owner', message: 'is the last owner of the organization' }],
  });
}

/** The user as the audit log names who made a change. */
export const actorOf = ({ id, name }: User): Actor => ({ type: 'user', id, name });
