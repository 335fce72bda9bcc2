import { expect, it } from 'vitest';
import { declaredEvents, declareEvent, isDeclared } from './declare-event.js';

const event = (kind: string) => ({ kind, status: 'emitted' as const, summary: 'Something happened.', data: Object });

it('accepts each kind only once in the whole program', () => {
  const made = declareEvent(event('declared_thing.made'));
  expect(() => declareEvent(event('declared_thing.made'))).toThrow('The event declared_thing.made is declared twice.');
  expect(isDeclared(made)).toBe(true);
});

it('recognizes the declaration itself, but nothing that only looks like it', () => {
  const declared = declareEvent(event('thing.changed'));
  expect(isDeclared({ ...declared })).toBe(false);
  expect(isDeclared(event('thing.never_declared'))).toBe(false);
  expect(isDeclared(undefined)).toBe(false);
});

it('lists all events in alphabetical order', () => {
  declareEvent(event('b.second'));
  declareEvent(event('a.first'));
  const kinds = declaredEvents().map(({ kind }) => kind);
  expect(kinds).toContain('a.first');
  expect(kinds).toEqual([...kinds].sort());
});
