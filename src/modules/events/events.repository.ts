import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../kernel/context.js';
import { Database } from '../../store/database/database.js';
import { SETTLED_EVENTS, settledBefore } from '../../store/events/events.js';
import { ofProjects, TENANT, tenantSql } from '../../store/tenant/tenant-sql.js';
import { DATA_BYTES, MESSAGE_COLUMNS, PROJECT_ID, type EventMessage } from '../webhooks/index.js';

// The events are measured in the database, so that a page of large ones does not fill the memory of this process.
const PAGE = tenantSql(
  'events.page',
  `SELECT "eventId", kind, "occurredAt", environment, "organizationId", "resourceId", data, "changedFields", found FROM (
      SELECT *, sum(bytes) OVER (ORDER BY "eventId") AS total, count(*) OVER ()::int AS found FROM (
        SELECT ${MESSAGE_COLUMNS}, ${DATA_BYTES} AS bytes FROM events event
        WHERE ${TENANT} AND id > :after AND id < :before AND kind = ANY (:kinds::text[])${ofProjects(`(${PROJECT_ID})`)}
        ORDER BY id LIMIT :limit
      ) event
    ) page WHERE total <= :maxBytes OR total = bytes ORDER BY "eventId"`,
);

/** How many events are read for a page of some projects: no index knows the project of an event. */
const MAX_READ = 5000;
const END = tenantSql(
  'events.end_of_reading',
  `SELECT id FROM events WHERE ${TENANT} AND id > :after AND id < :before ORDER BY id OFFSET ${MAX_READ - 1} LIMIT 2`,
  'Only where it ends.',
);

export interface EventFilter {
  /** Ids between which the events are; these two are not part of it. */
  readonly after: string;
  readonly before: string;
  readonly kinds: readonly string[];
}

@Injectable()
export class EventsRepository {
  constructor(private readonly database: Database) {}

  /** All events with smaller ids are committed or never will be. Must be asked before the page: one that commits between is seen. */
  async settledBefore(): Promise<string> {
    return settledBefore(await this.database.rows<{ at: string | null }>(SETTLED_EVENTS, []));
  }

  /** Where a page of some projects ends, if more events follow than are read for it: the last of these, and the next. */
  async endOfReading(tenant: Tenant, { after, before }: Pick<EventFilter, 'after' | 'before'>): Promise<[string, string] | undefined> {
    if (!tenant.projects) return undefined;
    const [last, next] = await this.database.rows<{ id: string }>(...END.bind(tenant, { after, before }));
    return next && [last!.id, next.id];
  }

  /** Events in the order of their ids: at most so many, and so many bytes, but one at least. `found`: how many without that bound. */
  async page(
    tenant: Tenant,
    { after, before, kinds }: EventFilter,
    limit: number,
    maxBytes: number,
  ): Promise<{ events: EventMessage[]; found: number }> {
    const events = await this.database.rows<EventMessage & { readonly found: number }>(
      ...PAGE.bind(tenant, { after, before, kinds, limit, maxBytes }),
    );
    return { events, found: events[0]?.found ?? 0 };
  }
}
