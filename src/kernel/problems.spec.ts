import { describe, expect, it } from 'vitest';
import { SETTINGS } from './settings/settings.js';
import { problemBody, Problem, PROBLEMS, type FieldError, type ProblemCode, type ProblemKind } from './problems.js';

const table = Object.entries(PROBLEMS) as [ProblemCode, ProblemKind][];

describe('the table of problems', () => {
  it.each(table)('describes %s completely', (code, { status, title, about }) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(title).toMatch(/^[A-Z][^.<>&]+[^.]$/);
    expect(about).toMatch(/^[A-Z`].{20,}\.$/);
    expect(about.match(/`/g)?.length ?? 0, 'back quotes in pairs').toSatisfy((count: number) => count % 2 === 0);
  });

  it('names known limits and settings only in its texts', () => {
    for (const [code, { about }] of table) {
      const settings = [...about.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!);
      expect(
        settings.filter((name) => !(name in SETTINGS)),
        code,
      ).toEqual([]);
      expect(about.replace(/\{\{\w+\}\}/g, ''), code).not.toMatch(/[{}]|undefined|NaN/);
    }
  });

  it('has a unique title for every code', () => {
    expect(new Set(table.map(([, { title }]) => title)).size).toBe(table.length);
  });

  it('tells programs to give up after a bad request, to wait after a 429, and to repeat after a 408 or 5xx', () => {
    for (const [code, { status, retry }] of table)
      expect([code, retry]).toEqual([code, status >= 500 || status === 408 ? 'same_key' : status === 429 ? 'later' : 'never']);
  });
});

describe('a problem', () => {
  const at = { baseUrl: 'https://claims.example', requestId: 'r-1' };
  const error = (field: string): FieldError => ({ location: 'body', field, code: 'required', message: 'is required' });

  it('has the body of RFC 9457, without its cause', () => {
    const problem = new Problem('not_found', {
      detail: 'There is no such thing.',
      cause: new Error('SELECT secret'),
      headers: { Allow: 'x' },
    });
    expect(problemBody(problem, at)).toStrictEqual({
      type: 'https://claims.example/problems/not_found',
      title: 'There is no such record',
      status: 404,
      detail: 'There is no such thing.',
      code: 'not_found',
      requestId: 'r-1',
      retry: 'never',
      errors: [],
    });
    expect(problem.cause).toEqual(new Error('SELECT secret'));
  });

  it.each(table)('of the code %s has a detail that says more than its title', (code, { title }) => {
    const { detail } = new Problem(code);
    expect(detail).toMatch(/^[A-Z].{15,}\.$/);
    expect(detail).not.toMatch(/[`{}]/);
    expect(detail).not.toContain(title);
  });

  it('may override `retry`', () => {
    expect(new Problem('idempotency_conflict', { retry: 'same_key' })).toMatchObject({ retry: 'same_key', status: 409 });
  });

  it('names up to three invalid fields in its detail, and up to a hundred in its errors', () => {
    expect(Problem.validation([error('a')]).detail).toBe('a is required.');
    expect(Problem.validation(['a', 'b', 'c'].map(error)).detail).toBe('a is required; b is required; c is required.');
    const many = Problem.validation(Array.from({ length: 250 }, (_, index) => error(`f${index}`)));
    expect(many.detail).toBe('f0 is required; f1 is required; f2 is required; and 247 more.');
    expect(many.errors).toHaveLength(100);
  });

  it('has short forms for one invalid field and for a record that does not exist', () => {
    expect(Problem.invalidField('a', 'required', 'is required')).toMatchObject({ code: 'validation_failed', errors: [error('a')] });
    expect(Problem.notFound('user 1')).toMatchObject({ code: 'not_found', detail: 'There is no user 1.' });
  });
});
