import { Injectable } from '@nestjs/common';
import { Database } from '../../../store/database/database.js';
import { entityColumns } from '../../../store/database/sql.js';
import { acrossTenants } from '../../../store/tenant/tenant-sql.js';
import { Application } from '../applications/application.entity.js';
import { hashOf } from './oauth-records.repository.js';

export interface AccessToken {
  readonly application: Application;
  /** null: the application acts for itself. */
  readonly userId: string | null;
  readonly scopes: readonly string[];
  readonly audience: string;
  /** The thumbprint of the key that it is bound to, if it is. */
  readonly boundTo: string | null;
  readonly expiresAt: string;
}

interface Row extends Application, Omit<AccessToken, 'application' | 'scopes'> {
  readonly scope: string | null;
}

const columns = entityColumns(Application).columns.map(({ property, column }) => `application.${column} AS "${property}"`);
const FIND = acrossTenants(
  'oauth_records.access_token',
  'The token itself tells the tenant.',
  `SELECT record.user_id AS "userId", record.payload->>'scope' AS scope, record.payload->>'aud' AS audience,
      record.payload->>'jkt' AS "boundTo", record.expires_at AS "expiresAt", ${columns.join(', ')}
    FROM oauth_records record JOIN oauth_applications application USING (client_id)
    WHERE record.kind IN ('AccessToken', 'ClientCredentials') AND record.id_hash = :idHash`,
);

@Injectable()
export class AccessTokensRepository {
  constructor(private readonly database: Database) {}

  async find(token: string): Promise<AccessToken | undefined> {
    const [row] = await this.database.shortRead<Row>(...FIND.bind({ idHash: hashOf(token) }));
    if (!row) return undefined;
    const { userId, scope, audience, boundTo, expiresAt, ...application } = row;
    return { application, userId, scopes: scope?.split(' ') ?? [], audience, boundTo, expiresAt };
  }
}
