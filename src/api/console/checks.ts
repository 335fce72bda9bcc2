import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { isUuid } from '../../kernel/ids.js';
import { Problem } from '../../kernel/problems.js';
import { isAtLeast } from '../../kernel/roles.js';
import { isOfAnotherSite } from '../http/pages/read-form.js';
import { isIdParameter, type RegisteredOperation } from '../operation/operation.js';
import type { ConsoleUser, PageContext } from './page-context.js';
import { PageRefusal, type PageDeclaration } from './page.js';

/** Browsers say when a form of another site was sent; the token covers those that do not. */
export function isOwnForm(headers: FastifyRequest['headers'], { csrf }: Pick<PageContext, 'csrf'>, fields: URLSearchParams): boolean {
  const [expected, given] = [csrf, fields.get('csrf') ?? ''].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(expected!, given!) && !isOfAnotherSite({ headers });
}

/** Parameters that are ids: what cannot be one names nothing. */
export function requireIds(params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) {
    if (isIdParameter(name) && !isUuid(value)) throw new Problem('not_found', { detail: 'There is nothing with this id.' });
  }
}

/** The environment that an address names. */
export function environmentOf(name = 'test'): Environment {
  const found = ENVIRONMENTS.find((environment) => environment === name);
  if (!found) throw new Problem('route_not_found');
  return found;
}

/** Whether the role of a user lets them do what an operation does. */
export const mayDo = ({ role }: Pick<ConsoleUser, 'role'>, operation: RegisteredOperation): boolean =>
  isAtLeast(role, operation.role ?? 'member');

/** Whether role and plan allow the page. */
export function requireAccess({ operation, organization, user }: PageContext, declaration: Pick<PageDeclaration, 'role'> = {}): void {
  if (organization.status === 'suspended') throw new Problem('organization_suspended');
  const role = declaration.role ?? operation?.role ?? 'member';
  if (!isAtLeast(user.role, role)) throw new PageRefusal('You may not do this', `This takes the role ${role}.`);
  if (operation?.plan && !organization.includes(operation.plan))
    throw new Problem('plan_required', { detail: `This needs the plan ${operation.plan}.` });
}
