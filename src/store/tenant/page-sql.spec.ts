import { expect, it } from 'vitest';
import type { EntitySql } from '../database/sql.js';
import { nameOf } from './page-sql.js';

const columns = Array.from({ length: 40 }, (_none, at) => ({ property: `p${at}` }));
const named = (filters: readonly string[], tableName = 'trips') =>
  nameOf({ tableName, columns } as unknown as EntitySql, { filters, isSearch: false, isNear: true }, {});

it('a list has a name for each set of filters, in which the ends of a range differ', () => {
  expect([named([]), named(['p3', 'p4>=']), named(['p4<=', 'p4>='])]).toEqual(['trips.page:', 'trips.page:3,4>', 'trips.page:4<,4>']);
});

it('the name of a list with very many filters is no longer than Postgres allows, and of no other list', () => {
  const all = columns.flatMap(({ property }) => [`${property}>=`, `${property}<=`]);
  const names = [named(all), named(all.slice(1)), named(all, 'tours'), named(all.toReversed())];
  expect(new Set(names).size).toBe(4);
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(63);
});
