import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { PLANS } from '../../kernel/plans.js';
import { Problem } from '../../kernel/problems.js';
import { isAtLeast } from '../../kernel/roles.js';
import type { RegisteredOperation } from '../operation/operation.js';
import { PageRefusal, type PageDeclaration } from './page.js';
import type { ConsoleUser, PageContext } from './page-context.js';

/** The environment in the address of a page. */
export function environmentOf(name = 'test'): Environment {
  const found = ENVIRONMENTS.find((environment) => environment === name);
  if (!found) throw new Problem('route_not_found');
  return found;
}

/** Whether the role of a user lets them do what an operation does. */
export const hasRoleFor = ({ role }: ConsoleUser, operation: RegisteredOperation): boolean => isAtLeast(role, operation.role ?? 'member');

/** Refuses a page that the visitor may not see, or an action that they may not do. */
export function requireAccess({ operation, organization, user }: PageContext, declaration: PageDeclaration): void {
  if (organization.status === 'suspended') throw new Problem('organization_suspended');
  const role = declaration.role ?? operation?.role ?? 'member';
  if (!isAtLeast(user.role, role)) throw new PageRefusal('You may not do this', `This takes the role ${role}.`);
  if (operation?.plan && PLANS.indexOf(organization.plan) < PLANS.indexOf(operation.plan))
    throw new Problem('plan_required', { detail: `This needs the plan ${operation.plan}.` });
}
