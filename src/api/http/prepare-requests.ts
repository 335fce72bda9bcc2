import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { plainAddress } from '../../kernel/addresses.js';
import { Problem } from '../../kernel/problems.js';
import { tagRecord } from '../call/record-versions.js';
import { corsHeaders, headersOf } from './answer-headers.js';
import { answerPreflight, noteRoutes } from './preflight.js';

type Refuse = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => FastifyReply;

/** What every request has and passes before it is handled. */
export function prepareRequests(fastify: FastifyInstance, refuse: Refuse): void {
  const { server } = fastify;
  // `Expect` headers are ignored; Node would refuse an unknown one without a problem document.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // We read bodies, after the guards. For methods with a body Fastify would refuse some media types before that.
  for (const method of fastify.supportedMethods) fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  noteRoutes(fastify);
  fastify.decorateRequest('principal', null);
  fastify.decorateRequest('ctx', null);
  fastify.decorateRequest('ctxInTransaction', null);
  fastify.decorateRequest('pageContext', null);
  fastify.decorateRequest('problemCode', undefined);
  fastify.decorateRequest('isCounted', false);
  fastify.decorateRequest('idempotencyKey', undefined);
  fastify.decorateRequest('ifMatch', undefined);
  fastify.decorateRequest('sentBody', undefined);
  fastify.addHook('preSerialization', tagRecord);
  fastify.addHook('onRequest', (request, reply, done) => {
    // An IPv4 caller on an IPv6 socket keeps its IPv4 address wherever it is compared or shown. What a proxy passes on may be no address.
    const { ip, socket } = request;
    const address = plainAddress(isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip);
    if (address !== ip) Object.defineProperty(request, 'ip', { value: address });
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      return void refuse(request, reply, new Problem('bad_request', { detail: 'The header Host is missing.' }));
    reply.headers(headersOf(request.id));
    const cors = corsHeaders(request);
    if (cors) reply.headers(cors);
    if (request.method !== 'OPTIONS' || !answerPreflight(request, reply)) done();
  });
}
