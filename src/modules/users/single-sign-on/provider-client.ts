import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type * as openidClient from 'openid-client';
import type { Configuration, CustomFetchOptions, ServerMetadata } from 'openid-client';
import { atMost } from '../../../kernel/bounded.js';
import { say } from '../../../api/console/say.js';
import { hostOf, LookUps } from '../../../api/outbound/look-ups.js';
import { reasonOfNoAnswer, StrangerClient, textWithin, TIMEOUT_SECONDS } from '../../../api/outbound/stranger-client.js';
import type { NoAnswerReason } from '../../../api/outbound/stranger-client.js';
import { isAddressIn } from '../../../kernel/addresses.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import type { IdentityProvider } from '../user.entity.js';
import { secretBoundTo } from './single-sign-on.repository.js';

export const CALLBACK_PATH = '/console/sign-in/callback';
const SCOPES = 'openid email profile';
/** What providers say about themselves, and their keys, are remembered for as many of them, and for as long. */
const REMEMBERED = 200;
const REMEMBERED_MS = 600_000;

/** What binds the answer of a provider to its question. */
export interface Question {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What is wrong with a provider. The message continues "The provider cannot be used: ". */
export class ProviderUnusable extends Error {}

/** Requests to identity providers, whose addresses organizations chose. */
@Injectable()
export class ProviderRequests implements OnApplicationShutdown {
  private readonly client: StrangerClient;

  constructor(
    private readonly settings: Settings,
    lookUps: LookUps,
  ) {
    const allowed = settings.identityProviderAllowedNetworks;
    this.client = new StrangerClient({ what: 'Requests to identity providers', owner: 'identity providers', lookUps, allowed });
  }

  onApplicationShutdown(): Promise<void> {
    return this.client.close();
  }

  /** Whether requests may go there at all: https, or an address that the operator has allowed. */
  isAllowed(url: string): boolean {
    return new URL(url).protocol === 'https:' || isAddressIn(hostOf(url), this.settings.identityProviderAllowedNetworks);
  }

  /** Such as the library takes it in the place of `fetch`. */
  readonly fetch = async (url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> => {
    if (!this.isAllowed(url)) throw new ProviderSilent('one of its addresses does not begin with https://');
    try {
      return await this.client.request(url, { method: method as 'GET', headers, body: textOf(body) }, async (answer) => {
        const text = await textWithin(ANSWER_MAX_BYTES, answer.body);
        const type = String(answer.headers['content-type'] ?? '');
        const status = answer.statusCode;
        return new Response(WITHOUT_BODY.includes(status) ? null : text, { status, headers: { 'Content-Type': type } });
      });
    } catch (error) {
      throw new ProviderSilent(REASONS[reasonOfNoAnswer(error)], { cause: error });
    }
  };
}

/** The client of identity providers. The protocol is the library's: this says which parts of it, and with which requests. */
@Injectable()
export class ProviderClient {
  private readonly known = new LRUCache<string, Configuration>({ ...atMost(REMEMBERED), ttl: REMEMBERED_MS });

  constructor(
    private readonly requests: ProviderRequests,
    private readonly secrets: Secrets,
    private readonly settings: Settings,
  ) {}

  get redirectUri(): string {
    return this.settings.publicUrl + CALLBACK_PATH;
  }

  /** Asks the provider anew. Throws `ProviderUnusable`. */
  async check(provider: IdentityProvider): Promise<ServerMetadata> {
    return (await this.discover(provider)).serverMetadata();
  }

  /** Where the browser is sent. Throws `ProviderUnusable`. */
  async addressFor(provider: IdentityProvider): Promise<Question & { readonly url: string }> {
    const openid = await import('openid-client');
    const configuration = await this.readConfiguration(provider);
    const verifier = openid.randomPKCECodeVerifier();
    const question = { state: openid.randomState(), nonce: openid.randomNonce(), verifier };
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: SCOPES,
      state: question.state,
      nonce: question.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { ...question, url: url.href };
  }

