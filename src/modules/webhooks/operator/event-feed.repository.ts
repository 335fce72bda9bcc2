import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Database, prepared } from '../../../store/database/database.js';
import { MESSAGE_COLUMNS, type EventMessage } from '../signing/message.js';

const SINCE = prepared({
  name: 'events.since',
  text: `SELECT ${MESSAGE_COLUMNS} FROM events event WHERE organization_id = $1 AND environment = $2 AND id >= $3 AND id <> ALL ($4::uuid[])
      AND ($5::text[] IS NULL OR kind = ANY ($5)) ORDER BY id LIMIT $6`,
});

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
    return this.database.rows<EventMessage>(SINCE, [tenant.organizationId, tenant.environment, fromId, knownIds, kinds ?? null, limit]);
  }
}
