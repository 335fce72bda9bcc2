import { PageRefusal } from '../../api/console/page.js';
import { pick } from '../../kernel/changes.js';
import { EMAIL_MAX_LENGTH, isEmail } from '../../kernel/codes.js';
import type { Actor } from '../../kernel/context.js';
import { newId } from '../../kernel/ids.js';
import { Problem } from '../../kernel/problems.js';
import { isAtLeast, type UserRole } from '../../kernel/roles.js';
import { codePoints, inAsciiCapitals, isStorableText } from '../../kernel/text.js';
import { brokenConstraint } from '../../store/database/database.js';
import { noCredentials, type User } from './user.entity.js';

const MAX_NAME_LENGTH = 200;

export interface NewUser extends Readonly<Pick<User, 'organizationId' | 'email' | 'role'>> {
  /** By default the part of the e-mail address before the @. */
  readonly name?: string;
}

/** Equal but for the case of ASCII letters. One in full-width letters, which Unicode's normal form makes the same, is somebody else. */
export const emailKeyOf = (email: string): string => inAsciiCapitals(email.trim());

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
    customFields: {},
  };
}

function requireEmail(email: string): void {
  // Nobody has an address that only looks like another one's.
  if (!isEmail(email) || email !== email.normalize('NFKC'))
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

/** Who manages members: a user of the console. undefined: the operator, who may do everything. */
export type Manager = Pick<User, 'id' | 'organizationId' | 'role'> | undefined;
type Managed = Pick<User, 'id' | 'organizationId' | 'role'>;

/** Reads the user that an actor is. A user without access manages no members. */
export async function findManager(users: { byId(id: string): Promise<User | undefined> }, actor: Actor): Promise<Manager> {
  if (actor.type === 'system') return undefined;
  const user = actor.id === null ? undefined : await users.byId(actor.id);
  if (user?.status !== 'active') throw new PageRefusal('You may not do this', 'You no longer have access.');
  return user;
}

/** Why somebody may not invite, change or remove a member; undefined: they may. `role` is the one that the member shall have. */
export function whyNot(manager: Manager, user: Managed, role: UserRole = user.role): string | undefined {
  if (!manager) return undefined;
  if (!isAtLeast(manager.role, 'admin')) return 'This takes the role admin.';
  if (manager.id === user.id) return 'You cannot change your own role or remove yourself. Ask another owner or admin.';
  if (manager.role !== 'owner' && [user.role, role].includes('owner')) return 'Only an owner can make, change or remove owners.';
  return undefined;
}

export function requireManager(manager: Manager, user: Managed, role?: UserRole): void {
  // To others the user does not exist.
  if (manager && manager.organizationId !== user.organizationId) throw userNotFound(user.id);
  const reason = whyNot(manager, user, role);
  if (reason !== undefined) throw new PageRefusal('You may not do this', reason);
}

const FACTS = [
  ...(['id', 'organizationId', 'accountId', 'email', 'name', 'role', 'status'] as const),
  ...(['createdAt', 'updatedAt', 'lastSignInAt', 'customFields'] as const),
] as const;

export interface UserFacts extends Pick<User, (typeof FACTS)[number]> {
  /** Whether the user signs in with a one-time code as well. */
  readonly totp: boolean;
  /** How many they have. */
  readonly passkeys: number;
}

export const factsOf = (user: User): UserFacts => ({
  ...pick(user, FACTS),
  totp: user.totpSecret !== null,
  passkeys: user.passkeys.length,
});

/** Whether a password alone does not sign them in. */
export const hasSecondFactor = ({ totp, passkeys }: Pick<UserFacts, 'totp' | 'passkeys'>): boolean => totp || passkeys > 0;
