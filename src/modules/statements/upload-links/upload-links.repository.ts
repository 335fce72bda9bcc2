import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../../store/database/database.js';
import { entityColumns, selectList } from '../../../store/database/sql.js';
import type { Tenant } from '../../../kernel/context.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { TenantRepository } from '../../../store/tenant/tenant-repository.js';
import { TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';
import { UploadLink } from './upload-link.entity.js';

/** By the hash: how long the look-up takes says nothing about the secret. */
const BY_TOKEN = tenantSql(
  'upload_links.by_token',
  `SELECT ${selectList(entityColumns(UploadLink))} FROM upload_links WHERE ${TENANT} AND token_hash = :tokenHash`,
);
/** So that concurrent ones do not exceed the bound. */
const QUEUE_UP = prepared({
  name: 'upload_links.queue_up',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('upload_links ' || $1 || ' ' || $2, 0))",
});
const COUNT_OPEN = tenantSql(
  'upload_links.count_open',
  `SELECT count(*)::int AS count FROM upload_links
    WHERE ${TENANT} AND used_at IS NULL AND withdrawn_at IS NULL AND expires_at > :now`,
  'Only how many there are.',
);

@Injectable()
export class UploadLinksRepository extends TenantRepository<UploadLink> {
  constructor(database: Database) {
    super(database, UploadLink, { keepsAll: true });
  }

  async byToken(token: Tenant & Pick<UploadLink, 'tokenHash'>): Promise<UploadLink | undefined> {
    return (await this.database.shortRead<UploadLink>(...BY_TOKEN.bind(token, { tokenHash: token.tokenHash })))[0];
  }

  /** No other transaction adds links of the tenant until this one ends. */
  async queueUp({ organizationId, environment, unit }: WriteContext): Promise<void> {
    await this.database.rows(QUEUE_UP, [organizationId, environment], unit);
  }

  async countOpen(ctx: WriteContext, now: string): Promise<number> {
    return (await this.database.rows<{ count: number }>(...COUNT_OPEN.bind(ctx, { now }), ctx.unit))[0]!.count;
  }
}
