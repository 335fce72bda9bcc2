import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Clock, later } from '../../../kernel/time.js';
import { Database, prepared, type Sql } from '../../../store/database/database.js';
import { entityColumns } from '../../../store/database/sql.js';
import { acrossTenants } from '../../../store/tenant/tenant-sql.js';
import { Application } from '../applications/application.entity.js';
import { projectsIn } from '../provider/asked-projects.js';
import { OAuthTransactions } from './oauth-transactions.js';

export interface ClientCredentialsToken {
  readonly idHash: Buffer;
  readonly clientId: string | null;
  readonly payload: string;
  readonly expiresAt: string;
}

const INSERT_OWN_TOKENS = prepared({
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
    await this.database.rows(INSERT_OWN_TOKENS, columns);
  }
}

export interface StoredRecord {
  readonly payload: Readonly<Record<string, unknown>>;
  /** Of the application that the record belongs to: of the connection, if a shared application has it. */
  readonly clientId: string | null;
  readonly consumedAt: string | null;
  readonly expiresAt: string;
}

export interface NewRecord {
  readonly payload: object;
  readonly grantId: string | undefined;
  readonly uid: string | undefined;
  readonly clientId: string | undefined;
  readonly userId: string | undefined;
  readonly expiresInSeconds: number;
}

const SELECT = 'SELECT payload, client_id AS "clientId", consumed_at AS "consumedAt", expires_at AS "expiresAt" FROM oauth_records';
const INSERT = `INSERT INTO oauth_records (kind, id_hash, grant_hash, uid_hash, client_id, user_id, payload, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (kind, id_hash)`;
const UPSERT = prepared({
  name: 'oauth_records.upsert',
  text: `${INSERT} DO UPDATE SET grant_hash = $3, uid_hash = $4, client_id = $5, user_id = $6, payload = $7, expires_at = $8`,
});
const INSERT_ONCE = prepared({ name: 'oauth_records.insert_once', text: `${INSERT} DO NOTHING RETURNING true AS written` });
const FIND = prepared({ name: 'oauth_records.find', text: `${SELECT} WHERE kind = $1 AND id_hash = $2` });
const LOCK = prepared({ name: 'oauth_records.lock', text: `${FIND.text} FOR UPDATE` });
// The end of a consent waits for the requests that use it, and then finds their tokens.
const FIND_GRANT = prepared({ name: 'oauth_records.find_grant', text: `${FIND.text} FOR KEY SHARE` });
const FIND_BY_UID = prepared({ name: 'oauth_records.find_by_uid', text: `${SELECT} WHERE kind = $1 AND uid_hash = $2` });
const CONSUME = prepared({
  name: 'oauth_records.consume',
  text: 'UPDATE oauth_records SET consumed_at = coalesce(consumed_at, $3) WHERE kind = $1 AND id_hash = $2',
});
const DELETE = prepared({ name: 'oauth_records.delete', text: 'DELETE FROM oauth_records WHERE kind = $1 AND id_hash = $2' });
const DELETE_OF_GRANT = prepared({
  name: 'oauth_records.delete_of_grant',
  text: 'DELETE FROM oauth_records WHERE kind = $1 AND grant_hash = $2',
});
// The oldest requests make room: a caller who sends many cannot keep others from signing in.
const closeOldest = (kind: string): Sql =>
  prepared({
    name: `oauth_records.close_oldest_${kind}`,
    text: `DELETE FROM oauth_records WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM oauth_records WHERE kind = '${kind}' AND client_id = $1
    ORDER BY expires_at DESC OFFSET $2 FOR UPDATE SKIP LOCKED))`,
  });
/** Requests that wait for their users. The index `oauth_records_waiting` has these kinds. */
const CLOSE_OLDEST: ReadonlyMap<string, Sql> = new Map(
  ['Interaction', 'PushedAuthorizationRequest', 'DeviceCode'].map((kind) => [kind, closeOldest(kind)]),
);
const EXPIRE_REQUESTS = prepared({
  name: 'oauth_records.expire_requests',
  text: `DELETE FROM oauth_records
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM oauth_records
      WHERE kind IN ('Interaction', 'PushedAuthorizationRequest', 'ReplayDetection') AND expires_at < $1
      LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING true AS deleted`,
});
const EXPIRE = prepared({
  name: 'oauth_records.expire',
  text: `DELETE FROM oauth_records
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM oauth_records WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING true AS deleted`,
});

/** How many authorization requests of one application wait for their users at once; also of those that were pushed, and of devices. */
export const OPEN_REQUESTS_MAX = 1000;

export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The records of the authorization server. They are not bound to a tenant: an id is a credential and tells the tenant. */
@Injectable()
export class OAuthRecordsRepository {
  constructor(
    private readonly database: Database,
    private readonly transactions: OAuthTransactions,
    private readonly clientCredentialsTokens: ClientCredentialsTokensRepository,
    private readonly clock: Clock,
  ) {}

