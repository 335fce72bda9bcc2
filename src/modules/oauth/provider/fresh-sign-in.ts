import { errors, type Configuration, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { ACR, asksForPasskey, MAX_AGE, maxAgeOf, OWN_NAMES, PASSKEY_ACR } from './asked-sign-in.js';

function renamed<Given extends object>(given: Given): Given {
  const own = Object.create(Object.getPrototypeOf(given) as object | null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(given))
    own[Object.hasOwn(OWN_NAMES, name) ? OWN_NAMES[name as 'max_age'] : name] = value as unknown;
  return own as Given;
}

/** Both ways of parameters into the library: the query, and the form that it assigns to `body` of its context. */
export function renameParameters(provider: Provider & { readonly OIDCContext?: { readonly prototype: object } }): void {
  if (!provider.OIDCContext) throw new Error('oidc-provider no longer has OIDCContext, whose body fresh-sign-in.ts reads.');
  const bodies = new WeakMap<object, unknown>();
  Object.defineProperty(provider.OIDCContext.prototype, 'body', {
    configurable: true,
    get(this: object) {
      return bodies.get(this);
    },
    set(this: object, body: unknown) {
      bodies.set(this, typeof body === 'object' && body !== null ? renamed(body) : body);
    },
  });
  provider.use(async (ctx, next) => {
    if (Object.keys(OWN_NAMES).some((name) => name in ctx.query)) ctx.query = renamed(ctx.query);
    await next();
  });
}

const SECONDS_MAX = 31_536_000;

export const FRESH_SIGN_IN_PARAMETERS: Configuration['extraParams'] = {
  [MAX_AGE]: (_ctx, value) => {
    if (value !== undefined && !(/^\d{1,8}$/.test(value) && Number(value) <= SECONDS_MAX))
      throw new errors.InvalidRequest(`max_age must be a number of seconds, at most ${SECONDS_MAX}`);
  },
  [ACR]: null,
};

/** The time, in milliseconds, before which a sign-in does not count. Who comes back from the page has signed in there: see `isEnough`. */
export const signedInSince = ({ oidc: { params, result } }: KoaContextWithOIDC): number => {
  const maxAge = result?.login ? undefined : maxAgeOf(params);
  return maxAge === undefined ? 0 : Date.now() - maxAge * 1000;
};

/** A page was shown for it, and the person has signed in there by something else: that is told instead of asked again. */
export const lacksPasskey = ({ oidc: { session, params, result } }: KoaContextWithOIDC): boolean => {
  if (!asksForPasskey(params) || session?.accountId === undefined || session.amr?.includes('passkey')) return false;
  if (result?.login)
    throw new errors.CustomOIDCProviderError('unmet_authentication_requirements', 'the user has not signed in by a passkey');
  return true;
};

/** What introspection says of the sign-in that a token goes back to. */
export const claimsOfSignIn: Configuration['extraTokenClaims'] = ({ oidc: { entities } }) => {
  const { authTime, amr } = entities.AuthorizationCode ?? entities.RefreshToken ?? entities.DeviceCode ?? {};
  return { ...(authTime && { auth_time: authTime }), ...(amr?.includes('passkey') && { acr: PASSKEY_ACR }) };
};
