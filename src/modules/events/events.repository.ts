import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../kernel/context.js';
import { Database, prepared } from '../../store/database/database.js';
import { SETTLED_EVENTS, settledBefore } from '../../store/events/events.js';
import { DATA_BYTES, MESSAGE_COLUMNS, type EventMessage } from '../webhooks/index.js';

// The events are measured in the database, so that a page of large ones does not fill the memory of this process.
const PAGE = prepared({
  name: 'events.page',
  text: `SELECT "eventId", kind, "occurredAt", environment, "organizationId", "resourceId", data, "changedFields", found FROM (
      SELECT *, sum(bytes) OVER (ORDER BY "eventId") AS total, count(*) OVER ()::int AS found FROM (
        SELECT ${MESSAGE_COLUMNS}, ${DATA_BYTES} AS bytes FROM events event
        WHERE organization_id = $1 AND environment = $2 AND id > $3 AND id < $4 AND kind = ANY ($5::text[])
        ORDER BY id LIMIT $6
      ) event
    ) page WHERE total <= $7 OR total = bytes ORDER BY "eventId"`,
});

export interface EventFilter {
  /** Ids between which the events are; these two are not part of it. */
  readonly after: string;
  readonly before: string;
  readonly kinds: readonly string[];
}

/** The events of a tenant, for clients that fetch them. */
@Injectable()
export class EventsRepository {
  constructor(private readonly database: Database) {}

  /** All events with smaller ids are committed or never will be. Must be asked before the page: one that commits between is seen. */
  async settledBefore(): Promise<string> {
    return settledBefore(await this.database.rows<{ at: string | null }>(SETTLED_EVENTS, []));
  }

  /** Events in the order of their ids: at most so many, and so many bytes, but one at least. `found`: how many without that bound. */
  async page(
    { organizationId, environment }: Tenant,
    { after, before, kinds }: EventFilter,
    limit: number,
    maxBytes: number,
  ): Promise<{ events: EventMessage[]; found: number }> {
    const values = [organizationId, environment, after, before, kinds, limit, maxBytes];
    const events = await this.database.rows<EventMessage & { readonly found: number }>(PAGE, values);
    return { events, found: events[0]?.found ?? 0 };
  }
}
