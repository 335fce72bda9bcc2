import type { ConfirmationRules, RulesByRisk } from '../../kernel/confirmation-rules.js';
import type { Environment, ChangeContext, Tenant } from '../../kernel/context.js';
import type { AnyStatus } from '../../kernel/organization-status.js';
import type { Plan } from '../../kernel/plans.js';
import type { UserRole } from '../../kernel/roles.js';
import type { WriteContext } from '../../store/database/unit-of-work.js';
import type { OwnLimits } from '../limits/own-limits.js';

export interface PrincipalOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly plan: Plan;
  readonly status: AnyStatus;
  /** Who agrees to changes by tools: null for the defaults. Left out, a person is asked about each. */
  readonly confirmations?: ConfirmationRules | null;
}

/** Who calls, at any door: whom a valid credential speaks for, or who is signed in to the console. */
export interface Principal {
  readonly type: 'api_key' | 'oauth' | 'user';
  readonly id: string;
  readonly name: string;
  readonly prefix: string | null;
  readonly environment: Environment;
  /** What a credential allows; undefined of a person in the console, whom their role alone binds. */
  readonly scopes: ReadonlySet<string> | undefined;
  readonly expiresAt: string | null;
  readonly ipAllowlist: readonly string[];
  /** What a token was given for (RFC 8707); null of an API key, which is good for all there is. */
  readonly audience: string | null;
  /** The thumbprint of the key whose holder alone may use the token (RFC 9449); null of other credentials. */
  readonly boundTo: string | null;
  /** Whether proofs of that key need a nonce of ours. */
  readonly needsNonce?: boolean;
  readonly organization: PrincipalOrganization;
  readonly application: { readonly id: string; readonly name: string; readonly confirmations?: RulesByRisk | null } | null;
  /** The person for whom an application acts, with the role that they have now: it does no more than they may. */
  readonly user: { readonly id: string; readonly name: string; readonly role: UserRole } | null;
  /** The user who made the credential, if that is known. It does not act for them, but whoever uses it may be them. */
  readonly madeBy?: string | null;
  /** What is set for the credential within the limits of its organization, if anything is. */
  readonly limits?: OwnLimits;
  /** The only claim projects whose records are reached; left out: all. */
  readonly projects?: readonly string[];
}

export interface CredentialPrincipal extends Principal {
  readonly type: Exclude<Principal['type'], 'user'>;
  readonly scopes: ReadonlySet<string>;
}

/** Who calls, as a policy sees them: with a credential, or in the console. */
export interface PolicyContext extends ChangeContext, Tenant {
  readonly environment: Tenant['environment'];
  readonly requestId: string;
  readonly ipAddress: string;
  /** The person who calls, or for whom an application does; null for a credential that speaks for no person. */
  readonly user: Principal['user'];
  readonly organization: { readonly id: string; readonly name: string; readonly slug: string; readonly plan: Plan };
}

/** The context of a write, in its transaction: repositories and services take it. */
export type PolicyWriteContext = PolicyContext & WriteContext;
