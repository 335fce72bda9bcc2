import { Injectable } from '@nestjs/common';
import { BriefCache } from '../../../kernel/brief-cache.js';
import { Database, prepared } from '../../../store/database/database.js';
import { entityColumns, selectList } from '../../../store/database/sql.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { BoundedRepository, RecordBounds } from '../../../store/tenant/record-bounds.js';
import { acrossTenants, ORGANIZATION, organizationSql, TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';
import { Application } from './application.entity.js';
import { isClientId } from './client-metadata.js';

const SELECT = `SELECT ${selectList(entityColumns(Application))} FROM oauth_applications`;
const BY_CLIENT_ID = acrossTenants(
  'oauth_applications.by_client_id',
  'Finds out which organization an application belongs to.',
  `${SELECT} WHERE client_id = :clientId`,
);
const BY_ID = acrossTenants('oauth_applications.by_id', 'Operators name an application by its id only.', `${SELECT} WHERE id = :id`);
const OF_ORGANIZATION = organizationSql('oauth_applications.of_organization', `${SELECT} WHERE ${ORGANIZATION} ORDER BY id`);
// Consents for the same connection follow each other, so that only the first one creates it.
const QUEUE_UP = prepared({ name: 'oauth_connections.queue_up', text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))' });
const CONNECTION = tenantSql('oauth_connections.find', `${SELECT} WHERE ${TENANT} AND shared_client_id = :sharedClientId`);

@Injectable()
export class ApplicationsRepository extends BoundedRepository<Application> {
  constructor(database: Database, bounds: RecordBounds) {
    super(database, bounds, Application, { name: 'applications', noun: 'applications', table: 'oauth_applications' });
  }

  async byClientId(clientId: string): Promise<Application | undefined> {
    return (await this.database.shortRead<Application>(...BY_CLIENT_ID.bind({ clientId })))[0];
  }

  async byId(id: string): Promise<Application | undefined> {
    return (await this.database.rows<Application>(...BY_ID.bind({ id })))[0];
  }

  ofOrganization(organizationId: string): Promise<Application[]> {
    return this.database.rows<Application>(...OF_ORGANIZATION.bind({ organizationId }));
  }

  /** The connection to a shared application, or undefined; no other transaction changes or creates it meanwhile. */
  async lockConnection(ctx: WriteContext, sharedClientId: string): Promise<Application | undefined> {
    const key = JSON.stringify(['connection', ctx.organizationId, ctx.environment, sharedClientId]);
    const find = CONNECTION.bind(ctx, { sharedClientId });
    // Sent together, executed one after the other.
    const [, [row]] = await Promise.all([
      this.database.rows(QUEUE_UP, [key], ctx.unit),
      this.database.rows<Application>(...find, ctx.unit),
    ]);
    return row;
  }
}

/** Applications by client id, for every token that is issued or used. A suspension is in force everywhere within a second. */
@Injectable()
export class ApplicationCache {
  private readonly cache = new BriefCache<Application | undefined>();

  constructor(private readonly applications: ApplicationsRepository) {}

  byClientId(clientId: string): Promise<Application | undefined> {
    // Callers can send any text. Texts that cannot be a client id cause no query and take no room in the cache.
    if (!isClientId(clientId)) return Promise.resolve(undefined);
    return this.cache.get(clientId, () => this.applications.byClientId(clientId));
  }
}
