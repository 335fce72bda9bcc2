import { isAtLeast, type UserRole } from './roles.js';

/** Who wants something: somebody in the console, or a credential. */
export interface Caller {
  /** What a credential allows. Left out: no scopes bind, as in the console. */
  readonly scopes?: ReadonlySet<string> | undefined;
  /** The person who calls, or for whom an application does; null: the credential speaks for no person. */
  readonly user: { readonly role: UserRole } | null;
  /** The only claim projects that a credential is for; left out: all. */
  readonly projects?: readonly string[] | undefined;
}

/** What a caller needs. */
export interface Permission {
  readonly scope?: string | undefined;
  /** The least role. It binds people, and applications that act for them. */
  readonly role?: UserRole | undefined;
  /** It is of the organization as a whole. */
  readonly concerns?: 'organization' | undefined;
}

/**
 * What a caller lacks; undefined: nothing. Every place that asks what somebody may do asks here: the API and its tools, consent pages,
 * the console, and what gives events away. The role is first: with it missing, no scope helps.
 */
export function lackOf(
  { scopes, user, projects }: Caller,
  { scope, role = 'member', concerns }: Permission,
): 'role' | 'projects' | 'scope' | undefined {
  if (user && !isAtLeast(user.role, role)) return 'role';
  if (projects && concerns) return 'projects';
  return scope !== undefined && scopes && !scopes.has(scope) ? 'scope' : undefined;
}
