import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Principal } from '../../../api/access/principal.js';
import { callInProcess } from '../../../api/http/in-process.js';
import { AUTH_CONTEXT, CHANNEL, type CallRest } from '../tools/rest-call.js';
import type { HttpRefusal } from './request-checks.js';

/** Calls the API for the client of a request, within the process. Everything but the network is as for a call from outside. */
export function restInProcess(fastify: FastifyInstance, { headers, ip, id }: FastifyRequest, principal?: Principal): CallRest {
  const { 'x-api-key': apiKey, authorization, host = '' } = headers;
  const credential = { ...(typeof apiKey === 'string' && { 'x-api-key': apiKey }), ...(authorization !== undefined && { authorization }) };
  return async ({ method, url, headers: further, body, isDryRun }) => {
    const answer = await callInProcess(fastify, {
      method,
      url,
      headers: {
        ...credential,
        ...further,
        host,
        accept: 'application/json',
        'x-request-id': id,
        ...(body && { 'content-type': 'application/json' }),
      },
      remoteAddress: ip,
      body: body && JSON.stringify(body),
      channel: CHANNEL,
      principal,
      isDryRun,
    });
    const { status, body: text } = answer;
    const retryAfter = answer.headers['retry-after'] as string | undefined;
    return text === '' ? { status, body: undefined, retryAfter } : { status, body: JSON.parse(text), text, retryAfter };
  };
}

/** Why the API refuses the credential of a request. */
export async function refusalOf(callRest: CallRest): Promise<HttpRefusal & { readonly retryAfter: string | undefined }> {
  const { status, body, retryAfter } = await callRest(AUTH_CONTEXT);
  const { code = 'rejected', detail = 'The credential cannot be used.' } = (body ?? {}) as { code?: string; detail?: string };
  return { status, code, message: detail, retryAfter };
}
