import type { Environment } from '../../kernel/context.js';
import type { Plan } from '../../kernel/plans.js';

export interface PrincipalOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly plan: Plan;
  readonly status: 'active' | 'suspended';
}

/** Who a valid credential speaks for, and what it may do. */
export interface Principal {
  readonly type: 'api_key' | 'oauth';
  readonly id: string;
  readonly name: string;
  readonly prefix: string | null;
  readonly environment: Environment;
  readonly scopes: ReadonlySet<string>;
  readonly expiresAt: string | null;
  readonly ipAllowlist: readonly string[];
  /** What a token was given for (RFC 8707); null of an API key, which is good for all there is. */
  readonly audience: string | null;
  /** The thumbprint of the key whose holder alone may use the token (RFC 9449); null of other credentials. */
  readonly boundTo: string | null;
  readonly organization: PrincipalOrganization;
  readonly application: { readonly id: string; readonly name: string } | null;
  readonly user: { readonly id: string; readonly name: string } | null;
}
