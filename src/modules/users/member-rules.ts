import { PageRefusal } from '../../api/console/page.js';
import type { Actor } from '../../kernel/context.js';
import { isAtLeast, type UserRole } from '../../kernel/roles.js';
import type { User } from './user.entity.js';
import { userNotFound } from './user-rules.js';

/** Who manages members: a user of the console. undefined: the operator, who may do everything. */
export type Manager = Pick<User, 'id' | 'organizationId' | 'role'> | undefined;
type Managed = Pick<User, 'id' | 'organizationId' | 'role'>;

/** Reads the user that an actor is. Whoever has no access any more manages nobody. */
export async function managerOf(users: { byId(id: string): Promise<User | undefined> }, actor: Actor): Promise<Manager> {
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
