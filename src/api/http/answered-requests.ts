import { newShortLivedId } from '../../kernel/ids.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../kernel/log.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The routes with a parameter that the log must not show. */
    secretRoutes?: Set<string>;
  }
  interface FastifyRequest {
    /** The one call that it carried has its own line in the log. */
    isLogged: boolean;
  }
}

type Callback = (request: FastifyRequest, reply: FastifyReply) => void;

const callbacks = new WeakMap<FastifyInstance, Callback[]>();

/** Once per request, also if the caller had hung up: Fastify's `onResponse` is silent about that, and so would be log and usage. */
export function onAnswered(fastify: FastifyInstance, callback: Callback): void {
  const known = callbacks.get(fastify);
  if (known) return void known.push(callback);
  const all = [callback];
  callbacks.set(fastify, all);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const tell = (): void => all.forEach((next) => next(request, reply));
    if (reply.raw.closed) tell();
    else reply.raw.on('close', tell); // once
    done(null, payload);
  });
}

/** Hands the connection to a library, which writes the answer itself: `onSend` is silent about it. The headers of every answer are kept. */
export function detachReply(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.on('close', () => callbacks.get(request.server)?.forEach((next) => next(request, reply)));
}

/** A route parameter named `token` is a secret: anyone who knows it can act with it. The log shows `:token` instead. */
const SECRET_PARAMETER = ':token';

/** One line per request. Bodies, queries and headers are left out, because they carry secrets. Call it before routes are added. */
export function logRequests(fastify: FastifyInstance, log: Log): void {
  const secretRoutes = new Set<string>();
  fastify.decorate('secretRoutes', secretRoutes);
  fastify.decorateRequest('isLogged', false);
  fastify.addHook('onRoute', ({ url }) => {
    if (url.includes(`/${SECRET_PARAMETER}`)) secretRoutes.add(url);
  });
  onAnswered(fastify, (request, reply) => logRequest(log, request, reply));
}

export function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const { operation, principal, isLogged } = request;
  // The calls of operations are logged by whichever door they come (call/call.ts).
  if (operation || isLogged) return;
  log.info(
    {
      requestId: request.id,
      traceId: request.trace?.traceId,
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      organizationId: principal?.organization.id,
      environment: principal?.environment,
      credentialId: principal?.id,
      address: request.ip,
    },
    'request',
  );
}

/** Without the query, and without secrets. */
export function pathOf(request: FastifyRequest): string {
  const { url, params, server } = request;
  if ((params as { token?: string } | null)?.token !== undefined) return request.routeOptions.url!;
  const end = url.indexOf('?');
  return withoutTokens(end < 0 ? url : url.slice(0, end), server.secretRoutes ?? new Set());
}

/** For addresses that match no route, or cannot be read: they may hold a token as well, followed by a slash too many. */
function withoutTokens(path: string, routes: ReadonlySet<string>): string {
  for (const route of routes) {
    const prefix = route.slice(0, route.indexOf(SECRET_PARAMETER));
    const start = path.indexOf(prefix);
    if (start >= 0 && path.length > start + prefix.length) return path.slice(0, start) + prefix + SECRET_PARAMETER;
  }
  return path;
}

/** The caller's own id if it is safe to log, so that both logs can be joined; otherwise a new one. */
export function requestId(given: FastifyRequest['headers'][string]): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newShortLivedId();
}
