import type { User } from './user.entity.js';

/** A user without the secrets. */
export interface UserFacts extends Pick<
  User,
  'id' | 'organizationId' | 'accountId' | 'email' | 'name' | 'role' | 'status' | 'createdAt' | 'updatedAt' | 'lastSignInAt'
> {
  /** Whether the user signs in with a one-time code as well. */
  readonly totp: boolean;
}

export function factsOf({
  id,
  organizationId,
  accountId,
  email,
  name,
  role,
  status,
  totpSecret,
  createdAt,
  updatedAt,
  lastSignInAt,
}: User): UserFacts {
  return { id, organizationId, accountId, email, name, role, status, totp: totpSecret !== null, createdAt, updatedAt, lastSignInAt };
}
