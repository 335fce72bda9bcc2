import { BASE_URL } from '../generated.js';
import type { Fetch } from '../options.js';
import { serviceAt } from '../service.js';
import { OAuthError, post, type OAuthClient } from '../token-requests.js';
import { CallbackError } from './errors.js';
import { challengeOf, randomText } from './random.js';
import { Renewals, requestUserTokens } from './renewals.js';
import type { Tokens, TokenStore } from './store.js';

export interface OAuthApplicationOptions {
  clientId: string;
  /** Keep it on your server. A public application has none. */
  clientSecret?: string | undefined;
  /** Where the browser comes back to, exactly as it is registered. */
  redirectUri: string;
  store: TokenStore;
  baseUrl?: string | undefined;
  fetch?: Fetch | undefined;
}

export interface AuthorizationRequest {
  /** Separated by spaces; by default all for which the application is approved. */
  scope?: string | undefined;
  /** Asks for these claim projects in place of all. `api.authContext()` says which ones were allowed. */
  projectIds?: readonly string[] | undefined;
  /** Fills in the e-mail address of the user. */
  loginHint?: string | undefined;
  /** `consent` asks again for what was allowed before; `none` never shows a page, and fails if one is needed. */
  prompt?: 'consent' | 'none' | undefined;
}

/** What the callback is checked with. It can be stored as JSON. */
export interface PendingAuthorization {
  readonly state: string;
  readonly verifier: string;
}

export interface BegunAuthorization {
  /** Send the browser there. */
  readonly url: string;
  /** Keep it in the session of this browser, and pass it to `finish`. */
  readonly pending: PendingAuthorization;
}

/** An application that acts for users who allow it. Make one for your whole program: it renews each token once, however many calls wait. */
export class OAuthApplication {
  private readonly client: OAuthClient;
  private readonly redirectUri: string;
  private readonly store: TokenStore;
  private readonly renewals: Renewals;

  constructor({ clientId, clientSecret, redirectUri, store, baseUrl, fetch }: OAuthApplicationOptions) {
    this.client = { ...serviceAt(baseUrl ?? BASE_URL, fetch), clientId, clientSecret };
    this.redirectUri = redirectUri;
    this.store = store;
    this.renewals = new Renewals(this.client, store);
  }

  /** Begins an authorization. Nothing is sent yet. */
  async begin({ scope, projectIds, loginHint, prompt }: AuthorizationRequest = {}): Promise<BegunAuthorization> {
    const pending = { state: randomText(), verifier: randomText() };
    const url = new URL(`${this.client.baseUrl}/oauth/authorize`);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: this.client.clientId,
      redirect_uri: this.redirectUri,
      state: pending.state,
      code_challenge: await challengeOf(pending.verifier),
      code_challenge_method: 'S256',
      ...(scope && { scope }),
      ...(projectIds && { authorization_details: JSON.stringify([{ type: 'claim_projects', project_ids: projectIds }]) }),
      ...(loginHint && { login_hint: loginHint }),
      ...(prompt && { prompt }),
    }).toString();
    return { url: url.href, pending };
  }

  /**
   * Checks the callback, exchanges its code, and stores the tokens. `callback`: the address of the request, or its path with the query.
   * `pending`: from the session of this browser; remove it there first. Throws a `CallbackError` if the callback does not belong to it,
   * and an `OAuthError` if the user refused (`access_denied`). Do not repeat it after an error: begin again.
   */
  async finish(connection: string, callback: string | URL, pending: PendingAuthorization | undefined): Promise<Tokens> {
    const code = this.codeOf(new URL(callback, this.redirectUri).searchParams, pending);
    const tokens = await requestUserTokens(this.client, {
      grant_type: 'authorization_code',
      code,
      code_verifier: pending!.verifier,
      redirect_uri: this.redirectUri,
    });
    await this.store.set(connection, tokens);
    return tokens;
  }

  private codeOf(query: URLSearchParams, pending: PendingAuthorization | undefined): string {
    const [code, error] = [query.get('code'), query.get('error')];
    if (!pending || query.get('state') !== pending.state)
      throw new CallbackError('state', 'The callback does not belong to an authorization that this browser began.');
    if (query.get('iss') !== this.client.baseUrl)
      throw new CallbackError('issuer', `The callback is not of ${this.client.baseUrl}. That must be the address that users see.`);
    if (error) throw new OAuthError(error, query.get('error_description') ?? undefined);
    if (!code) throw new CallbackError('code_missing', 'The callback has neither a code nor an error.');
    return code;
  }

  /**
   * What `new Claims({ accessToken })` needs for a connection. Renews a token before it expires, and stores the new ones before they
   * are used. Throws a `ConnectionRevokedError` or a `NotConnectedError` if the user has to connect (again).
   */
  accessToken(connection: string): (refused?: string) => Promise<string> {
    return (refused) => this.renewals.accessToken(connection, refused);
  }

  /** Revokes all tokens of the connection, and removes them from the store. */
  async disconnect(connection: string): Promise<void> {
    const tokens = await this.store.get(connection);
    if (!tokens) return;
    await post(this.client, '/oauth/revoke', { token: tokens.refreshToken, token_type_hint: 'refresh_token' });
    await this.store.delete(connection);
  }
}
