import { expect, it } from 'vitest';
import { RecordDto, pageOf, PageQuery, toPage } from './page.js';

it('defaults to the first page, of 50 records', () => {
  expect({ ...new PageQuery() }).toEqual({ page: 1, page_size: 50 });
});

it('builds the answer from a page of the repository: the presented records, and the pagination', () => {
  const page = { rows: [1, 2], total: 10_000, totalRelation: 'at_least', hasMore: true } as const;
  expect(toPage({ page: 3, page_size: 2 }, { ...page, rows: [...page.rows] }, (row) => ({ id: `${row}` }))).toEqual({
    data: [{ id: '1' }, { id: '2' }],
    pagination: { page: 3, pageSize: 2, total: 10_000, totalRelation: 'at_least', hasMore: true },
  });
});

it('names the class that documents a page after its record', () => {
  class ThingDto extends RecordDto {}
  expect(pageOf(ThingDto).name).toBe('ThingPage');
  expect(pageOf(ThingDto)).not.toBe(pageOf(RecordDto));
});
