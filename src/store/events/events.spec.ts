import { describe, expect, it } from 'vitest';
import type { AuditRecorder } from '../audit/audit-recorder.js';
import type { Clock } from '../../kernel/clock.js';
import type { WriteContext, Unit } from '../database/transaction.js';
import { OPERATOR } from '../../kernel/context.js';
import { newId } from '../../kernel/ids.js';
import type { LastWrite } from '../database/last-writes.js';
import type { EventDeclaration } from '../../kernel/declare-event.js';
import type { DomainEvent } from './event.entity.js';
import type { Ports } from '../discovery/ports.js';
import { Events } from './events.js';

const NOW = '2026-03-01T09:30:00.000Z';
const anEvent = (kind: string): EventDeclaration => ({ kind, status: 'emitted', summary: 'Something happened.', data: Object });
const [Created, Updated, Deleted] = [anEvent('thing.created'), anEvent('thing.updated'), anEvent('thing.deleted')];

const note = { id: newId(), environment: 'test', text: 'A note', isPinned: false, projectId: null, createdAt: NOW, updatedAt: NOW };

/** Events in a transaction that is never written, and what they told: to those who pass them on, and to the audit log. */
function open() {
  const [told, recorded, lastWrites]: [DomainEvent[], object[], LastWrite[]] = [[], [], []];
  const ports = { all: () => [{ onAppended: (_ctx: unknown, event: DomainEvent) => told.push(event) }] } as unknown as Ports;
  const clock = { timestamp: () => NOW } as Clock;
  const audit: Pick<AuditRecorder, 'record'> = { record: ({ environment }, entry) => recorded.push({ environment, ...entry }) };
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
  return { events: new Events(clock, audit as AuditRecorder, ports), ctx, told, recorded, lastWrites };
}

describe('a deletion', () => {
  const GONE = { text: { from: 'A note', to: null }, isPinned: { from: false, to: null }, projectId: { from: null, to: null } };

  it('is told with the record as it was, and recorded as a change of each field to null', () => {
    const { events, ctx, told, recorded, lastWrites } = open();
    events.append(ctx, Deleted, { before: note, after: null });
    expect(told).toMatchObject([{ kind: 'thing.deleted', environment: 'test', resourceId: note.id, data: note, changedFields: null }]);
    expect(recorded).toEqual([{ environment: 'test', action: 'thing.deleted', resourceId: note.id, changes: GONE }]);
    expect(lastWrites).toHaveLength(1);
  });

  it('of what belongs to no environment is told in each, and recorded once', () => {
    const { events, ctx, told, recorded } = open();
    events.appendToAll(ctx, Deleted, { before: note, after: null });
    expect(told.map(({ environment, resourceId, data }) => [environment, resourceId, data])).toEqual([
      ['test', note.id, note],
      ['live', note.id, note],
    ]);
    expect(recorded).toEqual([{ environment: null, action: 'thing.deleted', resourceId: note.id, changes: GONE }]);
  });

  it('does not compile where nothing is known of the record', () => {
    const { events, ctx } = open();
    const refused = [
      // @ts-expect-error what neither was nor is cannot be told of
      () => events.append(ctx, Deleted, { before: null, after: null }),
      // @ts-expect-error a record that is gone had an id
      () => events.append(ctx, Deleted, { before: { text: 'A note' }, after: null }),
      // @ts-expect-error that it is gone must be said
      () => events.append(ctx, Deleted, { before: note }),
    ];
    expect(refused).toHaveLength(3);
  });
});

it('all else is told with the record as it is afterwards', () => {
  const { events, ctx, told, recorded } = open();
  events.append(ctx, Created, { before: null, after: note });
  const after = { ...note, text: 'Another' };
  events.append(ctx, Updated, { before: note, after });
  expect(told.map(({ data, changedFields }) => ({ data, changedFields }))).toEqual([
    { data: note, changedFields: null },
    { data: after, changedFields: ['text'] },
  ]);
  expect(recorded).toMatchObject([
    { changes: { text: { from: null, to: 'A note' } } },
    { changes: { text: { from: 'A note', to: 'Another' } } },
  ]);
});
