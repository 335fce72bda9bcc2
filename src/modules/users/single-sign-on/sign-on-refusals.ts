import { causesOf, ProviderUnusable, ProviderSilent } from './provider-client.js';

/** Why a sign-in by an identity provider was refused: the reason in the audit log, and what the page says. */
export const SIGN_ON_REFUSALS = {
  expired: 'This sign-in has expired, or it was begun in another browser. Begin again.',
  provider_unreachable: 'The sign-in service of your company does not answer as it should. Try again in a few minutes, or tell an owner.',
  provider_refused: 'The sign-in service of your company did not confirm who you are. Try again, or tell an owner of your organization.',
  client_refused: 'The sign-in service of your company does not accept us: tell an owner that the client ID or its secret is wrong.',
  email_missing:
    'The sign-in service of your company did not say an e-mail address that can be used here. Tell an owner of your organization.',
  email_unverified:
    'The sign-in service of your company does not say that it has verified your e-mail address. Verify it there, or tell an owner: ' +
    'it has to send the claim email_verified.',
  domain_not_allowed: 'Your organization does not allow e-mail addresses of this domain. Use your company’s address, or tell an owner.',
  user_removed: 'Your access to this organization was removed. Ask an owner to invite you again.',
  other_subject:
    'Your e-mail address belongs to another account at the sign-in service of your company. Tell an owner of your organization.',
  too_many_members: 'Your organization has as many members as it can have. Tell an owner of your organization.',
} as const;

export type SignOnRefusal = keyof typeof SIGN_ON_REFUSALS;

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
