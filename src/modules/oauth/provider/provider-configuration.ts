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
import { applicationOf } from '../applications/client-metadata.js';
import { CONSENT_DAYS } from '../lifetimes.js';
import { sharedClientOf } from '../shared/shared-client.js';
import { CLIENT_AUTH_METHODS, ROUTES } from '../routes.js';
import type { DevicePages } from '../devices/device-pages.js';
import { ALGORITHMS, extensions, requireShortAssertion } from './extensions.js';
import type { Resources } from '../resources.js';
import type { Accounts } from './accounts.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What the configuration needs from the rest of the program. */
export interface ProviderDependencies {
  readonly issuer: string;
  readonly resources: Resources;
  readonly adapter: AdapterFactory;
  readonly cookieKeys: string[];
  readonly signingKey: JWK & { readonly alg: 'ES256' };
  readonly accounts: Pick<Accounts, 'isUserOf'>;
  readonly devices: DevicePages;
  readonly renderError: NonNullable<Configuration['renderError']>;
}

/** Sets everything that matters explicitly: what is issued, to whom, and for how long. */
export function providerConfiguration(dependencies: ProviderDependencies): Configuration {
  return {
    adapter: dependencies.adapter,
    extraClientMetadata: { properties: ['application', 'shared'] },
    // OAuth without OpenID Connect: nothing is ever signed, but the library requires a key.
    jwks: { keys: [dependencies.signingKey] },
    clientDefaults: { id_token_signed_response_alg: dependencies.signingKey.alg },
    scopes: [],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: CLIENT_AUTH_METHODS,
    clientBasedCORS: (_ctx, origin, client) => client.redirectUris?.some((uri) => new URL(uri).origin === origin) ?? false,
    cookies: {
      keys: dependencies.cookieKeys,
      names: { session: 'claims_session', interaction: 'claims_interaction', resume: 'claims_interaction_resume' },
      long: { signed: true, httpOnly: true, sameSite: 'lax' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    features: features(dependencies),
    enabledJWA: ALGORITHMS,
    assertJwtClientAuthClaimsAndHeader: requireShortAssertion,
    findAccount: (ctx, userId) => findAccount(dependencies, ctx, userId),
    // Tokens stay valid after the user's browser session ends.
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => Promise.resolve(client.grantTypeAllowed('refresh_token')),
    rotateRefreshToken: true,
    pkce: { required: () => true },
    interactions: { url: (_ctx, { uid }) => `/oauth/interaction/${uid}`, policy: policyOf(dependencies) },
    loadExistingGrant: (ctx) => existingGrant(ctx),
    renderError: dependencies.renderError,
    routes: ROUTES,
    // Each refresh gives a token for another 30 days, until the consent ends: after a year the user is asked again.
    ttl: {
      AccessToken: HOUR,
      ClientCredentials: HOUR,
      AuthorizationCode: MINUTE,
      RefreshToken: 30 * DAY,
      Grant: CONSENT_DAYS * DAY,
      Session: 8 * HOUR,
      Interaction: 30 * MINUTE,
      DeviceCode: 10 * MINUTE,
    },
  };
}

function features(dependencies: ProviderDependencies): Configuration['features'] {
  const isOwn = (client: Client, token: { clientId?: string }): boolean => token.clientId === client.clientId;
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    ...extensions(dependencies.devices),
    clientCredentials: { enabled: true },
    // Public applications cannot introspect: anyone can call with their client id.
    introspection: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => Promise.resolve(isOwn(client, token) && client.tokenEndpointAuthMethod !== 'none'),
    },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => Promise.resolve(isOwn(client, token)) },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => dependencies.resources.api,
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, resource) => resourceServer(dependencies, ctx, resource),
    },
  };
}

/** A token gets the requested scopes that the application is approved for; without a request all approved scopes. */
function resourceServer({ resources }: ProviderDependencies, { oidc }: KoaContextWithOIDC, resource: string) {
  const audience = resources.named(resource);
  if (audience === undefined) throw new errors.InvalidTarget();
  // A shared application was approved by nobody: it may ask for all scopes, and users decide.
  const approved = sharedClientOf(oidc.client!) ? resources.scopes : applicationOf(oidc.client!).scopes;
  const params = oidc.params as { scope?: string };
  const asked = params.scope?.split(' ');
  const given = asked ? asked.filter((scope) => approved.includes(scope)) : approved;
  if (given.length === 0)
    throw new errors.InvalidScope('none of the requested scopes is among those that the application was approved for', params.scope ?? '');
  // A refresh can only narrow the scopes of the consent, which the library checks. The other grants set the scopes here.
  if (oidc.route !== 'token' || oidc.params?.grant_type === 'client_credentials') params.scope = given.join(' ');
  return { scope: approved.join(' '), audience, accessTokenFormat: 'opaque' as const, accessTokenTTL: HOUR };
}

async function findAccount({ accounts }: ProviderDependencies, { oidc }: KoaContextWithOIDC, userId: string): Promise<Account | undefined> {
  const isGranted = oidc.route === 'token';
  if (!oidc.client || !(await accounts.isUserOf(userId, oidc.client, { isGranted }))) return undefined;
  return { accountId: userId, claims: () => ({ sub: userId }) };
}

/** A user who is signed in to another organization has to sign in again: a browser has one session. */
function policyOf({ accounts }: ProviderDependencies) {
  const policy = interactionPolicy.base();
  const isFromOtherOrganization = async (ctx: KoaContextWithOIDC): Promise<boolean> => {
    const { session, client } = ctx.oidc;
    return session?.accountId !== undefined && !(await accounts.isUserOf(session.accountId, client!, { isGranted: false }));
  };
  policy
    .get('login')!
    .checks.add(new interactionPolicy.Check('other_organization', 'the user belongs to another organization', isFromOtherOrganization));
  return policy;
}

/**
 * The earlier consent of this user, so that nothing is asked twice. A consent of another user does not count. Users of a shared application
 * are always asked: for which environment, and because anyone can send a request in its name.
 */
async function existingGrant(ctx: KoaContextWithOIDC) {
  const { client, session, account, result, provider } = ctx.oidc;
  const earlier = sharedClientOf(client!) ? undefined : session!.grantIdFor(client!.clientId);
  const grantId = result?.consent?.grantId ?? earlier;
  const grant = grantId ? await provider.Grant.find(grantId) : undefined;
  return grant?.accountId === account?.accountId ? grant : undefined;
}
