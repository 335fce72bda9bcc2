import type { ChangeContext, Tenant } from '../../kernel/context.js';
import type { Principal } from '../access/principal.js';
import type { RegisteredOperation } from '../operation/operation.js';

/** The context of an API call: who calls which operation. Made once, by the authenticator. */
export interface RequestContext extends ChangeContext, Tenant {
  readonly environment: Tenant['environment'];
  readonly requestId: string;
  readonly ipAddress: string;
  readonly principal: Principal;
  readonly operation: RegisteredOperation;
  /** The call is only checked; nothing is done. */
  readonly isDryRun: boolean;
}