  /** With `once`, an existing record is left as it is. Returns whether the record was written. */
  async write(kind: string, id: string, record: NewRecord, once: boolean): Promise<boolean> {
    const { payload, grantId, uid, clientId, userId, expiresInSeconds } = record;
    const hashOrNull = (text: string | undefined): Buffer | null => (text === undefined ? null : hashOf(text));
    const expiresAt = later(this.clock, expiresInSeconds * 1000);
    if (kind === 'ClientCredentials') {
      const token = { idHash: hashOf(id), clientId: clientId ?? null, payload: JSON.stringify(payload), expiresAt };
      await this.clientCredentialsTokens.write(token);
      return true;
    }
    const owners = [hashOrNull(grantId), hashOrNull(uid), clientId ?? null, userId ?? null];
    const values = [kind, hashOf(id), ...owners, JSON.stringify(payload), expiresAt];
    const written = await this.rows(once ? INSERT_ONCE : UPSERT, values);
    const statement = CLOSE_OLDEST.get(kind);
    if (statement) await this.rows(statement, [clientId, OPEN_REQUESTS_MAX]);
    return !once || written.length > 0;
  }

  /** With `locked`, other requests wait for the record until this one ends, so that it can be used only once. */
  async find(kind: string, id: string, locked: boolean): Promise<StoredRecord | undefined> {
    const find = kind === 'Grant' ? FIND_GRANT : FIND;
    return (await this.rows<StoredRecord>(locked ? LOCK : find, [kind, hashOf(id)]))[0];
  }

  async findByUid(kind: string, uid: string): Promise<StoredRecord | undefined> {
    return (await this.rows<StoredRecord>(FIND_BY_UID, [kind, hashOf(uid)]))[0];
  }

  async consume(kind: string, id: string): Promise<void> {
    await this.rows(CONSUME, [kind, hashOf(id), this.clock.timestamp()]);
  }

  async delete(kind: string, id: string): Promise<void> {
    await this.rows(DELETE, [kind, hashOf(id)]);
  }

  async deleteOfGrant(kind: string, grantId: string): Promise<void> {
    await this.rows(DELETE_OF_GRANT, [kind, hashOf(grantId)]);
  }

  async expire(before: Date, limit: number): Promise<number> {
    return (await this.rows(EXPIRE, [before.toISOString(), limit])).length;
  }

  /** Requests that nobody answered, and proofs that are too old to be used again. */
  async expireRequests(before: Date, limit: number): Promise<number> {
    return (await this.rows(EXPIRE_REQUESTS, [before.toISOString(), limit])).length;
  }

  private async rows<Row extends object>(statement: Sql, values: readonly unknown[]): Promise<Row[]> {
    return this.database.rows<Row>(statement, values, await this.transactions.begin());
  }
}

export interface AccessToken {
  readonly application: Application;
  /** null: the application acts for itself. */
  readonly userId: string | null;
  readonly scopes: readonly string[];
  readonly audience: string;
  /** The thumbprint of the key that it is bound to, if it is. */
  readonly boundTo: string | null;
  /** The claim projects that it is bound to; null: all. */
  readonly projects: string[] | null;
  readonly expiresAt: string;
}

interface Row extends Application, Pick<AccessToken, 'userId' | 'audience' | 'boundTo' | 'expiresAt'> {
  readonly details: Parameters<typeof projectsIn>[0];
  readonly scope: string | null;
}

const columns = entityColumns(Application).columns.map(({ property, column }) => `application.${column} AS "${property}"`);
const ACCESS_TOKEN = acrossTenants(
  'oauth_records.access_token',
  'The token itself tells the tenant.',
  `SELECT record.user_id AS "userId", record.payload->>'scope' AS scope, record.payload->>'aud' AS audience,
      record.payload->>'jkt' AS "boundTo", record.payload->'rar' AS details, record.expires_at AS "expiresAt", ${columns.join(', ')}
    FROM oauth_records record JOIN oauth_applications application USING (client_id)
    WHERE record.kind IN ('AccessToken', 'ClientCredentials') AND record.id_hash = :idHash`,
);

@Injectable()
export class AccessTokensRepository {
  constructor(private readonly database: Database) {}

  async find(token: string): Promise<AccessToken | undefined> {
    const [row] = await this.database.shortRead<Row>(...ACCESS_TOKEN.bind({ idHash: hashOf(token) }));
    if (!row) return undefined;
    const { userId, scope, audience, boundTo, details, expiresAt, ...application } = row;
    return { application, userId, scopes: scope?.split(' ') ?? [], audience, boundTo, projects: projectsIn(details), expiresAt };
  }
}
