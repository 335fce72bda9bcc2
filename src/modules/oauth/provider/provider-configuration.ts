import { errors, interactionPolicy } from 'oidc-provider';
import type { Account, AdapterFactory, AuthorizationDetail, Client, Configuration, JWK, KoaContextWithOIDC } from 'oidc-provider';
import { SIGN_IN_WAYS, type SignInWay } from '../../../api/console/page.js';
import { MAX_PROJECTS } from '../../../kernel/product.js';
import type { UserFacts } from '../../users/index.js';
import { applicationOf, isFapi2, sharedClientOf } from '../applications/client-metadata.js';
import type { DevicePages } from '../devices/device.pages.js';
import { CONSENT_DAYS } from '../interactions/consent.page.js';
import { ASSERTION_ALGORITHMS, DPOP_ALGORITHMS, FAPI2_ALGORITHMS } from '../proofs/dpop-proofs.js';
import { type Resources, CLIENT_AUTH_METHODS, ROUTES } from '../resources.js';
import { areProjectIds, askedProjects, CLAIM_PROJECTS, detailsOf, inBoth, projectsIn } from './asked-projects.js';
import { claimsOfSignIn, FRESH_SIGN_IN_PARAMETERS, lacksPasskey, signedInSince } from './fresh-sign-in.js';
import type { Accounts } from './provider-hooks.js';

const ALGORITHMS: Configuration['enabledJWA'] = { dPoPSigningAlgValues: DPOP_ALGORITHMS, clientAuthSigningAlgValues: ASSERTION_ALGORITHMS };
/** The `jti` of an assertion is remembered until the assertion expires. So it must expire soon. */
const ASSERTION_MAX_SECONDS = 3600;
const JTI_MAX_LENGTH = 256;

/** How far the clock of a client may be ahead: the least and the most that FAPI 2.0 has. */
const CLOCK_TOLERANCE_SECONDS = 10;
const AHEAD_MAX_SECONDS = 60;

type Claims = Readonly<Record<string, unknown>>;

/**
 * An assertion is for this server alone: another one that it names could use it here, and one that names an endpoint can have been
 * asked for by a server that claims to have it (audience injection, RFC 7523bis). The library takes it if we are among several.
 */
function requireOwnAssertion(takesOldAudiences: boolean) {
  return ({ oidc, path }: KoaContextWithOIDC, claims: Claims, header: Claims, client: Client): Promise<void> => {
    const { aud, exp, jti } = claims;
    if (isFapi2(client)) requireFapi2Assertion(claims, header, oidc.issuer);
    const own = takesOldAudiences ? [oidc.issuer, oidc.issuer + ROUTES.token, oidc.issuer + path] : [oidc.issuer];
    if ([aud].flat().some((one) => !own.includes(one as string)))
      throw new errors.InvalidClientAuth(`the aud of the assertion must be the issuer alone: ${oidc.issuer}`);
    if (typeof exp !== 'number' || exp > Date.now() / 1000 + ASSERTION_MAX_SECONDS)
      throw new errors.InvalidClientAuth(`the assertion must expire within ${ASSERTION_MAX_SECONDS} seconds`);
    if (typeof jti !== 'string' || jti.length > JTI_MAX_LENGTH)
      throw new errors.InvalidClientAuth(`the jti of the assertion must be a text of at most ${JTI_MAX_LENGTH} characters`);
    return Promise.resolve();
  };
}

function requireFapi2Assertion({ aud, iat, nbf }: Claims, { alg }: Claims, issuer: string): void {
  if (aud !== issuer) throw new errors.InvalidClientAuth(`the aud of the assertion must be a text, the issuer: ${issuer}`);
  if (!FAPI2_ALGORITHMS.includes(alg as string))
    throw new errors.InvalidClientAuth(`the assertion must be signed with ${FAPI2_ALGORITHMS.join(', ')}`);
  const latest = Date.now() / 1000 + AHEAD_MAX_SECONDS;
  if ([iat, nbf].some((time) => time !== undefined && !(typeof time === 'number' && time <= latest)))
    throw new errors.InvalidClientAuth(`iat and nbf of the assertion may be ${AHEAD_MAX_SECONDS} seconds ahead`);
}

