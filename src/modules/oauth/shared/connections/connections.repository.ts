import { Injectable } from '@nestjs/common';
import { entityColumns, selectList } from '../../../../store/database/sql.js';
import { Database, prepared } from '../../../../store/database/database.js';
import type { WriteContext } from '../../../../store/database/unit-of-work.js';
import { Application } from '../../applications/application.entity.js';

// Consents for the same connection follow each other, so that only the first one creates it.
const LOCK = prepared({ name: 'oauth_connections.queue_up', text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))' });
const FIND = prepared({
  name: 'oauth_connections.find',
  text: `SELECT ${selectList(entityColumns(Application))} FROM oauth_applications
    WHERE organization_id = $1 AND environment = $2 AND shared_client_id = $3`,
});

/** The connections of an organization to shared applications. They are rows of the table of applications. */
@Injectable()
export class ConnectionsRepository {
  constructor(private readonly database: Database) {}

  /** The connection, or undefined; no other transaction changes or creates it meanwhile. */
  async lock({ organizationId, environment, unit }: WriteContext, sharedClientId: string): Promise<Application | undefined> {
    const key = JSON.stringify(['connection', organizationId, environment, sharedClientId]);
    const values = [organizationId, environment, sharedClientId];
    // Sent together, executed one after the other.
    const [, [row]] = await Promise.all([this.database.rows(LOCK, [key], unit), this.database.rows<Application>(FIND, values, unit)]);
    return row;
  }
}
