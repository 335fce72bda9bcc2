import { Injectable } from '@nestjs/common';
import { eventOf } from '../../kernel/declare-event.js';
import { newId } from '../../kernel/ids.js';
import { Problem } from '../../kernel/problems.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import type { WriteContext } from '../../store/database/unit-of-work.js';
import { Events } from '../../store/events/events.js';
import { makeExample } from '../webhooks/index.js';

@Injectable()
export class TestEvents {
  constructor(
    private readonly events: Events,
    private readonly audit: AuditRecorder,
  ) {}

  /** Appends the example of a kind, of a record with a new id. From there on it is an event like any other. */
  async send(ctx: WriteContext, kind: string): Promise<string> {
    const [event, example] = [eventOf(kind), await makeExample(kind)];
    if (event?.status !== 'emitted' || !example) throw Problem.invalidField('kind', 'not_allowed', `has no example yet: ${kind}`);
    const { data, changedFields = null } = example;
    const eventId = this.events.appendInvented(ctx, event, { ...data, id: newId() }, changedFields);
    this.audit.record(ctx, { action: 'test_event.sent', resourceId: eventId, changes: { kind: { from: null, to: kind } } });
    return eventId;
  }
}
