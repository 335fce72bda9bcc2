import { causesOf, ProviderUnusable } from './provider-client.js';
import { ProviderSilent } from './provider-requests.js';
import type { SignOnRefusal } from './sign-on-refusals.js';

/** Of a client id or secret that the provider does not accept. */
const CLIENT_REFUSED = ['invalid_client', 'unauthorized_client', 'OAUTH_WWW_AUTHENTICATE_CHALLENGE'];

/** Why a sign-in failed, without the words of the provider. */
export function reasonOf(error: unknown): SignOnRefusal {
  const causes = causesOf(error) as (Error & { readonly code?: string; readonly error?: string })[];
  if (causes.some((cause) => cause instanceof ProviderSilent || cause instanceof ProviderUnusable)) return 'provider_unreachable';
  return causes.some(({ code = '', error: said = '' }) => CLIENT_REFUSED.includes(said) || CLIENT_REFUSED.includes(code))
    ? 'client_refused'
    : 'provider_refused';
}
