import { expect, it } from 'vitest';
import { isUuid, newId, newShortLivedId } from './ids.js';

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('new ids are UUIDs of version 7, each later than the one before', () => {
  const ids = Array.from({ length: 5000 }, newId);
  for (const id of ids) expect(id).toMatch(V7);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

it('short-lived ids are UUIDs and never the same, however many are made', () => {
  const ids = Array.from({ length: 5000 }, newShortLivedId);
  for (const id of ids) expect(isUuid(id)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});

it('any UUID in the usual form is accepted, in either case, and nothing else', () => {
  for (const text of ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-ffff-4FFF-8fff-ffffffffffff', newId(), newId().toUpperCase()])
    expect(isUuid(text)).toBe(true);
  const id = newId();
  for (const text of [
    '',
    id.slice(1),
    `${id}0`,
    `{${id}}`,
    `urn:uuid:${id}`,
    id.replaceAll('-', ''),
    ` ${id}`,
    `${id}\n`,
    id.replace(/.$/, 'g'),
  ])
    expect(isUuid(text), text).toBe(false);
});
