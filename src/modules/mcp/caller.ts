import { ProtocolError } from '@modelcontextprotocol/server';
import type { Caller } from './offer.js';
import { REFUSED, type Rest } from './rest-call.js';

/** Who calls, as the API sees it: what it may do is asked anew each time. */
export async function callerOf(rest: Rest): Promise<Caller> {
  const { status, body, retryAfter } = await rest({ method: 'GET', url: '/v1/auth/context', headers: {}, body: undefined });
  if (status !== 200) {
    const { detail = 'The credential cannot be used.' } = (body ?? {}) as { detail?: string };
    throw new ProtocolError(REFUSED, `${detail}${retryAfter === undefined ? '' : ` Try again in ${retryAfter} s.`}`, body);
  }
  const { credential, organization } = body as { credential: { scopes: string[] }; organization: { plan: Caller['plan'] } };
  return { scopes: credential.scopes, plan: organization.plan };
}
