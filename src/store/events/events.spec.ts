import { describe, expect, it } from 'vitest';
import type { AuditRecorder } from '../audit/audit-recorder.js';
import { Clock } from '../../kernel/time.js';
import type { WriteContext, Unit, LastWrite } from '../database/unit-of-work.js';
import { OPERATOR } from '../../kernel/context.js';
import { firstIdOf, newId } from '../../kernel/ids.js';
import type { EventDeclaration } from '../../kernel/declare-event.js';
import { type DomainEvent, Events } from './events.js';
import type { Ports } from '../discovery/ports.js';

const NOW = '2026-03-01T09:30:00.000Z';
const anEvent = (kind: string): EventDeclaration => ({ kind, status: 'emitted', summary: 'Something happened.', data: Object });
const [Created, Updated, Deleted] = [anEvent('thing.created'), anEvent('thing.updated'), anEvent('thing.deleted')];

const note = { id: newId(), environment: 'test', text: 'A note', isPinned: false, projectId: null, createdAt: NOW, updatedAt: NOW };

/** Events in a transaction that is never committed, with the events that handlers saw and the audit entries. */
function open(clock = { timestamp: () => NOW } as Clock) {
  const [handled, recorded, lastWrites]: [DomainEvent[], object[], LastWrite[]] = [[], [], []];
  const ports = { all: () => [{ onAppended: (_ctx: unknown, event: DomainEvent) => handled.push(event) }] } as unknown as Ports;
  const audit: Pick<AuditRecorder, 'recordEvent'> = {
    recordEvent: ({ environment }, { kind }, resourceId, changes) => recorded.push({ environment, action: kind, resourceId, changes }),
  };
  const unit = { lastWrites, afterCommit: [] as Unit['afterCommit'] } as Unit;
  const ctx: WriteContext = {
    organizationId: newId(),
    environment: 'test',
    actor: OPERATOR,
    requestId: null,
    ipAddress: null,
    emits: [Created, Updated, Deleted],
    unit,
  };
  return { events: new Events(clock, audit as AuditRecorder, ports), ctx, handled, recorded, lastWrites };
}

describe('a deletion', () => {
  const GONE = { text: { from: 'A note', to: null }, isPinned: { from: false, to: null }, projectId: { from: null, to: null } };

  it('emits the record as it was, and is recorded as a change of each field to null', () => {
    const { events, ctx, handled, recorded, lastWrites } = open();
    events.append(ctx, Deleted, { before: note, after: null });
    expect(handled).toMatchObject([{ kind: 'thing.deleted', environment: 'test', resourceId: note.id, data: note, changedFields: null }]);
    expect(recorded).toEqual([{ environment: 'test', action: 'thing.deleted', resourceId: note.id, changes: GONE }]);
    expect(lastWrites).toHaveLength(1);
  });

  it('of a record without an environment is emitted in each environment, and recorded once', () => {
    const { events, ctx, handled, recorded } = open();
    events.appendToAll(ctx, Deleted, { before: note, after: null });
    expect(handled.map(({ environment, resourceId, data }) => [environment, resourceId, data])).toEqual([
      ['test', note.id, note],
      ['live', note.id, note],
    ]);
    expect(recorded).toEqual([{ environment: null, action: 'thing.deleted', resourceId: note.id, changes: GONE }]);
  });

  it('does not compile without the deleted record', () => {
    const { events, ctx } = open();
    const refused = [
      // @ts-expect-error either before or after must be a record
      () => events.append(ctx, Deleted, { before: null, after: null }),
      // @ts-expect-error a deleted record needs its id
      () => events.append(ctx, Deleted, { before: { text: 'A note' }, after: null }),
      // @ts-expect-error after must be given, as null
      () => events.append(ctx, Deleted, { before: note }),
    ];
    expect(refused).toHaveLength(3);
  });
});

/** Somebody else has the processor for some milliseconds whenever it is asked for the time. */
class InterruptedClock extends Clock {
  override now(): Date {
    for (const end = Date.now() + 5; Date.now() < end;);
    return super.now();
  }
}

it('the id of an event is never before its time, by which it is then found', () => {
  const { events, ctx, handled } = open(new InterruptedClock());
  events.append(ctx, Created, { before: null, after: note });
  const [{ id, occurredAt }] = handled as [DomainEvent];
  expect(id >= firstIdOf(new Date(occurredAt))).toBe(true);
});

it('a creation or update emits the record as it is afterwards', () => {
  const { events, ctx, handled, recorded } = open();
  events.append(ctx, Created, { before: null, after: note });
  const after = { ...note, text: 'Another' };
  events.append(ctx, Updated, { before: note, after });
  expect(handled.map(({ data, changedFields }) => ({ data, changedFields }))).toEqual([
    { data: note, changedFields: null },
    { data: after, changedFields: ['text'] },
  ]);
  expect(recorded).toMatchObject([
    { changes: { text: { from: null, to: 'A note' } } },
    { changes: { text: { from: 'A note', to: 'Another' } } },
  ]);
});
