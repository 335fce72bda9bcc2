import type { FastifyReply } from 'fastify';
import { REFUSED } from '../tools/rest-call.js';
import { MCP_PATH } from './mcp.resource.js';

export interface HttpRefusal {
  readonly status: number;
  /** For programs: a problem code of the API, or one of this server. */
  readonly code: string;
  readonly message: string;
}

/** Refuses a request before the protocol is spoken: as a JSON-RPC error that belongs to no message. */
export function refuse(reply: FastifyReply, { status, code, message }: HttpRefusal): void {
  void reply
    .status(status)
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: REFUSED, message, data: { error: code } } }));
}

/** Refuses a request without a usable credential. The challenge says where clients learn who issues tokens (RFC 9728). */
export function challenge(reply: FastifyReply, publicUrl: string, invalidToken?: { description?: string; message: string }): void {
  const metadata = `${publicUrl}/.well-known/oauth-protected-resource${MCP_PATH}`;
  const parts = [
    `realm="${publicUrl}"`,
    ...(invalidToken ? ['error="invalid_token"'] : []),
    ...(invalidToken?.description ? [`error_description="${invalidToken.description}"`] : []),
    `resource_metadata="${metadata}"`,
  ];
  void reply.header('WWW-Authenticate', `Bearer ${parts.join(', ')}`);
  const message = invalidToken?.message ?? 'An access token or an API key is needed.';
  refuse(reply, { status: 401, code: 'unauthorized', message });
}
