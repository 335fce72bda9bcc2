import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenTrace } from '../../kernel/trace.js';
import type { Tracing } from '../../store/tracing/tracing.js';
import { onAnswered } from './answered-requests.js';
import { isProbe } from './probes.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Only where there is a collector. */
    trace: OpenTrace | undefined;
  }
}

/** Follows requests from their headers to the end of their answers. Call it before routes are added. */
export function traceRequests(fastify: FastifyInstance, tracing: Tracing): void {
  fastify.decorateRequest('trace', undefined);
  if (!tracing.isOn) return;
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (isProbe(request)) return void done();
    const { traceparent } = request.headers;
    const given = typeof traceparent === 'string' ? traceparent : undefined;
    request.trace = tracing.begin({ name: request.method, kind: 'server', traceparent: given });
    done();
  });
  onAnswered(fastify, endTrace);
}

function endTrace(request: FastifyRequest, { statusCode }: FastifyReply): void {
  const { trace, operation, principal, id, method, protocol, routeOptions } = request;
  const { url: route } = routeOptions;
  const isError = statusCode >= 500;
  trace?.end({
    name: `${method} ${route ?? ''}`.trim(),
    isError,
    attributes: {
      'http.request.method': method,
      'http.response.status_code': statusCode,
      'url.scheme': protocol,
      'claims.request_id': id,
      // Not `url.path`: addresses of links and of sign-ins are secrets.
      ...(route !== undefined && { 'http.route': route }),
      ...(isError && { 'error.type': String(statusCode) }),
      ...(operation && { 'claims.operation': operation.id }),
      ...(operation && principal && { 'claims.organization_id': principal.organization.id }),
    },
  });
}
