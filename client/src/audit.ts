import { AuditResource } from './generated.js';
import type { AuditEvent, AuditEventCursor, AuditListQuery } from './generated-types.js';
import type { CallOptions } from './options.js';

export interface AuditExportQuery extends Omit<AuditListQuery, 'cursor_created_at' | 'cursor_id'> {
  /** The `cursor` of an earlier export: only events after it. */
  after?: AuditEventCursor | null;
}

/** Events of the audit log, oldest first, with the place that has been reached. */
export class AuditExport implements AsyncIterable<AuditEvent> {
  constructor(
    private readonly events: AsyncIterable<AuditEvent>,
    /** Where the next export continues: behind the last event that you were given. It can be stored as JSON. */
    public cursor: AuditEventCursor | null,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<AuditEvent, void, undefined> {
    for await (const event of this.events) {
      this.cursor = { cursorCreatedAt: event.createdAt, cursorId: event.id };
      yield event;
    }
  }
}

export class AuditLog extends AuditResource {
  /**
   * All events up to now. Store `cursor` when you have stored an event, and pass it as `after` the next time: no event is left
   * out, and none is read twice.
   */
  export({ after, ...query }: AuditExportQuery = {}, options: CallOptions = {}): AuditExport {
    const start = after && { cursor_created_at: after.cursorCreatedAt, cursor_id: after.cursorId };
    return new AuditExport(this.list({ ...query, ...start }, options), after ?? null);
  }
}
