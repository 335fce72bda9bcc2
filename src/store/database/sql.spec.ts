import { Entity } from 'typeorm';
import { expect, it } from 'vitest';
import { JsonColumn, TenantRow, TextColumn, TextListColumn } from './columns.js';
import { entityColumns, selectList } from './sql.js';

@Entity('sample_things')
class SampleThing extends TenantRow {
  @TextColumn() firstName: string;
  @JsonColumn() metadata: unknown;
  @TextListColumn() tags: string[];
  @TextColumn({ select: false }) searchKey: string;
}

const own = entityColumns(SampleThing);
const written = (property: string, value: unknown): unknown => own.columns.find((column) => column.property === property)!.write(value);

it('knows the SQL names of the table and of all columns, including inherited ones', () => {
  expect(own.table).toBe('"sample_things"');
  const names = Object.fromEntries(own.columns.map(({ property, column }) => [property, column]));
  expect(names).toEqual({
    id: '"id"',
    organizationId: '"organization_id"',
    environment: '"environment"',
    createdAt: '"created_at"',
    updatedAt: '"updated_at"',
    firstName: '"first_name"',
    metadata: '"metadata"',
    tags: '"tags"',
    searchKey: '"search_key"',
  });
  expect(entityColumns(SampleThing)).toBe(own);
});

it('selects every column under the name of its property, except columns that only an index needs', () => {
  const list = selectList(own);
  expect(list).toContain('"first_name" AS "firstName"');
  expect(list).toContain('"organization_id" AS "organizationId"');
  expect(list).not.toContain('search_key');
});

it('writes JSON as text, including lists, and lists of text as they are', () => {
  expect(written('metadata', { a: [1] })).toBe('{"a":[1]}');
  expect(written('metadata', [1, 'x'])).toBe('[1,"x"]');
  expect(written('metadata', 'x')).toBe('"x"');
  expect([written('metadata', null), written('metadata', undefined)]).toEqual([null, null]);
  expect(written('tags', ['a', 'b'])).toEqual(['a', 'b']);
});

it('refuses a class that is not an entity', () => {
  class Nothing {}
  expect(() => entityColumns(Nothing)).toThrow('Nothing is no entity');
  expect(() => entityColumns(class Heir extends SampleThing {})).toThrow('Heir is no entity');
});
