import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import ipaddr from 'ipaddr.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../kernel/settings/settings.js';
import { newShortLivedId } from '../../kernel/ids.js';
import { problemBody, PROBLEM_MEDIA_TYPE, Problem } from '../../kernel/problems.js';
import type { Log } from '../../kernel/log.js';
import { HEADERS_MAX_BYTES } from '../../kernel/request-limits.js';
import { sendProblem } from './problem.filter.js';
import { logRequest } from './request-log.js';

/** Fastify as this service needs it: we read bodies after the guards, and every refusal is a problem document. */
export function httpAdapter(settings: Settings, log: Log): FastifyAdapter {
  const refuse = (request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply =>
    sendProblem(reply.headers(headersOf(request.id)), problem, { baseUrl: settings.publicUrl, requestId: request.id });
  const adapter = new FastifyAdapter({
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    genReqId: (request: IncomingMessage) => requestId(request.headers['x-request-id']),
    forceCloseConnections: 'idle',
    // Longer than load balancers keep idle connections. Otherwise they send a request on a connection that we are closing.
    keepAliveTimeout: 75_000,
    requestTimeout: 60_000,
    // We refuse a missing Host below; Node would answer without a problem document.
    http: { maxHeaderSize: HEADERS_MAX_BYTES, requireHostHeader: false },
    // An id in the path may be as long as the headers allow; validation then refuses it like any other bad id.
    routerOptions: { maxParamLength: HEADERS_MAX_BYTES },
    // The router cannot read the address. No hook runs for such a request.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      refuse(request, reply, new Problem('bad_request', { cause: error }));
      logRequest(log, request, reply);
    },
    clientErrorHandler: (error: Error, socket: Socket) => refuseConnection(error, socket, settings.publicUrl),
  });
  prepare(adapter.getInstance(), refuse);
  return adapter;
}

const headersOf = (requestId: string) => ({ 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });

type Refuse = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => FastifyReply;

function prepare(fastify: FastifyInstance, refuse: Refuse): void {
  const { server } = fastify;
  // `Expect` headers are ignored; Node would refuse an unknown one without a problem document.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // We read bodies, after the guards. For methods with a body Fastify would refuse some media types before that.
  for (const method of fastify.supportedMethods) fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  fastify.decorateRequest('ctx', null);
  fastify.decorateRequest('ctxInTransaction', null);
  fastify.decorateRequest('isCounted', false);
  fastify.decorateRequest('idempotencyKey', undefined);
  fastify.decorateRequest('sentBody', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    // An IPv4 caller on an IPv6 socket keeps its IPv4 address wherever it is compared or shown.
    const { ip } = request;
    const address = plainAddress(ip);
    if (address !== ip) Object.defineProperty(request, 'ip', { value: address });
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      return void refuse(request, reply, new Problem('bad_request', { detail: 'The header Host is missing.' }));
    reply.headers(headersOf(request.id));
    done();
  });
}

function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

/** The caller's own id if it is safe to log, so that both logs can be joined; otherwise a new one. */
function requestId(given: FastifyRequest['headers'][string]): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newShortLivedId();
}

/** The bytes are not HTTP, or the headers are too large: there is no request yet that could be answered the usual way. */
function refuseConnection(error: Error & { code?: string }, socket: Socket, baseUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const problem = new Problem(error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'bad_request');
  const id = newShortLivedId();
  const body = JSON.stringify(problemBody(problem, { baseUrl, requestId: id }));
  const headers = { 'Content-Type': PROBLEM_MEDIA_TYPE, 'Content-Length': Buffer.byteLength(body), ...headersOf(id), Connection: 'close' };
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n${body}`,
  );
}
