import { expect, it } from 'vitest';
import { changesBetween } from './changes.js';

const record = {
  id: '1',
  environment: 'test',
  createdAt: 'then',
  updatedAt: 'then',
  name: 'Berlin',
  reference: null,
  metadata: { a: 1, b: [2] },
};

it('a new record comes from nothing, field by field', () => {
  expect(changesBetween(null, record)).toEqual({
    name: { from: null, to: 'Berlin' },
    reference: { from: null, to: null },
    metadata: { from: null, to: { a: 1, b: [2] } },
  });
});

it('a record that is gone came to nothing, field by field', () => {
  expect(changesBetween(record, null)).toEqual({
    name: { from: 'Berlin', to: null },
    reference: { from: null, to: null },
    metadata: { from: { a: 1, b: [2] }, to: null },
  });
});

it('what neither was nor is has no fields', () => {
  expect(changesBetween(null, null)).toEqual({});
});

it('names what differs, from what to what', () => {
  expect(changesBetween(record, { ...record, updatedAt: 'now', name: 'Hamburg', reference: 'R', metadata: { a: 1 } })).toEqual({
    name: { from: 'Berlin', to: 'Hamburg' },
    reference: { from: null, to: 'R' },
    metadata: { from: { a: 1, b: [2] }, to: { a: 1 } },
  });
});

it('names nothing where only the order of names, or what is no content, differs', () => {
  expect(
    changesBetween(record, { ...record, id: '2', environment: 'live', createdAt: 'now', updatedAt: 'now', metadata: { b: [2], a: 1 } }),
  ).toEqual({});
});

it('takes what was absent for null', () => {
  expect(changesBetween({}, { status: 'draft', note: null })).toEqual({ status: { from: null, to: 'draft' } });
});
