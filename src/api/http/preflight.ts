import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANY_ORIGIN } from './answer-headers.js';
import { RouteTable } from './route-table.js';

/** How long a browser may remember the answer to a preflight, in seconds. */
const PREFLIGHT_MAX_AGE = 7200;

/** Call it before routes are added. */
export const noteRoutes = (fastify: FastifyInstance): unknown => fastify.decorate('routeTable', RouteTable.of(fastify));

/** Answers a preflight: the question of a browser whether a page may send a request. False if the request is none, or may not. */
export function answerPreflight({ headers, url, server }: FastifyRequest, reply: FastifyReply): boolean {
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
