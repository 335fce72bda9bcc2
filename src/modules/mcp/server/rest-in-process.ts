import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callInProcess } from '../../../api/http/in-process.js';
import { CHANNEL, type CallRest } from '../tools/rest-call.js';

type Caller = Pick<FastifyRequest, 'headers' | 'ip' | 'id' | 'principal'>;

/**
 * Calls the API for the client of a request, within the process. Everything but the network is as for a call from outside, and
 * the client was let in already: its credential is not passed on.
 */
export function restInProcess(fastify: FastifyInstance, { headers: { host = '' }, ip, id, principal }: Caller): CallRest {
  return async ({ method, url, headers: further, body, isDryRun, isFile = false }) => {
    const answer = await callInProcess(fastify, {
      method,
      url,
      headers: {
        ...further,
        host,
        accept: isFile ? '*/*' : 'application/json',
        'x-request-id': id,
        ...(body && { 'content-type': 'application/json' }),
      },
      remoteAddress: ip,
      body: body && JSON.stringify(body),
      channel: CHANNEL,
      principal: principal!,
      isDryRun,
    });
    const { status, body: text } = answer;
    if (isFile && status === 200)
      return { status, body: undefined, file: { mediaType: answer.headers['content-type'] as string, bytes: answer.bytes } };
    const retryAfter = answer.headers['retry-after'] as string | undefined;
    return text === '' ? { status, body: undefined, retryAfter } : { status, body: JSON.parse(text), text, retryAfter };
  };
}
