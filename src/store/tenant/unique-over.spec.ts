import { Entity } from 'typeorm';
import { expect, it } from 'vitest';
import { DateColumn, IntegerColumn, JsonColumn, MoneyColumn, TenantRow, TextColumn, TimestampColumn } from '../database/columns.js';
import { UniqueOver, uniqueKeysOf } from './unique-over.js';

@Entity('unique_trips')
@UniqueOver('unique_trips_unique', ['driver', 'plate', 'startedOn', 'distance', 'seats'], { noun: 'trip', exact: ['plate'] })
@UniqueOver('unique_trips_unique_driver', ['driver', 'plate'], { noun: 'trip', nullsAreEqual: true, key: 'driverKey' })
class Trip extends TenantRow {
  @TextColumn() driver: string;
  @TextColumn({ nullable: true }) plate: string | null;
  @DateColumn() startedOn: string;
  @MoneyColumn() distance: string;
  @IntegerColumn() seats: number;
}

const TRIP = { driver: 'Zoë Groß', plate: 'B-A 1', startedOn: '2026-03-01', distance: '12.5', seats: 4 };
const keys = (changes: object = {}) => uniqueKeysOf(Trip, { ...TRIP, ...changes });

it('records are equal whatever the spelling of their texts and the zeros of their numbers', () => {
  expect(keys({ driver: 'ZOË GROSS', distance: '12.500' })).toEqual(keys());
  for (const changes of [{ driver: 'Zoe' }, { plate: 'b-a 1' }, { startedOn: '2026-03-02' }, { distance: '12.51' }, { seats: 5 }])
    expect(keys(changes).uniqueKey, JSON.stringify(changes)).not.toBe(keys().uniqueKey);
});

it('a record without one of the values is equal to none, unless the rule says that missing values are equal', () => {
  expect(keys({ plate: null })).toEqual({ uniqueKey: null, driverKey: expect.any(String) as string });
  expect(keys({ plate: null }).driverKey).not.toBe(keys({ plate: 'null' }).driverKey);
});

it('a value that was not given is no missing value', () => {
  expect(() => keys({ plate: undefined })).toThrow('unique_trips.plate was not given');
});

it.each(['payload', 'startedAt', 'nothing'])('refuses a rule over %s', (field) => {
  @Entity('unique_things')
  @UniqueOver('unique_things_unique', [field], { noun: 'thing' })
  class Thing extends TenantRow {
    @JsonColumn() payload: object;
    @TimestampColumn() startedAt: string;
  }
  expect(() => uniqueKeysOf(Thing, {})).toThrow(`Records of unique_things cannot be unique over ${field}.`);
});
