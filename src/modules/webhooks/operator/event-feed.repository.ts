import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Database, type Statement } from '../../../store/database/database.js';
import type { Message } from '../sending/message.js';

const SINCE: Statement = {
  name: 'events.since',
  text: `SELECT id AS "eventId", kind, occurred_at AS "occurredAt", environment, organization_id AS "organizationId", data, changed_fields AS "changedFields" FROM events
    WHERE organization_id = $1 AND environment = $2 AND id >= $3 AND id <> ALL ($4::uuid[]) AND ($5::text[] IS NULL OR kind = ANY ($5)) ORDER BY id LIMIT $6`,
};

/** The committed events of a tenant, for who follows them as they come. */
@Injectable()
export class EventFeedRepository {
  constructor(private readonly database: Database) {}

  /** Those from an id on, but for those that are known; oldest first. */
  since(tenant: Tenant, from: string, known: readonly string[], kinds: readonly string[] | undefined, limit: number): Promise<Message[]> {
    return this.database.rows<Message>(SINCE, [tenant.organizationId, tenant.environment, from, known, kinds ?? null, limit]);
  }
}
