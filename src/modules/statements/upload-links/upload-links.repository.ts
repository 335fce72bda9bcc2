import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../../store/database/database.js';
import { entityColumns, selectList } from '../../../store/database/sql.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { TenantRepository } from '../../../store/tenant/tenant-repository.js';
import { UploadLink } from './upload-link.entity.js';
import type { ReadToken } from './upload-addresses.js';

const OF_TENANT = 'organization_id = $1 AND environment = $2';
/** By the hash: how long the look-up takes says nothing about the secret. */
const BY_TOKEN = prepared({
  name: 'upload_links.by_token',
  text: `SELECT ${selectList(entityColumns(UploadLink))} FROM upload_links WHERE ${OF_TENANT} AND token_hash = $3`,
});
/** So that concurrent ones neither exceed the bound nor make two links for one form. */
const QUEUE_UP = prepared({
  name: 'upload_links.queue_up',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('upload_links ' || $1 || ' ' || $2, 0))",
});
const COUNT_OPEN = prepared({
  name: 'upload_links.count_open',
  text: `SELECT count(*)::int AS count FROM upload_links
    WHERE ${OF_TENANT} AND used_at IS NULL AND withdrawn_at IS NULL AND expires_at > $3`,
});

@Injectable()
export class UploadLinksRepository extends TenantRepository<UploadLink> {
  constructor(database: Database) {
    super(database, UploadLink, { keepsAll: true });
  }

  async byToken({ organizationId, environment, tokenHash }: ReadToken): Promise<UploadLink | undefined> {
    return (await this.database.shortRead<UploadLink>(BY_TOKEN, [organizationId, environment, tokenHash]))[0];
  }

  /** No other transaction adds links of the tenant until this one ends. */
  async queueUp({ organizationId, environment, unit }: WriteContext): Promise<void> {
    await this.database.rows(QUEUE_UP, [organizationId, environment], unit);
  }

  async countOpen({ organizationId, environment, unit }: WriteContext, now: string): Promise<number> {
    return (await this.database.rows<{ count: number }>(COUNT_OPEN, [organizationId, environment, now], unit))[0]!.count;
  }

  async withHash({ organizationId, environment, unit }: WriteContext, tokenHash: Buffer): Promise<UploadLink | undefined> {
    return (await this.database.rows<UploadLink>(BY_TOKEN, [organizationId, environment, tokenHash], unit))[0];
  }
}
