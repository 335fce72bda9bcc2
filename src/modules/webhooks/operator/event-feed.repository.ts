import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Database } from '../../../store/database/database.js';
import { TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';
import { MESSAGE_COLUMNS, type EventMessage } from '../signing/message.js';

const SINCE = tenantSql(
  'events.since',
  `SELECT ${MESSAGE_COLUMNS} FROM events event WHERE ${TENANT} AND id >= :fromId AND id <> ALL (:knownIds::uuid[])
      AND (:kinds::text[] IS NULL OR kind = ANY (:kinds)) ORDER BY id LIMIT :limit`,
);

/** The committed events of a tenant, for clients that follow them. */
@Injectable()
export class EventFeedRepository {
  constructor(private readonly database: Database) {}

  /** Events from an id on without those already known, oldest first. */
  since(
    tenant: Tenant,
    fromId: string,
    knownIds: readonly string[],
    kinds: readonly string[] | undefined,
    limit: number,
  ): Promise<EventMessage[]> {
    return this.database.rows<EventMessage>(...SINCE.bind(tenant, { fromId, knownIds, kinds: kinds ?? null, limit }));
  }
}
