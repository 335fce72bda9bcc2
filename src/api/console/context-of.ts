import type { FastifyRequest } from 'fastify';
import type { Environment } from '../../kernel/context.js';
import type { Registry } from '../operation/registry.js';
import { mayDo } from './checks.js';
import { Form } from './form.js';
import { noticeIn } from './notices.js';
import type { PageContext, SignedIn } from './page-context.js';

/** The context of a page, of which the operation is known later. */
export function contextOf(
  request: FastifyRequest,
  environment: Environment,
  { user, organization, signedInBy, others, sessionId, csrf }: SignedIn,
  registry: Registry,
): PageContext {
  const [path, query = ''] = request.url.split('?');
  return {
    organizationId: organization.id,
    environment,
    actor: { type: 'user', id: user.id, name: user.name, call: { requestId: request.id, ipAddress: request.ip } },
    requestId: request.id,
    ipAddress: request.ip,
    trace: request.trace,
    emits: [],
    user,
    organization,
    signedInBy,
    others,
    sessionId,
    csrf,
    can: (id) => mayDo(user, registry.operationCalled(id)),
    operation: undefined,
    path: path!,
    query: new URLSearchParams(query),
    form: Form.empty,
    notice: noticeIn(request),
  };
}
