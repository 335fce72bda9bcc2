import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Principal } from '../../api/access/principal.js';
import { callInProcess } from '../../api/http/in-process.js';
import type { Rest, RestAnswer } from './rest-call.js';

/** Calls of the API take the whole way that a call from outside takes, but for the network; who calls is found once. */
export function restWithin(fastify: FastifyInstance, host: string, { headers, ip, id }: FastifyRequest, principal?: Principal): Rest {
  const credential = { 'x-api-key': headers['x-api-key'] as string | undefined, authorization: headers.authorization };
  return async ({ method, url, headers: further, body, isDryRun }): Promise<RestAnswer> => {
    const sent = {
      ...credential,
      ...further,
      host,
      accept: 'application/json',
      'x-request-id': id,
      'content-type': body && 'application/json',
    };
    const {
      statusCode: status,
      payload: text,
      sentHeaders,
    } = await callInProcess(fastify, {
      method,
      url,
      headers: sent,
      remoteAddress: ip,
      payload: body && JSON.stringify(body),
      principal,
      isDryRun,
    });
    const retryAfter = sentHeaders['retry-after'] as string | undefined;
    return text === '' ? { status, body: undefined, retryAfter } : { status, body: JSON.parse(text), text, retryAfter };
  };
}
