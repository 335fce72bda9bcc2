import type { Interaction } from 'oidc-provider';
import type { SignedIn } from '../../../api/console/page.js';

/** Signed in by something that cannot be had by a forged page: a passkey. The name is registered for OpenID Connect. */
export const PASSKEY_ACR = 'phr';

/** RFC 9470. The library knows these of OpenID Connect, and refuses them elsewhere: so they have names of our own in it. */
export const OWN_NAMES = { max_age: 'sign_in_max_age', acr_values: 'sign_in_acr' } as const;
export const { max_age: MAX_AGE, acr_values: ACR } = OWN_NAMES;
type Params = Readonly<Record<string, unknown>>;

/** Seconds; undefined if a sign-in may be as old as it likes. */
export const maxAgeOf = (params: Params | undefined): number | undefined => {
  const asked = params?.[MAX_AGE];
  return asked === undefined ? undefined : Number(asked);
};

/** Of several, one is enough; those that are not known here ask for nothing. */
export const asksForPasskey = (params: Params | undefined): boolean => params?.[ACR] === PASSKEY_ACR;

/** Whether a sign-in is new and strong enough for what is asked. With `prompt=login` or `max_age`, a press of “continue” is no new one. */
export function isEnough(
  { prompt, params, iat = 0 }: Interaction,
  { signedInAt, signedInBy }: Pick<SignedIn, 'signedInAt' | 'signedInBy'>,
) {
  const maxAge = prompt.reasons.includes('login_prompt') ? 0 : maxAgeOf(params);
  const isNew = maxAge === undefined || Date.parse(signedInAt) >= (iat - maxAge) * 1000;
  return isNew && (signedInBy === 'passkey' || !asksForPasskey(params));
}
