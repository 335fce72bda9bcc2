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

/** Fastify as this service needs it: bodies are read by us after the guards, and every refusal is a problem document. */
export function httpAdapter(settings: Settings, log: Log): FastifyAdapter {
  const refuse = (request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply =>
    sendProblem(reply.headers(headersOf(request.id)), problem, { baseUrl: settings.publicUrl, requestId: request.id });
  const adapter = new FastifyAdapter({
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    genReqId: (request: IncomingMessage) => requestId(request.headers['x-request-id']),
    forceCloseConnections: 'idle',
    // Longer than load balancers keep theirs: else they send a request on a connection that we are closing.
    keepAliveTimeout: 75_000,
    requestTimeout: 60_000,
    // A missing Host is refused below: Node would do it without a problem document.
    http: { maxHeaderSize: HEADERS_MAX_BYTES, requireHostHeader: false },
    // An id may be as long as the headers let it be: that it is none is then said as for any other.
    routerOptions: { maxParamLength: HEADERS_MAX_BYTES },
    // The router cannot read the address; no hook has run, and none will.
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
  // Nobody needs an expectation of ours; Node would answer one it does not know without a problem document.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Bodies are read by us, after the guards. Of a method that has one, Fastify would refuse some media types before that.
  for (const method of fastify.supportedMethods) fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  fastify.decorateRequest('ctx', null);
  fastify.decorateRequest('counted', false);
  fastify.decorateRequest('idempotencyKey', undefined);
  fastify.decorateRequest('sentBody', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    // An IPv4 caller on an IPv6 socket is the IPv4 address it is, wherever it is compared or shown.
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

/** The caller's own id when it is harmless, so that both logs can be joined; else a new one. */
function requestId(given: FastifyRequest['headers'][string]): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newShortLivedId();
}

/** What arrives is no HTTP, or its headers are too large: there is no request yet that could be answered the usual way. */
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