  /** `search` is the query of the address they come back to. Providers may tell the e-mail address at their UserInfo endpoint only. */
  async claimsFor(provider: IdentityProvider, { state, nonce, verifier }: Question, search: string): Promise<Record<string, unknown>> {
    const openid = await import('openid-client');
    const configuration = await this.readConfiguration(provider);
    const current = new URL(this.redirectUri);
    current.search = search;
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await openid.authorizationCodeGrant(configuration, current, checks);
    const claims = tokens.claims()!;
    const wanted = ['email', ...(provider.roleClaim === null ? [] : [provider.roleClaim])];
    if (wanted.every((name) => name in claims) || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    // It has the same subject: the library compares.
    return { ...(await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
  }

  private async readConfiguration(provider: IdentityProvider): Promise<Configuration> {
    const key = `${provider.id} ${provider.updatedAt}`;
    const known = this.known.get(key);
    if (known) return known;
    const found = await this.discover(provider);
    this.known.set(key, found);
    return found;
  }

  private async discover(provider: IdentityProvider): Promise<Configuration> {
    const openid = await import('openid-client');
    const { customFetch, allowInsecureRequests, enableNonRepudiationChecks } = openid;
    const { issuer, clientId, clientSecret, id } = provider;
    const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
    const secret = this.secrets.decrypt(clientSecret, secretBoundTo(id));
    // A code that came over TLS would do without: the signature of the ID token is verified all the same.
    const options = { [customFetch]: this.requests.fetch, execute: [enableNonRepudiationChecks, ...insecure] };
    try {
      const found = await openid.discovery(new URL(issuer), clientId, secret, authenticationOf(openid, secret), options);
      requireUsable(found, issuer, (url) => this.requests.isAllowed(url));
      return found;
    } catch (error) {
      throw error instanceof ProviderUnusable ? error : unusable(error);
    }
  }
}

type Library = typeof openidClient;

/** The secret in a header, as all providers must accept it by default; in the body for those that say they accept only that. */
function authenticationOf({ ClientSecretBasic, ClientSecretPost }: Library, secret: string): ReturnType<Library['ClientSecretPost']> {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: supported = ['client_secret_basic'] } = server;
    return (supported.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

function requireUsable(configuration: Configuration, issuer: string, isAllowed: (url: string) => boolean): void {
  const metadata = configuration.serverMetadata();
  // The library accepts the common issuers of Entra ID. There, any company of the world could send us the addresses of another one.
  if (new URL(metadata.issuer).href !== new URL(issuer).href)
    throw new ProviderUnusable(say('console.users.unusable.issuer', { issuer: metadata.issuer }));
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const url = metadata[name];
    if (url === undefined || !URL.canParse(url)) throw new ProviderUnusable(say('console.users.unusable.missing', { name }));
    if (!/^https?:/.test(url) || !isAllowed(url)) throw new ProviderUnusable(say('console.users.unusable.insecure', { name }));
  }
}

function unusable(error: unknown): ProviderUnusable {
  const silent = causesOf(error).find((cause) => cause instanceof ProviderSilent);
  if (silent) return new ProviderUnusable(silent.message);
  const { code, cause } = error as { code?: string; cause?: unknown };
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && cause instanceof Response)
    return new ProviderUnusable(say('console.users.unusable.status', { status: String(cause.status) }));
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return new ProviderUnusable('it says that it has another issuer');
  return new ProviderUnusable('what it says about itself is not the configuration of an OpenID Connect provider');
}

export function causesOf(error: unknown): Error[] {
  const found: Error[] = [];
  for (let at = error; at instanceof Error && found.length < 10; at = at.cause) found.push(at);
  return found;
}

const ANSWER_MAX_BYTES = 256 * 1024;
/** `Response` takes no body with these. */
const WITHOUT_BODY = [204, 205, 304];

export class ProviderSilent extends Error {}

const REASONS: Readonly<Record<NoAnswerReason, string>> = {
  busy: 'too many requests to it are under way',
  not_public: 'its address is not public',
  slow: `it takes longer than ${TIMEOUT_SECONDS} seconds`,
  too_large: `its answer is larger than ${ANSWER_MAX_BYTES / 1024} KiB`,
  unreachable: 'its server cannot be reached',
};

/** The library sends forms, or nothing. */
const textOf = (body: unknown): string | null => (body instanceof URLSearchParams ? body.toString() : null);
