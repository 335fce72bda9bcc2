import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../kernel/log.js';
import { onAnswered } from './on-answered.js';

/** One line per request: what was asked, by whom, how it went. No body, no query, no header: secrets travel there. */
export function logRequests(fastify: FastifyInstance, log: Log): void {
  onAnswered(fastify, (request, reply) => logRequest(log, request, reply));
}

export function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const { ctx } = request;
  log.info(
    {
      requestId: request.id,
      method: request.method,
      path: pathOf(request),
      operation: ctx?.operation.id,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      organizationId: ctx?.organizationId,
      environment: ctx?.environment,
      credentialId: ctx?.principal.id,
      replayed: isReplay(reply) || undefined,
      address: request.ip,
    },
    'request',
  );
}

/** Whoever knows the address of an invitation may accept it: what makes it secret does not go to the log. */
const withoutSecrets = (path: string): string => path.replace(/\/invite_[^/]+/g, '/invite_…');

function pathOf({ url }: FastifyRequest): string {
  const end = url.indexOf('?');
  return withoutSecrets(end < 0 ? url : url.slice(0, end));
}

const isReplay = (reply: FastifyReply): boolean => reply.hasHeader('Idempotent-Replayed');
