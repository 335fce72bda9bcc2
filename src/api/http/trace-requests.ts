import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenTrace } from '../../kernel/trace.js';
import type { Tracing } from '../../store/tracing/tracing.js';
import { onAnswered } from './answered-requests.js';
import { isProbe } from './probes.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Only of a request that is traced. */
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

function endTrace({ trace, operation, principal, id, method, routeOptions }: FastifyRequest, { statusCode }: FastifyReply): void {
  trace?.end({
    name: operation?.id ?? `${method} ${routeOptions.url ?? ''}`.trim(),
    isError: statusCode >= 500,
    attributes: {
      'http.request.method': method,
      'http.response.status_code': statusCode,
      'claims.request_id': id,
      ...(routeOptions.url !== undefined && { 'http.route': routeOptions.url }),
      ...(operation && principal && { 'claims.organization_id': principal.organization.id }),
    },
  });
}
