import type { User } from './user.entity.js';

/** What others may know of a user: all but the secrets. */
export interface UserFacts extends Pick<
  User,
  'id' | 'organizationId' | 'email' | 'name' | 'role' | 'status' | 'createdAt' | 'updatedAt' | 'lastSignInAt'
> {
  /** Whether signing in takes a one-time code, too. */
  readonly totp: boolean;
}

export function factsOf({
  id,
  organizationId,
  email,
  name,
  role,
  status,
  totpSecret,
  createdAt,
  updatedAt,
  lastSignInAt,
}: User): UserFacts {
  return { id, organizationId, email, name, role, status, totp: totpSecret !== null, createdAt, updatedAt, lastSignInAt };
}
