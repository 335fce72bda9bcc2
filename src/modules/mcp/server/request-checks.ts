import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scheme } from '../../../api/access/credential-resolver.js';
import type { Principal } from '../../../api/access/principal.js';
import { REFUSED } from '../tools/rest-call.js';
import { MCP_PATH } from './mcp.resource.js';

/** All of them name this machine, so a service at one may be called by any. No foreign web page has one of these hosts. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Whether Host and Origin name this service. Otherwise a foreign web page could call it through DNS rebinding. */
export function namesThisService({ headers: { host = '', origin } }: FastifyRequest, publicUrl: string): boolean {
  const own = new URL(publicUrl);
  const isOwn = (name: string): boolean => {
    const hostname = name.replace(/:\d+$/, '');
    return name === own.host || hostname === own.hostname || (LOOPBACK.test(own.hostname) && LOOPBACK.test(hostname));
  };
  return isOwn(host) && (origin === undefined || (URL.canParse(origin) && isOwn(new URL(origin).host)));
}

export interface SentCredential {
  readonly value: string;
  readonly scheme: Scheme;
  /** False if the request has two. The API refuses such calls. */
  readonly isOnly: boolean;
}

export function credentialOf({ headers: { 'x-api-key': apiKey, authorization } }: FastifyRequest): SentCredential | undefined {
  if (typeof apiKey === 'string') return { value: apiKey, scheme: 'api-key', isOnly: !authorization };
  const [, token] = /^bearer (.+)$/i.exec(authorization ?? '') ?? [];
  return token === undefined ? undefined : { value: token, scheme: 'bearer', isOnly: true };
}

/** API keys work everywhere. An access token works here only if it was issued for the tool server. */
export function isForTools({ audience }: Principal, publicUrl: string): boolean {
  return audience === null || audience === `${publicUrl}${MCP_PATH}`;
}

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
