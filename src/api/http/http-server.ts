import type { IncomingMessage } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../kernel/settings/settings.js';
import type { Problem } from '../../kernel/problems.js';
import type { Log } from '../../kernel/log.js';
import { HEADERS_MAX_BYTES } from '../../kernel/product.js';
import { badPath } from './bad-path.js';
import { corsHeaders, headersOf } from './answer-headers.js';
import { boundLists } from './list-size.js';
import { prepareRequests } from './prepare-requests.js';
import { sendProblem } from './problem.filter.js';
import { refuseConnection } from './refuse-connection.js';
import { logRequest, requestId } from './request-log.js';

/**
 * How long a connection may be silent: longer than load balancers keep idle ones, as otherwise they send a request on a connection that
 * we are closing.
 */
const SILENCE_MS = 75_000;

/** Fastify as this service needs it: we read bodies after the guards, and every refusal is a problem document. */
export function httpAdapter(settings: Settings, log: Log): FastifyAdapter {
  const refuse = (request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply =>
    sendProblem(reply.headers({ ...headersOf(request.id), ...corsHeaders(request) }), problem, {
      baseUrl: settings.publicUrl,
      requestId: request.id,
    });
  const adapter = new FastifyAdapter({
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    genReqId: (request: IncomingMessage) => requestId(request.headers['x-request-id']),
    forceCloseConnections: 'idle',
    // A call that was accepted is answered, even when it arrives while the server is closing.
    return503OnClosing: false,
    keepAliveTimeout: SILENCE_MS,
    // Of an answer, too: what a client does not read would stay in memory. No work of ours takes as long.
    connectionTimeout: SILENCE_MS,
    requestTimeout: settings.requestTimeoutMs,
    http: {
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: settings.requestTimeoutMs,
      // How often Node looks for requests that are too slow. By default every 30 seconds.
      connectionsCheckingInterval: settings.requestTimeoutMs / 10,
      // We refuse a missing Host below; Node would answer without a problem document.
      requireHostHeader: false,
    },
    // An id in the path may be as long as the headers allow; validation then refuses it like any other bad id.
    routerOptions: { maxParamLength: HEADERS_MAX_BYTES },
    // The router cannot read the address. No hook runs for such a request.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      refuse(request, reply, badPath(request.raw.url!, error));
      logRequest(log, request, reply);
    },
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, settings),
  });
  prepareRequests(adapter.getInstance(), refuse);
  boundLists(adapter.getInstance(), settings);
  return adapter;
}
