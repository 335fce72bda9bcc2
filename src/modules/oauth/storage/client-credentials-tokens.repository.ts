import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../../store/database/database.js';

export interface ClientCredentialsToken {
  readonly idHash: Buffer;
  readonly clientId: string | null;
  readonly payload: string;
  readonly expiresAt: string;
}

const INSERT = prepared({
  name: 'oauth_records.insert_own_tokens',
  // Does not wait for the disk. If the database server crashes right after, the token is lost and the client asks for a new one.
  text: `WITH asynchronous AS (SELECT set_config('synchronous_commit', 'off', true))
    INSERT INTO oauth_records (kind, id_hash, client_id, payload, expires_at)
    SELECT 'ClientCredentials', id_hash, client_id, payload, expires_at
    FROM asynchronous, unnest($1::bytea[], $2::text[], $3::json[], $4::timestamptz[]) AS token (id_hash, client_id, payload, expires_at)`,
});

/** Nothing else is written with such a token, so those requested during a write are written together, by the next statement. */
@Injectable()
export class ClientCredentialsTokensRepository {
  private batch: { readonly tokens: ClientCredentialsToken[]; readonly written: Promise<void> } | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly database: Database) {}

  write(token: ClientCredentialsToken): Promise<void> {
    this.batch ??= this.newBatch();
    this.batch.tokens.push(token);
    return this.batch.written;
  }

  private newBatch() {
    const tokens: ClientCredentialsToken[] = [];
    const written = this.last.then(() => {
      this.batch = undefined;
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
