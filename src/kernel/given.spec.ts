import { expect, it } from 'vitest';
import { changedProperties, given } from './changes.js';

it('what was sent is all but what is undefined', () => {
  expect(given({ a: undefined, b: null, c: 0, d: '', e: false })).toStrictEqual({ b: null, c: 0, d: '', e: false });
});

it('a change that leaves all as it is changes nothing, whatever the order of names', () => {
  const row = { name: 'x', reference: null, metadata: { a: [1, { b: 2, c: 3 }], d: 4 } };
  expect(changedProperties(row, { ...row, metadata: { d: 4, a: [1, { c: 3, b: 2 }] } })).toEqual([]);
});

it('names what differs, and only that', () => {
  const row: Record<string, unknown> = { name: 'x', reference: null, metadata: { a: [1, 2] }, count: 0 };
  for (const change of [
    { name: 'X' },
    { reference: '' },
    { reference: 'null' },
    { metadata: { a: [2, 1] } },
    { metadata: {} },
    { count: '0' },
    { count: null },
  ])
    expect(changedProperties(row, { ...row, ...change })).toEqual(Object.keys(change));
});
