import type { ChangeContext, Tenant } from '../../kernel/context.js';
import type { Plan } from '../../kernel/plans.js';
import type { UserRole } from '../../kernel/roles.js';

/** Who calls, as a policy sees them: with a credential, or in the console. */
export interface PolicyContext extends ChangeContext, Tenant {
  readonly environment: Tenant['environment'];
  readonly requestId: string;
  readonly ipAddress: string;
  /** The person who calls, or for whom an application does; null for a credential that speaks for no person. */
  readonly user: { readonly id: string; readonly name: string; readonly role: UserRole } | null;
  readonly organization: { readonly id: string; readonly name: string; readonly slug: string; readonly plan: Plan };
}
