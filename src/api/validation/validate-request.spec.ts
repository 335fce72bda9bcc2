import { describe, expect, it } from 'vitest';
import { anOperation } from '../../../test/support/operations.js';
import { Problem, type FieldError } from '../../kernel/problems.js';
import type { RegisteredOperation } from '../operation/operation.js';
import { PageQuery } from '../dto/page.js';
import { Flag, Text } from './fields.js';
import { validateRequest } from './validate-request.js';

class NoteDto {
  @Text({ about: 'A text.', max: 5 }) text: string;
}
class NotesQuery extends PageQuery {
  @Text({ about: 'A part.', max: 5, optional: true }) search?: string;
  @Flag({ about: 'Pinned or not.', optional: true }) pinned?: boolean;
}

const ID = '0199E9A4-7C1E-7B6A-9F0E-3D1C5A7B9D21';
const none = { params: {}, query: {}, url: '/' };
const list = anOperation({ query: NotesQuery });

function errorsOf(operation: RegisteredOperation, given: Parameters<typeof validateRequest>[1]): readonly FieldError[] {
  try {
    validateRequest(operation, given);
    return [];
  } catch (error) {
    if (error instanceof Problem) return error.errors;
    throw error;
  }
}

describe('a query', () => {
  it.each([
    ['true', true],
    ['false', false],
  ])('turns %s into a boolean', (text, value) => {
    expect(validateRequest(list, { ...none, query: { pinned: text } }).query).toMatchObject({ pinned: value });
  });

  it.each(['', '1', 'True', 'yes'])('refuses %j as a boolean', (text) => {
    expect(errorsOf(list, { ...none, query: { pinned: text } })).toMatchObject([
      { location: 'query', field: 'pinned', message: 'must be true or false' },
    ]);
  });

  it('becomes an instance of its class, with defaults and numbers', () => {
    expect(validateRequest(list, none).query).toEqual(new NotesQuery());
    const { query } = validateRequest(list, { ...none, query: { page: '007', search: '7' } });
    expect(query).toBeInstanceOf(NotesQuery);
    expect(query).toEqual({ page: 7, page_size: 50, search: '7' });
  });

  it('is refused by an operation without query parameters', () => {
    expect(errorsOf(anOperation(), { ...none, query: { page: '1' } })).toMatchObject([
      { location: 'query', field: 'page', code: 'unknown_property' },
    ]);
  });

  it('with a repeated or unknown parameter is refused', () => {
    expect(errorsOf(list, { ...none, query: { page: ['1', '2'], toString: '1', other: '' } })).toMatchObject([
      { field: 'page', code: 'repeated' },
      { field: 'toString', code: 'unknown_property' },
      { field: 'other', code: 'unknown_property' },
    ]);
  });

  it('that cannot be decoded is refused, and the error names the parameter', () => {
    const errors = errorsOf(list, { ...none, query: { search: '%ff', page: '1' }, url: '/v1/things?page=1&search=%ff&page_size=%31' });
    expect(errors).toMatchObject([{ location: 'query', field: 'search', code: 'invalid_encoding' }]);
  });
});

it('returns the ids of a path in lower case', () => {
  const operation = anOperation({ pathIds: ['thing_id'] });
  expect(validateRequest(operation, { ...none, params: { thing_id: ID } }).params).toEqual({ thing_id: ID.toLowerCase() });
  expect(errorsOf(operation, { ...none, params: { thing_id: 'x' } })).toMatchObject([
    { location: 'path', field: 'thing_id', code: 'invalid_uuid' },
  ]);
});

it('names every invalid value of path, query and body at once', () => {
  const operation = anOperation({ method: 'PATCH', pathIds: ['thing_id'], body: NoteDto });
  const errors = errorsOf(operation, { params: { thing_id: 'x' }, query: { a: '1' }, body: { text: 'too long', more: 1 }, url: '/?a=1' });
  expect(errors.map(({ location, field }) => `${location} ${field}`)).toEqual(['path thing_id', 'query a', 'body more', 'body text']);
});

it('checks a body against its declared class, whatever `constructor` or `__proto__` it sends', () => {
  const operation = anOperation({ method: 'POST', body: NoteDto });
  for (const body of [
    '{"constructor":null}',
    '{"constructor":{"name":"Object"}}',
    '{"__proto__":null}',
    '{"__proto__":{"text":"x"}}',
    '{"hasOwnProperty":1}',
  ]) {
    const errors = errorsOf(operation, { ...none, body: JSON.parse(body) as Record<string, unknown> });
    expect(errors).toMatchObject([{ code: 'unknown_property' }, { field: 'text', code: 'required' }]);
  }
});

it('shortens a long name of the caller in an error, and makes it well-formed', () => {
  const [error] = errorsOf(anOperation({ method: 'POST', body: NoteDto }), {
    ...none,
    body: { text: 'x', [`\ud800${'y'.repeat(1000)}`]: 1 },
  });
  expect(error!.field).toBe(`\ufffd${'y'.repeat(99)}…`);
});
