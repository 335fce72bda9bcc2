import {
  errors,
  interactionPolicy,
  type Account,
  type AdapterFactory,
  type Client,
  type Configuration,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { Settings } from '../../../kernel/settings/settings.js';
import { applicationOf } from '../applications/client-metadata.js';
import { CLIENT_AUTH_METHODS, ROUTES } from '../routes.js';
import { apiResource, resourceNamed } from '../resources.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What the authorization server has to ask of the rest of the program. */
export interface Surroundings {
  readonly settings: Settings;
  readonly adapter: AdapterFactory;
  readonly cookieKeys: string[];
  readonly signingKey: JWK & { readonly alg: 'ES256' };
  /** Whether there is such a user in the organization, who may sign in. */
  readonly isUserOf: (userId: string, organizationId: string) => Promise<boolean>;
  readonly renderError: NonNullable<Configuration['renderError']>;
}

/** Nothing is left at its default that matters: what is given, to whom, and for how long. */
export function providerConfiguration(around: Surroundings): Configuration {
  return {
    adapter: around.adapter,
    extraClientMetadata: { properties: ['application'] },
    // OAuth, and no OpenID Connect: nothing is ever signed. The server insists on a key all the same.
    jwks: { keys: [around.signingKey] },
    clientDefaults: { id_token_signed_response_alg: around.signingKey.alg },
    scopes: [],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: CLIENT_AUTH_METHODS,
    clientBasedCORS: (_ctx, origin, client) => client.redirectUris?.some((uri) => new URL(uri).origin === origin) ?? false,
    cookies: {
      keys: around.cookieKeys,
      names: { session: 'claims_session', interaction: 'claims_interaction', resume: 'claims_interaction_resume' },
      long: { signed: true, httpOnly: true, sameSite: 'lax' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    features: features(around),
    findAccount: (ctx, userId) => findAccount(around, ctx, userId),
    // A token outlives the session of the browser in which it was allowed.
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => Promise.resolve(client.grantTypeAllowed('refresh_token')),
    rotateRefreshToken: true,
    pkce: { required: () => true },
    interactions: { url: (_ctx, { uid }) => `/oauth/interaction/${uid}`, policy: policyOf(around) },
    loadExistingGrant: (ctx) => existingGrant(ctx),
    renderError: around.renderError,
    routes: ROUTES,
    // Refresh tokens slide, 30 days at a time, for as long as what the user allowed: after a year it is asked anew.
    ttl: {
      AccessToken: HOUR,
      ClientCredentials: HOUR,
      AuthorizationCode: MINUTE,
      RefreshToken: 30 * DAY,
      Grant: 365 * DAY,
      Session: 8 * HOUR,
      Interaction: 30 * MINUTE,
    },
  };
}

function features(around: Surroundings): Configuration['features'] {
  const isOwn = (client: Client, token: { clientId?: string }): boolean => token.clientId === client.clientId;
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    clientCredentials: { enabled: true },
    // Whoever holds a token of a public application can call in its name: of such tokens nothing is told.
    introspection: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => Promise.resolve(isOwn(client, token) && client.tokenEndpointAuthMethod !== 'none'),
    },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => Promise.resolve(isOwn(client, token)) },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => apiResource(around.settings),
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, resource) => resourceServer(around, ctx, resource),
    },
  };
}

/** What a token may allow: of what is asked for, that for which the application was approved; all of it where nothing is asked for. */
function resourceServer({ settings }: Surroundings, { oidc }: KoaContextWithOIDC, resource: string) {
  const audience = resourceNamed(settings, resource);
  if (audience === undefined) throw new errors.InvalidTarget();
  const { scopes: approved } = applicationOf(oidc.client!);
  const params = oidc.params as { scope?: string };
  const asked = params.scope?.split(' ');
  const given = asked ? asked.filter((scope) => approved.includes(scope)) : approved;
  if (given.length === 0)
    throw new errors.InvalidScope('none of the requested scopes is among those that the application was approved for', params.scope ?? '');
  // A refresh asks for part of what was given before, or for nothing; only where something is given first does this say what.
  if (oidc.route !== 'token' || oidc.params?.grant_type === 'client_credentials') params.scope = given.join(' ');
  return { scope: approved.join(' '), audience, accessTokenFormat: 'opaque' as const, accessTokenTTL: HOUR };
}

async function findAccount({ isUserOf }: Surroundings, { oidc }: KoaContextWithOIDC, userId: string): Promise<Account | undefined> {
  if (!oidc.client || !(await isUserOf(userId, applicationOf(oidc.client).organizationId))) return undefined;
  return { accountId: userId, claims: () => ({ sub: userId }) };
}

/** Who is signed in to another organization signs in to this one: a browser has one session. */
function policyOf({ isUserOf }: Surroundings) {
  const policy = interactionPolicy.base();
  const isStranger = async (ctx: KoaContextWithOIDC): Promise<boolean> => {
    const { session, client } = ctx.oidc;
    return session?.accountId !== undefined && !(await isUserOf(session.accountId, applicationOf(client!).organizationId));
  };
  policy
    .get('login')!
    .checks.add(new interactionPolicy.Check('other_organization', 'the user is of another organization', async (ctx) => isStranger(ctx)));
  return policy;
}

/** What a user has allowed an application before need not be asked again; what somebody else has allowed it is none of theirs. */
async function existingGrant(ctx: KoaContextWithOIDC) {
  const { client, session, account, result, provider } = ctx.oidc;
  const grantId = result?.consent?.grantId ?? session!.grantIdFor(client!.clientId);
  const grant = grantId ? await provider.Grant.find(grantId) : undefined;
  return grant?.accountId === account?.accountId ? grant : undefined;
}
