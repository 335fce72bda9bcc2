import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { inject } from 'light-my-request';
import type { Principal } from '../access/principal.js';

/** A call that the service makes to its own API, for a caller it is serving. */
export interface InProcessCall {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly remoteAddress: string;
  readonly body: string | undefined;
  /** The client that the call is made through, as the audit log names it. */
  readonly channel: string;
  /** The caller, if already let in: neither the credential nor the rate limit is then asked again. */
  readonly principal?: Principal | undefined;
  /** Only check the call: it ends before the operation starts. */
  readonly isDryRun?: boolean | undefined;
}

export interface InProcessAnswer {
  readonly status: number;
  readonly body: string;
  readonly bytes: Buffer;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
}

const calls = new WeakMap<IncomingMessage, InProcessCall>();

/** Calls the API without the network. The call passes the same hooks, guards and routes as a request from outside. */
export async function callInProcess(fastify: FastifyInstance, call: InProcessCall): Promise<InProcessAnswer> {
  const { method, url, headers, remoteAddress, body } = call;
  const answer = await inject(
    (request, response) => {
      calls.set(request, call);
      fastify.routing(request, response);
    },
    { method, url, headers, remoteAddress, ...(body !== undefined && { payload: body }) },
  );
  return { status: answer.statusCode, body: answer.payload, bytes: answer.rawPayload, headers: answer.headers };
}

/**
 * The in-process call behind a request; undefined for every request from the network. A client cannot fake one: it is known by
 * the identity of the request object, not by anything the request says.
 */
export const inProcessCallOf = ({ raw }: FastifyRequest): Pick<InProcessCall, 'channel' | 'principal' | 'isDryRun'> | undefined =>
  calls.get(raw);