/** Tokens bound to a key (RFC 9449) or projects (RFC 9396), pushed requests (RFC 9126), devices on which nobody can sign in (RFC 8628). */
function extensions(dependencies: ProviderDependencies) {
  const { devices, nonceSecret } = dependencies;
  return {
    dPoP: { enabled: true, nonceSecret, requireNonce: ({ oidc }) => isFapi2(oidc.client) },
    fapi: { enabled: true, profile: (_ctx, client) => (isFapi2(client) ? '2.0' : undefined) },
    pushedAuthorizationRequests: { enabled: true },
    richAuthorizationRequests: richAuthorizationRequests(dependencies),
    deviceFlow: {
      enabled: true,
      // 25 thousand million codes, without vowels and digits that look alike.
      charset: 'base-20',
      mask: '****-****',
      userCodeInputSource: (ctx, _form, _out, error) => devices.askForCode(ctx, error),
      userCodeConfirmSource: (ctx, _form, client, _device, code) => devices.askToContinue(ctx, client, code),
      successSource: (ctx) => devices.sayDone(ctx),
    },
  } satisfies Configuration['features'];
}

/** RFC 9396. A field that is not known could ask for less than is given. */
function requireProjects({ oidc }: KoaContextWithOIDC, { type: _, project_ids: ids, ...others }: AuthorizationDetail): void {
  if ((JSON.parse(String(oidc.params?.authorization_details)) as unknown[]).length > 1)
    throw new errors.InvalidAuthorizationDetails('authorization_details must have one object, with all projects in its project_ids');
  if (!areProjectIds(ids)) throw new errors.InvalidAuthorizationDetails(`project_ids must have 1 to ${MAX_PROJECTS} ids of claim projects`);
  if (Object.keys(others).length > 0)
    throw new errors.InvalidAuthorizationDetails(`${CLAIM_PROJECTS} has no other fields than type and project_ids`);
}

/** What is granted binds each token. The request for a token can ask for fewer projects, as for fewer scopes, and never for more. */
async function detailsOfToken(
  { accounts, resources }: ProviderDependencies,
  { oidc }: KoaContextWithOIDC,
  granted: AuthorizationDetail[] | undefined,
) {
  const asked = askedProjects(oidc.params);
  const application = asked && (await accounts.actingAs(oidc.client!));
  if (!application) return granted;
  const allowed = inBoth(projectsIn(granted), application.projectIds);
  const isAllowed = allowed ? asked.every((id) => allowed.includes(id)) : await resources.hasProjects(application, asked);
  if (!isAllowed) throw new errors.InvalidAuthorizationDetails('a token reaches no project that is not allowed, or that is not there');
  return detailsOf(asked);
}

const richAuthorizationRequests = (dependencies: ProviderDependencies) =>
  ({
    enabled: true,
    types: { [CLAIM_PROJECTS]: { validate: requireProjects } },
    authorizationDetailsForGrantSource: ({ oidc }) => oidc.entities.Grant?.rar,
    authorizationDetailsForAccessToken: (ctx, _token, source) => detailsOfToken(dependencies, ctx, source?.rar),
    authorizationDetailsForIntrospection: (_ctx, token) => token.rar,
  }) satisfies NonNullable<Configuration['features']>['richAuthorizationRequests'];

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface ProviderDependencies {
  readonly issuer: string;
  readonly resources: Resources;
  readonly adapter: AdapterFactory;
  readonly cookieKeys: string[];
  readonly signingKey: JWK & { readonly alg: 'ES256' };
  readonly accounts: Pick<Accounts, 'actingAs' | 'findUser' | 'isSignedIn' | 'mayStillGrant'>;
  readonly devices: DevicePages;
  readonly nonceSecret: Buffer;
  /** Of assertions: the token endpoint and the endpoint that is called, beside the issuer. */
  readonly takesOldAudiences: boolean;
  readonly renderError: NonNullable<Configuration['renderError']>;
}

