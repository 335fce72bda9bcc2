import { STATUS_CODES, type IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { plainAddress } from '../../kernel/addresses.js';
import { newShortLivedId } from '../../kernel/ids.js';
import type { Log } from '../../kernel/log.js';
import { Problem, PROBLEM_MEDIA_TYPE, problemBody } from '../../kernel/problems.js';
import { HEADERS_MAX_BYTES } from '../../kernel/product.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { isDecodable } from '../../kernel/text.js';
import { isBodyOverdue, LINGER_MS, tooSlow } from '../validation/arrival.js';
import { keepLanguage } from '../wording/page-wording.js';
import { ANY_ORIGIN, corsHeaders, headersOf } from './answer-headers.js';
import { logRequest, requestId } from './answered-requests.js';
import { isOfAnotherSite, isSecure } from './other-site.js';
import { isOpenedByBrowser, sendLostPage } from './pages/lost-page.js';
import { sendProblem, openRestDoor } from './rest-door.js';
import { RouteTable } from './route-table.js';

/** Longer than load balancers keep idle connections: otherwise they send a request on one that we are closing. */
const SILENCE_MS = 75_000;

/** Fastify as this service needs it: we read bodies after the guards, and every refusal is a problem document. */
export function httpAdapter(settings: Settings, log: Log): FastifyAdapter {
  const refuse: Refuse = (request, reply, problem) =>
    sendProblem(reply.headers({ ...headersOf(request.id, settings), ...corsHeaders(request) }), problem, {
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
      const problem = badPath(request.raw.url!, error);
      if (isOpenedByBrowser(request)) sendLostPage(reply.headers(headersOf(request.id, settings)), problem);
      else refuse(request, reply, problem);
      logRequest(log, request, reply);
    },
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, settings),
  });
  prepareRequests(adapter.getInstance(), settings, refuse);
  return adapter;
}

type Refuse = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => FastifyReply;

function prepareRequests(fastify: FastifyInstance, settings: Settings, refuse: Refuse): void {
  const { server } = fastify;
  // `Expect` headers are ignored; Node would refuse an unknown one without a problem document.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // We read bodies, after the guards. For methods with a body Fastify would refuse some media types before that.
  for (const method of fastify.supportedMethods) fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  fastify.decorate('routeTable', RouteTable.read(fastify));
  openRestDoor(fastify);
  fastify.decorateRequest('pageContext', null);
  fastify.decorateRequest('isOfAnotherSite', false);
  fastify.decorateRequest('isSecure', false);
  fastify.addHook('onRequest', (request, reply, done) => {
    // An IPv4 caller on an IPv6 socket keeps its IPv4 address wherever it is compared or shown. What a proxy passes on may be no address.
    const { ip, socket } = request;
    const address = plainAddress(isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip);
    if (address !== ip) Object.defineProperty(request, 'ip', { value: address });
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      return void refuse(request, reply, new Problem('bad_request', { detail: 'The header Host is missing.' }));
    request.isOfAnotherSite = isOfAnotherSite(request.headers, settings);
    request.isSecure = isSecure(settings);
    // The API has no languages, and sets no cookies.
    if (request.method === 'GET' && request.url.includes('lang=') && !request.url.startsWith('/v1')) keepLanguage(request, reply);
    reply.headers(headersOf(request.id, settings));
    const cors = corsHeaders(request);
    if (cors) reply.headers(cors);
    if (request.method !== 'OPTIONS' || !answerPreflight(request, reply)) done();
  });
}

/** How long a browser may remember the answer to a preflight, in seconds. */
const PREFLIGHT_MAX_AGE = 7200;

/** Answers a preflight: the question of a browser whether a page may send a request. False if the request is none, or may not. */
function answerPreflight({ headers, url, server }: FastifyRequest, reply: FastifyReply): boolean {
  if (headers.origin === undefined || headers['access-control-request-method'] === undefined) return false;
  if (!server.routeTable.isOpenAt(url)) return false;
  void reply
    .status(204)
    .headers({
      ...ANY_ORIGIN,
      'Access-Control-Allow-Methods': server.routeTable.methodsAt(url).join(', '),
      // `*` stands for all headers but this one.
      'Access-Control-Allow-Headers': '*, Authorization',
      'Access-Control-Max-Age': PREFLIGHT_MAX_AGE,
    })
    .send();
  return true;
}

/** The bytes are not HTTP, the headers are too large, or the request is too slow: Node has no request that it could hand over. */
function refuseConnection(error: Error & { code?: string }, socket: Socket, settings: Settings): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isBodyOverdue(socket)) return;
  socket.end(answerOf(problemOf(error.code), settings));
  // A client that neither reads nor closes must not keep the connection.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

function problemOf(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow();
  return new Problem(code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'bad_request');
}

function answerOf(problem: Problem, settings: Settings): string {
  const requestId = newShortLivedId();
  const body = JSON.stringify(problemBody(problem, { baseUrl: settings.publicUrl, requestId }));
  const length = { 'Content-Type': PROBLEM_MEDIA_TYPE, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const headers = Object.entries({ ...headersOf(requestId, settings), ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${headers.join('')}\r\n${body}`;
}

const SEGMENT = /[^/]+/g;
/** A percent sign that two hexadecimal digits do not follow, with what follows it instead. */
const NO_ESCAPE = /%(?![0-9a-f]{2})[^/]{0,2}/i;
const SHOWN_MAX = 60;

/** The problem of a path that cannot be decoded. It shows the place: a long path has many segments. */
export function badPath(url: string, cause: Error): Problem {
  const [path = ''] = url.split('?');
  const segment = path.match(SEGMENT)?.find((candidate) => !isDecodable(candidate));
  if (segment === undefined) return new Problem('bad_request', { cause });
  const wrong = NO_ESCAPE.exec(segment)?.[0];
  const detail =
    wrong === undefined
      ? `The percent-escapes in ${shown(segment)} of the path are not UTF-8.`
      : `The path has ${wrong}, which is no percent-escape. A percent sign is written as %25.`;
  return new Problem('bad_request', { detail, cause });
}

const shown = (segment: string): string => (segment.length > SHOWN_MAX ? `${segment.slice(0, SHOWN_MAX)}…` : segment);
