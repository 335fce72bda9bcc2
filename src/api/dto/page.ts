import type { Type } from '@nestjs/common';
import { LIST_MAX_BYTES } from '../../kernel/product.js';
import { COUNTED_AT_MOST, FOUND_AT_MOST, type PageOf, type PageRequest } from '../../store/tenant/page.js';
import { DateTime, Flag, Integer, ListOf, Nested, OneOf, Uuid, Timestamp } from '../validation/fields.js';
import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { fieldsOf } from '../validation/field.js';

export class RecordDto {
  @Uuid({ about: 'Id of the record. Ids are ordered by time: newer records have greater ids.' }) id: string;
  @OneOf(ENVIRONMENTS, { about: 'The environment that the record belongs to.' }) environment: Environment;
  @Timestamp({ about: 'When the record was created.' }) createdAt: string;
  @Timestamp({ about: 'When the record was last changed.' }) updatedAt: string;
}

/** The fields of a class of answers in the order in which they are shown: the times of the record come last. */
export function shownFields<Answer extends RecordDto>(type: Type<Answer>): (keyof Answer)[] {
  const own = [...fieldsOf(type.prototype as object).keys()].filter(
    (name) => !['id', 'environment', 'createdAt', 'updatedAt'].includes(name),
  );
  return ['id', 'environment', ...own, 'createdAt', 'updatedAt'] as (keyof Answer)[];
}

const MAX_PAGE_SIZE = 200;

export class PageQuery implements PageRequest {
  @Integer({ about: 'Page number, from 1.', min: 1, optional: true, default: 1, example: 1 })
  page: number = 1;

  @Integer({
    about: `Records per page. An answer of more than ${LIST_MAX_BYTES / 1024 ** 2} MiB is refused with 400: ask for fewer.`,
    min: 1,
    max: MAX_PAGE_SIZE,
    optional: true,
    default: 50,
    example: 50,
    alsoCalled: ['limit', 'perPage', 'size', 'count', 'take'],
  })
  page_size: number = 50;

  @Uuid({
    about:
      'Only records older than the one with this id. With the id of the last record that you have, the next page begins after it, ' +
      'whatever was made or changed meanwhile; `total` counts those that follow. An addition.',
    optional: true,
  })
  before?: string;
}

/** Of records that change. */
export class RecordPageQuery extends PageQuery {
  @DateTime({
    about:
      'Only records that were made or changed at this time or later. Changes that are being written may have an earlier time: begin a ' +
      'minute before your last answer. An addition.',
    optional: true,
    example: '2026-01-01T00:00:00Z',
  })
  changed_since?: string;
}

export class PaginationDto {
  @Integer({ about: 'Number of this page.', min: 1, example: 1 }) page: number;
  @Integer({ about: 'Records per page.', min: 1, max: MAX_PAGE_SIZE, example: 50 }) pageSize: number;
  @Integer({
    about: `Number of matching records, counted up to ${COUNTED_AT_MOST}, with a search up to ${FOUND_AT_MOST}.`,
    min: 0,
    max: COUNTED_AT_MOST,
    example: 1,
  })
  total: number;
  @OneOf(['exact', 'at_least'], { about: `\`at_least\` when there are more than were counted.` })
  totalRelation: 'exact' | 'at_least';
  @Flag({ about: 'Whether the next page has records.', example: false }) hasMore: boolean;
}

export interface Page<Dto> {
  readonly data: Dto[];
  readonly pagination: PaginationDto;
}

/** The answer of a list operation, made from a page of the repository. */
export function toPage<Row, Dto>(query: PageQuery, page: PageOf<Row>, present: (row: Row) => Dto): Page<Dto> {
  const { total, totalRelation, hasMore } = page;
  return { data: page.rows.map(present), pagination: { page: query.page, pageSize: query.page_size, total, totalRelation, hasMore } };
}

export function pageOf(record: Type<object>): Type<Page<unknown>> {
  class PageDto {
    @ListOf(record, { about: 'The records of this page, newest first.' }) data: unknown[];
    @Nested(PaginationDto, { about: 'Position and size of this page.' }) pagination: PaginationDto;
  }
  Object.defineProperty(PageDto, 'name', { value: record.name.replace(/Dto$/, 'Page') });
  return PageDto;
}
