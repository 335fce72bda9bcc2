import { Injectable } from '@nestjs/common';
import { entityColumns, selectList } from '../../../../store/database/sql.js';
import { Database, prepared } from '../../../../store/database/database.js';
import type { WriteContext } from '../../../../store/database/unit-of-work.js';
import { TENANT, tenantSql } from '../../../../store/tenant/tenant-sql.js';
import { Application } from '../../applications/application.entity.js';

// Consents for the same connection follow each other, so that only the first one creates it.
const LOCK = prepared({ name: 'oauth_connections.queue_up', text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))' });
const FIND = tenantSql(
  'oauth_connections.find',
  `SELECT ${selectList(entityColumns(Application))} FROM oauth_applications
    WHERE ${TENANT} AND shared_client_id = :sharedClientId`,
);

/** The connections of an organization to shared applications. They are rows of the table of applications. */
@Injectable()
export class ConnectionsRepository {
  constructor(private readonly database: Database) {}

  /** The connection, or undefined; no other transaction changes or creates it meanwhile. */
  async lock(ctx: WriteContext, sharedClientId: string): Promise<Application | undefined> {
    const key = JSON.stringify(['connection', ctx.organizationId, ctx.environment, sharedClientId]);
    const found = FIND.bind(ctx, { sharedClientId });
    // Sent together, executed one after the other.
    const [, [row]] = await Promise.all([this.database.rows(LOCK, [key], ctx.unit), this.database.rows<Application>(...found, ctx.unit)]);
    return row;
  }
}
