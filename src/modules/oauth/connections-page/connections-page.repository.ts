import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../kernel/context.js';
import { Database, type Statement } from '../../../store/database/database.js';
import type { Unit } from '../../../store/database/unit-of-work.js';

/** A consent of a user that has not ended. */
export interface GrantRow {
  readonly applicationId: string;
  readonly applicationName: string;
  readonly environment: Environment;
  readonly resources: Readonly<Record<string, string>> | null;
  readonly rejected: { readonly resources?: Readonly<Record<string, string>> } | null;
  /** Unix seconds. */
  readonly since: number;
  /** When the last token was issued that is still stored. */
  readonly lastToken: number | null;
}

const OF_USER: Statement = {
  name: 'oauth_records.grants_of_user',
  text: `SELECT application.id AS "applicationId", application.name AS "applicationName", application.environment,
      record.payload->'resources' AS resources, record.payload->'rejected' AS rejected, (record.payload->>'iat')::float8 AS since,
      (SELECT max((token.payload->>'iat')::float8) FROM oauth_records token
        WHERE token.grant_hash = record.id_hash AND token.kind IN ('AccessToken', 'RefreshToken')) AS "lastToken"
    FROM oauth_records record JOIN oauth_applications application USING (client_id)
    WHERE record.kind = 'Grant' AND record.user_id = $1 AND application.organization_id = $2 AND record.expires_at > $3
    ORDER BY record.expires_at DESC LIMIT $4`,
};
// Grants first: a refresh that is in progress holds its grant, and its tokens are there to be deleted when it has ended.
const DELETE_GRANTS: Statement = {
  name: 'oauth_records.delete_grants_of_user',
  text: `DELETE FROM oauth_records record USING oauth_applications application
    WHERE application.client_id = record.client_id AND application.id = $2 AND application.organization_id = $3
      AND record.kind = 'Grant' AND record.user_id = $1
    RETURNING record.id_hash AS hash, application.name, application.environment`,
};
// A refresh that begins now has locked its refresh token and waits for the grant, which it will not find. To wait for it would be a
// deadlock. Its refresh token is left, and of no use without a grant.
const DELETE_TOKENS: Statement = {
  name: 'oauth_records.delete_of_grants',
  text: `DELETE FROM oauth_records
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM oauth_records WHERE grant_hash = ANY ($1) FOR UPDATE SKIP LOCKED))`,
};

/** Of one user, the newest are shown. */
const GRANTS_MAX = 1000;

interface DeletedGrant {
  readonly hash: Buffer;
  readonly name: string;
  readonly environment: Environment;
}

/** What users allowed applications. */
@Injectable()
export class ConnectionsPageRepository {
  constructor(private readonly database: Database) {}

  grantsOf(userId: string, organizationId: string, now: string): Promise<GrantRow[]> {
    return this.database.rows<GrantRow>(OF_USER, [userId, organizationId, now, GRANTS_MAX]);
  }

  /** Deletes the grants of a user for an application, with all their tokens and codes. Returns the application, if there were any. */
  async end(userId: string, applicationId: string, organizationId: string, unit: Unit): Promise<DeletedGrant | undefined> {
    const grants = await this.database.rows<DeletedGrant>(DELETE_GRANTS, [userId, applicationId, organizationId], unit);
    if (grants.length > 0) await this.database.rows(DELETE_TOKENS, [grants.map(({ hash }) => hash)], unit);
    return grants[0];
  }
}
