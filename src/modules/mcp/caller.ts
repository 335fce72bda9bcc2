import type { Caller } from './offer.js';
import type { Rest } from './rest-call.js';

/** Who calls, as the API sees it: what it may do is asked anew each time. */
export async function callerOf(rest: Rest): Promise<Caller> {
  const { status, body } = await rest({ method: 'GET', url: '/v1/auth/context', headers: {}, body: undefined });
  if (status !== 200) throw new Error(`The API answered ${status}: ${(body as { detail?: string } | undefined)?.detail ?? 'the credential cannot be used'}`);
  const { credential, organization } = body as { credential: { scopes: string[] }; organization: { plan: Caller['plan'] } };
  return { scopes: credential.scopes, plan: organization.plan };
}
