import type { FastifyRequest } from 'fastify';
import { INVALID_REQUEST, McpRefusal } from './mcp-refusal.js';

/** All of them name this machine, so a service at one may be called by any. No foreign web page has one of these hosts. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Whether Host names this service. Otherwise a foreign web page could call it through DNS rebinding. A page of any origin may call
 * it by its own name: the credential is in a header, so the page must have one.
 */
export function namesThisService({ headers: { host = '' } }: FastifyRequest, publicUrl: string): boolean {
  const own = new URL(publicUrl);
  const hostname = host.replace(/:\d+$/, '');
  return host === own.host || hostname === own.hostname || (LOOPBACK.test(own.hostname) && LOOPBACK.test(hostname));
}

/**
 * The most members that all objects of a request may have together. The SDK checks members one by one: a megabyte of them would
 * block the process for a second. Valid inputs of a tool have fewer, even if their free-form objects are as large as they may be.
 */
export const MEMBERS_MAX = 15_000;

export function checkMembers(body: unknown): void {
  if (membersOf(body) <= MEMBERS_MAX) return;
  const message = `The objects of a request may have at most ${MEMBERS_MAX} members together.`;
  throw new McpRefusal({ status: 400, code: 'too_many_members', message, rpcCode: INVALID_REQUEST });
}

/** The body is nested a limited number of levels: it was checked when it was read. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, item) => sum + membersOf(item), Array.isArray(value) ? 0 : inner.length);
}

/** The most messages in one request. Only revision 2025-03-26 has requests with several. */
export const BATCH_MAX = 100;

/**
 * How many messages a body has. A batch that is larger than the burst of the rate limit could never be let in, however long its
 * sender waited.
 */
export function messagesIn(body: unknown, burst: number): number {
  if (!Array.isArray(body)) return 1;
  const max = Math.min(BATCH_MAX, burst);
  if (body.length <= max) return body.length;
  const message = `A batch may have at most ${max} messages. Each of them counts against the rate limit.`;
  throw new McpRefusal({ status: 400, code: 'batch_too_large', message, rpcCode: INVALID_REQUEST });
}
