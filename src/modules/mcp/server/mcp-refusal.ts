import type { FastifyReply } from 'fastify';
import { Problem } from '../../../kernel/problems.js';
import { REFUSED } from '../tools/tool.js';

const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;

interface HttpRefusal {
  readonly status: number;
  /** For programs: a problem code of the API, or one of this server. */
  readonly code: string;
  readonly message: string;
  readonly rpcCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that the tool server refuses by itself. What the API would refuse, too, is a `Problem`. */
export class McpRefusal extends Error {
  constructor(readonly refusal: HttpRefusal) {
    super(refusal.message);
  }
}

/** Answers what is refused before the protocol is spoken: as a JSON-RPC error that belongs to no message. */
export function sendRefusal(reply: FastifyReply, error: Problem | McpRefusal): void {
  const { status, code, message, rpcCode = REFUSED, headers = {} } = error instanceof Problem ? refusalOf(error) : error.refusal;
  void reply
    .status(status)
    .headers({ ...headers, 'Content-Type': 'application/json; charset=utf-8' })
    .send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: rpcCode, message, data: { error: code } } }));
}

/** People see the message only, so it says when to try again. */
function refusalOf({ status, code, detail, headers }: Problem): HttpRefusal {
  const retryAfter = headers['Retry-After'];
  const message = retryAfter === undefined ? detail : `${detail} Try again in ${retryAfter} s.`;
  return { status, code, message, headers, ...(code === 'malformed_json' && { rpcCode: PARSE_ERROR }) };
}
