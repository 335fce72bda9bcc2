import { expect, it } from 'vitest';
import { Timestamp, Uuid } from '../validation/fields.js';
import { entityTag, ifMatchOf, isNamedBy, isVersionOf } from './record-versions.js';

class ThingDto {
  @Uuid({ about: 'An id.' }) id: string;
  @Timestamp({ about: 'A time.' }) updatedAt: string;
}
class BusyThingDto extends ThingDto {
  @Timestamp({ about: 'Changes by itself.', nullable: true, isSeparate: true }) usedAt: string | null;
}

const record = (updatedAt: string, usedAt: string | null = null) => ({ id: 'x', updatedAt, usedAt });
const [NOON, LATER] = ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.001Z'];

it('the tag of a record is another after a millisecond', () => {
  expect(entityTag(ThingDto, record(NOON))).toBe(entityTag(ThingDto, record(NOON)));
  expect(entityTag(ThingDto, record(NOON))).not.toBe(entityTag(ThingDto, record(LATER)));
});

it('a field that changes by itself makes a new tag for readers, and keeps nobody from changing the record', () => {
  const [unused, used] = [entityTag(BusyThingDto, record(NOON)), entityTag(BusyThingDto, record(NOON, LATER))];
  expect(isNamedBy(unused, used)).toBe(false);
  expect(isNamedBy(used, used)).toBe(true);
  for (const tag of [unused, used]) {
    expect(isVersionOf(ifMatchOf(tag)!, record(NOON))).toBe(true);
    expect(isVersionOf(ifMatchOf(tag)!, record(LATER))).toBe(false);
  }
});
