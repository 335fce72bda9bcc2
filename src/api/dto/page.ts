import type { Type } from '@nestjs/common';
import { COUNTED_AT_MOST, type PageOf, type PageRequest } from '../../store/tenant/page.js';
import { Flag, Integer, ListOf, Nested, OneOf } from '../validation/fields.js';

export class PageQuery implements PageRequest {
  @Integer({ about: 'Which page, from 1 on.', min: 1, optional: true, default: 1, example: 1 })
  page: number = 1;

  @Integer({ about: 'How many records a page has.', min: 1, max: 200, optional: true, default: 50, example: 50 })
  page_size: number = 50;
}

export class PaginationDto {
  @Integer({ about: 'The page that this is.', min: 1, example: 1 }) page: number;
  @Integer({ about: 'How many records a page has.', min: 1, max: 200, example: 50 }) pageSize: number;
  @Integer({ about: `How many records there are in all; counted up to ${COUNTED_AT_MOST}.`, min: 0, max: COUNTED_AT_MOST, example: 1 })
  total: number;
  @OneOf(['exact', 'at_least'], { about: `Whether \`total\` is exact, or there are more than the ${COUNTED_AT_MOST} that were counted.` })
  totalRelation: 'exact' | 'at_least';
  @Flag({ about: 'Whether a further page has records.', example: false }) hasMore: boolean;
}

export interface Page<Dto> {
  readonly data: Dto[];
  readonly pagination: PaginationDto;
}

/** The answer to a list, made of a repository's page. */
export function toPage<Row, Dto>(query: PageQuery, page: PageOf<Row>, present: (row: Row) => Dto): Page<Dto> {
  const { total, totalRelation, hasMore } = page;
  return { data: page.rows.map(present), pagination: { page: query.page, pageSize: query.page_size, total, totalRelation, hasMore } };
}

/** The class that documents a page of the given records. */
export function pageOf(record: Type<unknown>): Type<Page<unknown>> {
  class PageDto {
    @ListOf(record, { about: 'The records of this page, newest first.' }) data: unknown[];
    @Nested(PaginationDto, { about: 'Where this page stands.' }) pagination: PaginationDto;
  }
  Object.defineProperty(PageDto, 'name', { value: record.name.replace(/Dto$/, 'Page') });
  return PageDto;
}
