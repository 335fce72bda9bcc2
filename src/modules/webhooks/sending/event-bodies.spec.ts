import { expect, it } from 'vitest';
import type { EventMessage } from '../signing/message.js';
import { EventsAhead } from './event-bodies.js';

const anEvent = (eventId: string, bytes = 1000): EventMessage => ({
  eventId,
  kind: 'claim_project.created',
  occurredAt: '2026-01-01T00:00:00.000Z',
  environment: 'test',
  organizationId: 'organization',
  resourceId: 'resource',
  data: 'x'.repeat(bytes),
  changedFields: null,
});

it('keeps an event once for all deliveries of it, until the last of them lets it go', () => {
  const ahead = new EventsAhead(2500);
  for (let kept = 0; kept < 3; kept += 1) expect(ahead.keep(anEvent('a'))).toBe(true);
  expect(ahead.keep(anEvent('b'))).toBe(false);
  for (let gone = 0; gone < 3; gone += 1) {
    expect(ahead.keep(anEvent('b'))).toBe(false);
    expect(ahead.letGo('a').eventId).toBe('a');
  }
  expect(ahead.keep(anEvent('b'))).toBe(true);
});

it('drops nothing that a delivery waits for: what finds no room is not kept', () => {
  const ahead = new EventsAhead(10_000);
  const kept = ['a', 'b', 'c', 'd', 'e', 'f'].filter((id) => ahead.keep(anEvent(id)));
  expect(kept).toEqual(['a', 'b', 'c', 'd']);
  expect(kept.map((id) => ahead.letGo(id).eventId)).toEqual(kept);
  expect(ahead.keep(anEvent('g', 8000))).toBe(true);
});
