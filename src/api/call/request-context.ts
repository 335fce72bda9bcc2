import type { ChangeContext, Tenant } from '../../kernel/context.js';
import type { Principal } from '../access/principal.js';
import type { RegisteredOperation } from '../operation/operation.js';

/** The context of an API call: who calls which operation. */
export interface RequestContext extends ChangeContext, Tenant {
  readonly environment: Tenant['environment'];
  readonly requestId: string;
  readonly principal: Principal;
  readonly operation: RegisteredOperation;
}
