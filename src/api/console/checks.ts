import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { isUuid } from '../../kernel/ids.js';
import { Problem } from '../../kernel/problems.js';
import { lackOf } from '../../kernel/permissions.js';
import { isIdParameter, type RegisteredOperation } from '../operation/operation.js';
import type { ConsoleUser, PageContext } from './page-context.js';
import { say, told } from './say.js';
import { PageRefusal, type PageDeclaration } from './page.js';

/** Whether the form was shown to this browser, and by this service. */
export function isOwnForm({ isOfAnotherSite }: FastifyRequest, { csrf }: Pick<PageContext, 'csrf'>, fields: URLSearchParams): boolean {
  const [expected, given] = [csrf, fields.get('csrf') ?? ''].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(expected!, given!) && !isOfAnotherSite;
}

/** Parameters that are ids: what cannot be one names nothing. */
export function requireIds(params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) {
    if (isIdParameter(name) && !isUuid(value)) throw new Problem('not_found', { detail: 'There is nothing with this id.' });
  }
}

export function environmentOf(name = 'test'): Environment {
  const found = ENVIRONMENTS.find((environment) => environment === name);
  if (!found) throw new Problem('route_not_found');
  return found;
}

/** Whether the role of a user lets them do what an operation does. */
export const mayDo = (user: ConsoleUser, operation: RegisteredOperation): boolean => !lackOf({ user }, operation);

export function requireAccess({ operation, organization, user }: PageContext, declaration: Pick<PageDeclaration, 'role'> = {}): void {
  if (organization.status === 'suspended') throw new Problem('organization_suspended');
  const role = declaration.role ?? operation?.role;
  if (lackOf({ user }, { role })) throw new PageRefusal('You may not do this', say('console.access.role', { role: told(role!) }));
  if (operation?.plan && !organization.includes(operation.plan))
    throw new Problem('plan_required', { detail: say('console.access.plan', { plan: operation.plan }) });
}
