import type { AccessToken } from '../token-requests.js';

/** The tokens of a connection. They can be stored as JSON; encrypt them as you do passwords of other systems. */
export interface Tokens extends AccessToken {
  readonly refreshToken: string;
}

type Awaitable<Value> = Value | Promise<Value>;

/**
 * Where the tokens of your connections are, for all processes of your program. `connection` is an id of yours, such as that of the
 * customer who connected. Tokens are read before every call, because another process may have renewed them.
 */
export interface TokenStore {
  get(connection: string): Awaitable<Tokens | undefined>;
  /** Stores the tokens of a new authorization, in place of any that are there. */
  set(connection: string, tokens: Tokens): Awaitable<void>;
  /**
   * Stores renewed tokens, but only where the stored refresh token still is `refreshToken`, in one step. Returns whether it was:
   * `UPDATE … SET … WHERE connection = $1 AND refresh_token = $2` has changed a row. If it throws, so does the call; a call within the
   * next minute gets the same refresh token again.
   */
  replace(connection: string, refreshToken: string, tokens: Tokens): Awaitable<boolean>;
  delete(connection: string): Awaitable<void>;
}

/** For tests and small programs. When the process ends, the connections are lost. */
export class MemoryTokenStore implements TokenStore {
  private readonly tokens = new Map<string, Tokens>();

  get(connection: string): Tokens | undefined {
    return this.tokens.get(connection);
  }

  set(connection: string, tokens: Tokens): void {
    this.tokens.set(connection, tokens);
  }

  replace(connection: string, refreshToken: string, tokens: Tokens): boolean {
    const isThere = this.tokens.get(connection)?.refreshToken === refreshToken;
    if (isThere) this.tokens.set(connection, tokens);
    return isThere;
  }

  delete(connection: string): void {
    this.tokens.delete(connection);
  }
}
