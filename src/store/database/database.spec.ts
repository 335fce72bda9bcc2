import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../kernel/problems.js';
import { brokenConstraint, isLockTimeout, readError } from './database.js';

function serverError(code: string, more: object = {}): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('as the server says it', 1, 'error'), { code, ...more });
}

describe('an error of the database', () => {
  it.each(['08006', '53300', '57P01', '57P02', '57P03', '25006', '57014'])('%s means that it is temporarily unavailable', (code) => {
    const error = serverError(code);
    expect(readError(error)).toMatchObject({
      code: 'unavailable',
      status: 503,
      retry: 'same_key',
      headers: { 'Retry-After': '1' },
      cause: error,
    });
  });

  it('from the network means the same', () => {
    for (const error of [new Error('Connection terminated unexpectedly'), Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })])
      expect(readError(error)).toMatchObject({ code: 'unavailable', cause: error });
  });

  it.each(['23505', '42703', '42P01', '22001', '55P03', '40001', '25P02'])('%s is not changed', (code) => {
    const error = serverError(code);
    expect(readError(error)).toBe(error);
  });

  it('that is a mistake of ours is not told as a database that is away, which callers and jobs would wait out', () => {
    for (const mistake of [new TypeError('Two statements have the name x.'), new RangeError('x')]) expect(readError(mistake)).toBe(mistake);
  });

  it('that is already a problem is not changed', () => {
    const problem = new Problem('not_found');
    expect(readError(problem)).toBe(problem);
  });
});

it('returns the constraint only for a violation of uniqueness', () => {
  expect(brokenConstraint(serverError('23505', { constraint: 'things_unique' }))).toBe('things_unique');
  expect(brokenConstraint(serverError('23514', { constraint: 'things_check' }))).toBeUndefined();
  expect(brokenConstraint(new Error('things_unique'))).toBeUndefined();
});

it('recognizes a lock timeout', () => {
  expect(isLockTimeout(serverError('55P03'))).toBe(true);
  expect(isLockTimeout(serverError('57014'))).toBe(false);
  expect(isLockTimeout(new Error('55P03'))).toBe(false);
});
