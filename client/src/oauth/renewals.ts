import { UnexpectedAnswerError } from '../errors.js';
import { isUsable, OAuthError, requestTokens, type OAuthClient } from '../token-requests.js';
import { ConnectionRevokedError, NotConnectedError } from './errors.js';
import type { Tokens, TokenStore } from './store.js';

export async function requestUserTokens(client: OAuthClient, fields: Readonly<Record<string, string>>): Promise<Tokens> {
  const { refreshToken, ...accessToken } = await requestTokens(client, fields);
  if (!refreshToken) throw new UnexpectedAnswerError(200, new Headers());
  return { ...accessToken, refreshToken };
}

/** Keeps the tokens of connections valid. Each is renewed once, however many calls of this process wait for it. */
export class Renewals {
  private readonly running = new Map<string, Promise<string>>();

  constructor(
    private readonly client: OAuthClient,
    private readonly store: TokenStore,
  ) {}

  async accessToken(connection: string, refused: string | undefined): Promise<string> {
    const tokens = await this.stored(connection);
    if (isUsable(tokens, refused)) return tokens.accessToken;
    let renewal = this.running.get(connection);
    if (!renewal) {
      renewal = this.renew(connection, refused).finally(() => this.running.delete(connection));
      this.running.set(connection, renewal);
    }
    return renewal;
  }

  private async stored(connection: string): Promise<Tokens> {
    const tokens = await this.store.get(connection);
    if (!tokens) throw new NotConnectedError(connection);
    return tokens;
  }

  private async renew(connection: string, refused: string | undefined): Promise<string> {
    // Read again, right before it is used: a refresh token that is used later than a minute after its first use counts as stolen.
    let tokens = await this.stored(connection);
    while (!isUsable(tokens, refused)) {
      const { refreshToken } = tokens;
      const renewed = await this.refresh(refreshToken);
      if (!(renewed instanceof OAuthError) && (await this.store.replace(connection, refreshToken, renewed))) return renewed.accessToken;
      // Another process has renewed them meanwhile, or the user has connected again.
      tokens = await this.stored(connection);
      if (tokens.refreshToken !== refreshToken) continue;
      if (renewed instanceof OAuthError) throw new ConnectionRevokedError(connection, renewed);
      throw new TypeError('TokenStore.replace replaced nothing, although the refresh token is the one that it was given.');
    }
    return tokens.accessToken;
  }

  /** The new tokens, or the error that says that there are none any more. */
  private async refresh(refreshToken: string): Promise<Tokens | OAuthError> {
    try {
      return await requestUserTokens(this.client, { grant_type: 'refresh_token', refresh_token: refreshToken });
    } catch (error) {
      if (error instanceof OAuthError && error.code === 'invalid_grant') return error;
      throw error;
    }
  }
}
