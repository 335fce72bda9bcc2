import { describe, expect, it } from 'vitest';
import { changedProperties, changesBetween, given } from './changes.js';

it('given: the fields of a request that are not undefined', () => {
  expect(given({ a: undefined, b: null, c: 0, d: '', e: false })).toStrictEqual({ b: null, c: 0, d: '', e: false });
});

describe('changed properties of a row', () => {
  it('lists nothing where only the order of names differs', () => {
    const row = { name: 'x', reference: null, metadata: { a: [1, { b: 2, c: 3 }], d: 4 } };
    expect(changedProperties(row, { ...row, metadata: { d: 4, a: [1, { c: 3, b: 2 }] } })).toEqual([]);
  });

  it('lists exactly the properties that differ', () => {
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
});

describe('changes of a record', () => {
  const record = {
    id: '1',
    environment: 'test',
    createdAt: 'then',
    updatedAt: 'then',
    name: 'Berlin',
    reference: null,
    metadata: { a: 1, b: [2] },
  };

  it('lists every field of a new record, from null', () => {
    expect(changesBetween(null, record)).toEqual({
      name: { from: null, to: 'Berlin' },
      reference: { from: null, to: null },
      metadata: { from: null, to: { a: 1, b: [2] } },
    });
  });

  it('lists every field of a deleted record, to null', () => {
    expect(changesBetween(record, null)).toEqual({
      name: { from: 'Berlin', to: null },
      reference: { from: null, to: null },
      metadata: { from: { a: 1, b: [2] }, to: null },
    });
  });

  it('lists nothing without a record', () => {
    expect(changesBetween(null, null)).toEqual({});
  });

  it('lists the fields that differ, with both values', () => {
    expect(changesBetween(record, { ...record, updatedAt: 'now', name: 'Hamburg', reference: 'R', metadata: { a: 1 } })).toEqual({
      name: { from: 'Berlin', to: 'Hamburg' },
      reference: { from: null, to: 'R' },
      metadata: { from: { a: 1, b: [2] }, to: { a: 1 } },
    });
  });

  it('ignores the order of names, and fields that are not content', () => {
    expect(
      changesBetween(record, { ...record, id: '2', environment: 'live', createdAt: 'now', updatedAt: 'now', metadata: { b: [2], a: 1 } }),
    ).toEqual({});
  });

  it('takes a missing field for null', () => {
    expect(changesBetween({}, { status: 'draft', note: null })).toEqual({ status: { from: null, to: 'draft' } });
  });
});
