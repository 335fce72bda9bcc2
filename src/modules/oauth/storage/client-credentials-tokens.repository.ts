import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../store/database/database.js';

/** A token that an application is given for itself. */
export interface ClientCredentialsToken {
  readonly idHash: Buffer;
  readonly clientId: string | null;
  readonly payload: string;
  readonly expiresAt: string;
}

const INSERT: Statement = {
  name: 'oauth_records.insert_own_tokens',
  // The disk is not waited for. If the database server crashes within the next moment, a token is unknown, and is asked for anew.
  text: `WITH unhurried AS (SELECT set_config('synchronous_commit', 'off', true))
    INSERT INTO oauth_records (kind, id_hash, client_id, payload, expires_at)
    SELECT 'ClientCredentials', id_hash, client_id, payload, expires_at FROM unhurried, unnest($1::bytea[], $2::text[], $3::json[], $4::timestamptz[]) AS token (id_hash, client_id, payload, expires_at)`,
};

/**
 * Writes tokens that applications are given for themselves. Nothing else is written with one, so those that are asked for
 * while a write is on its way go out together with the next, in one statement.
 */
@Injectable()
export class ClientCredentialsTokensRepository {
  private gathering: { readonly tokens: ClientCredentialsToken[]; readonly written: Promise<void> } | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly database: Database) {}

  write(token: ClientCredentialsToken): Promise<void> {
    this.gathering ??= this.gather();
    this.gathering.tokens.push(token);
    return this.gathering.written;
  }

  private gather() {
    const tokens: ClientCredentialsToken[] = [];
    const written = this.last.then(() => {
      this.gathering = undefined;
      return this.insert(tokens);
    });
    this.last = written.catch(() => undefined);
    return { tokens, written };
  }

  private async insert(tokens: readonly ClientCredentialsToken[]): Promise<void> {
    const columns = (['idHash', 'clientId', 'payload', 'expiresAt'] as const).map((name) => tokens.map((token) => token[name]));
    await this.database.rows(INSERT, columns);
  }
}
