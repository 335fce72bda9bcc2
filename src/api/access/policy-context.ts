import type { ChangeContext, Tenant } from '../../kernel/context.js';
import type { Plan } from '../../kernel/plans.js';

/** Who calls, as a policy sees them: with a credential, or in the console. */
export interface PolicyContext extends ChangeContext, Tenant {
  readonly environment: Tenant['environment'];
  readonly requestId: string;
  readonly ipAddress: string;
  readonly organization: { readonly id: string; readonly name: string; readonly slug: string; readonly plan: Plan };
}