export function providerConfiguration(dependencies: ProviderDependencies): Configuration {
  return {
    adapter: dependencies.adapter,
    extraParams: FRESH_SIGN_IN_PARAMETERS,
    extraTokenClaims: claimsOfSignIn,
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
      names: cookieNames(dependencies.issuer),
      long: { signed: true, httpOnly: true, sameSite: 'lax' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    features: features(dependencies),
    enabledJWA: ALGORITHMS,
    assertJwtClientAuthClaimsAndHeader: requireOwnAssertion(dependencies.takesOldAudiences),
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    findAccount: (ctx, userId, token) => findAccount(dependencies, ctx, userId, token),
    // Tokens stay valid after the user's browser session ends.
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => Promise.resolve(client.grantTypeAllowed('refresh_token')),
    // FAPI 2.0: a lost answer must not lose the access, and a stolen token is of no use without the keys of its application.
    rotateRefreshToken: ({ oidc }) => !isFapi2(oidc.client),
    pkce: { required: () => true },
    interactions: { url: (_ctx, { uid }) => `/oauth/interaction/${uid}`, policy: policyOf(dependencies) },
    loadExistingGrant: (ctx) => existingGrant(ctx),
    renderError: dependencies.renderError,
    routes: ROUTES,
    // Each refresh gives a token for another 30 days, until the consent ends: after a year the user is asked again. One that is not
    // replaced lasts that long.
    ttl: {
      AccessToken: HOUR,
      ClientCredentials: HOUR,
      AuthorizationCode: MINUTE,
      RefreshToken: (_ctx, _token, client) => (isFapi2(client) ? CONSENT_DAYS : 30) * DAY,
      Grant: CONSENT_DAYS * DAY,
      Session: 8 * HOUR,
      Interaction: 30 * MINUTE,
      DeviceCode: 10 * MINUTE,
    },
  };
}

type AnyToken = { scope?: string; readonly scopes: ReadonlySet<string>; readonly accountId?: string };
/** Not those of the console. Over https a browser takes them from this host alone, or where they have a path, over https alone. */
function cookieNames(issuer: string) {
  const [host, path] = issuer.startsWith('https:') ? ['__Host-', '__Secure-'] : ['', ''];
  return { session: `${host}claims_oauth`, interaction: `${path}claims_interaction`, resume: `${path}claims_interaction_resume` };
}

function features(dependencies: ProviderDependencies): Configuration['features'] {
  const isOwn = (client: Client, token: { clientId?: string }): boolean => token.clientId === client.clientId;
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    ...extensions(dependencies),
    clientCredentials: { enabled: true },
    // Public applications cannot introspect: anyone can call with their client id.
    introspection: {
      enabled: true,
      allowedPolicy: async (_ctx, client, token) =>
        isOwn(client, token) && client.tokenEndpointAuthMethod !== 'none' && (await isInForce(dependencies, client, token)),
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

/** Whether the user of a token may still use the application. From here on, the token has only the scopes that are in force. */
async function isInForce({ accounts, resources }: ProviderDependencies, client: Client, token: AnyToken): Promise<boolean> {
  const user = token.accountId === undefined ? null : await accounts.findUser(token.accountId, client, { isGranted: true });
  const approved = [...token.scopes].filter((scope) => applicationOf(client).scopes.includes(scope));
  token.scope = resources.allowedTo(user, approved).join(' ');
  return user !== undefined;
}

/** A token gets the requested scopes that the application is approved for; without a request all approved scopes. */
function resourceServer({ resources }: ProviderDependencies, { oidc }: KoaContextWithOIDC, resource: string) {
  const audience = resources.named(resource);
  if (audience === undefined) throw new errors.InvalidTarget();
  // No administrator approved a shared application: it may ask for all scopes, and users decide.
  const approved = sharedClientOf(oidc.client!) ? resources.scopes : applicationOf(oidc.client!).scopes;
  const params = oidc.params as { scope?: string };
  const asked = params.scope?.split(' ');
  const given = asked ? asked.filter((scope) => approved.includes(scope)) : approved;
  if (given.length === 0)
    throw new errors.InvalidScope('none of the requested scopes is among those that the application was approved for', params.scope ?? '');
  // A refresh can only narrow the scopes of the consent, which the library checks. The other grants set the scopes here.
  if (oidc.route !== 'token' || oidc.params?.grant_type === 'client_credentials') params.scope = given.join(' ');
  // Known at the token endpoint: a code or refresh token gives no more than the role of its user allows by now.
  const { user } = (oidc.account ?? {}) as { readonly user?: UserFacts };
  return { scope: resources.allowedTo(user, approved).join(' '), audience, accessTokenFormat: 'opaque' as const, accessTokenTTL: HOUR };
}

async function findAccount(
  { accounts }: ProviderDependencies,
  { oidc }: KoaContextWithOIDC,
  userId: string,
  token: object | undefined,
): Promise<Account | undefined> {
  const isGranted = oidc.route === 'token';
  const user = oidc.client && (await accounts.findUser(userId, oidc.client, { isGranted }));
  if (!user || (isGranted && !(await accounts.mayStillGrant(userId, signInWayOf(token))))) return undefined;
  return { accountId: userId, user, claims: () => ({ sub: userId }) };
}

/** How somebody signed in before they allowed this. Of what is older than this note, by password. */
function signInWayOf(granted: { readonly amr?: string[] } | undefined): SignInWay {
  return SIGN_IN_WAYS.find((way) => granted?.amr?.includes(way)) ?? 'password';
}

/** Who is signed in, the console's session says at each step: a browser has one, so a user of another organization has to sign in again. */
function policyOf({ accounts }: ProviderDependencies) {
  const policy = interactionPolicy.base();
  const isSignedOut = async (ctx: KoaContextWithOIDC): Promise<boolean> => {
    const { session } = ctx.oidc;
    const request = { headers: ctx.headers, ip: ctx.ip };
    if (session?.accountId === undefined) return false;
    return !(await accounts.isSignedIn(request, { userId: session.accountId, by: signInWayOf(session), sinceMs: signedInSince(ctx) }));
  };
  const isFromOtherOrganization = async (ctx: KoaContextWithOIDC): Promise<boolean> => {
    const { session, client } = ctx.oidc;
    return session?.accountId !== undefined && !(await accounts.findUser(session.accountId, client!, { isGranted: false }));
  };
  const { checks } = policy.get('login')!;
  checks.add(new interactionPolicy.Check('signed_out', 'the user is no longer signed in', 'login_required', isSignedOut));
  checks.add(new interactionPolicy.Check('other_organization', 'the user belongs to another organization', isFromOtherOrganization));
  checks.add(new interactionPolicy.Check('no_passkey', 'the user has not signed in by a passkey', 'login_required', lacksPasskey));
  return policy;
}

/** Without a secret, and the answer goes to an app on a device: any program there can send requests in its name (RFC 8252, 8.6). */
const mayBeAnyApp = (client: Client, params: KoaContextWithOIDC['oidc']['params']): boolean =>
  client.clientAuthMethod === 'none' && !String(params?.redirect_uri).startsWith('https:');

/** A consent of another user does not count. Users are always asked where anyone can send a request in the name of an application. */
async function existingGrant(ctx: KoaContextWithOIDC) {
  const { client, session, account, result, provider, params } = ctx.oidc;
  const earlier = sharedClientOf(client!) || mayBeAnyApp(client!, params) ? undefined : session!.grantIdFor(client!.clientId);
  const grantId = result?.consent?.grantId ?? earlier;
  const grant = grantId ? await provider.Grant.find(grantId) : undefined;
  return grant?.accountId === account?.accountId ? grant : undefined;
}
