import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCategoryFilter } from '../inputs.js';

const taken = (filter: Record<string, unknown>, code: string, status = 'active') => readCategoryFilter(filter)({ code, status });

describe('a category filter', () => {
  it('takes all active categories if it is empty', () => {
    expect([taken({}, 'STAFF'), taken({}, 'STAFF', 'archived'), taken({ yourKey: 1 }, 'STAFF')]).toEqual([true, false, true]);
    expect([taken({ status: ['archived'] }, 'STAFF'), taken({ status: ['archived', 'active'] }, 'STAFF', 'archived')]).toEqual([
      false,
      true,
    ]);
  });

  it('takes what it includes, less what it excludes, case-insensitively', () => {
    const filter = { include: ['staff', 'Cloud*'], exclude: ['*-TEST'] };
    const codes = ['STAFF', 'STAFFING', 'cloud', 'CLOUD-STORAGE', 'CLOUD-TEST', 'MYCLOUD'];
    expect(codes.filter((code) => taken(filter, code))).toEqual(['STAFF', 'cloud', 'CLOUD-STORAGE']);
  });

  it('has no wildcard but *: other characters match themselves', () => {
    expect([
      taken({ include: ['A.C'] }, 'ABC'),
      taken({ include: ['A.C'] }, 'a.c'),
      taken({ include: ['A?'] }, 'AB'),
      taken({ include: ['(A|B)'] }, 'A'),
    ]).toEqual([false, true, false, false]);
    const text = fc.string({ minLength: 1, maxLength: 20 }).filter((part) => !part.includes('*') && part.trim() !== '');
    fc.assert(
      fc.property(text, text, fc.string({ maxLength: 20 }), (before, after, between) => {
        expect(taken({ include: [`${before}*${after}`] }, `${before}${between}${after}`)).toBe(true);
        expect(taken({ include: [before] }, `${before}x`)).toBe(false);
      }),
    );
  });

  it('is not slower with many stars', () => {
    expect(taken({ include: ['*A'.repeat(90)] }, `${'A'.repeat(100)}B`)).toBe(false);
  });

  it.each([
    [{ include: 'STAFF' }, 'categoryFilter.include must be a list.'],
    [{ include: [] }, 'categoryFilter.include must have at least 1 entry.'],
    [{ exclude: ['A', 7] }, 'categoryFilter.exclude[1] must be a text of 1 to 200 characters.'],
    [{ status: ['open'] }, 'categoryFilter.status[0] must be one of active, archived.'],
  ])('%j fails the run with its path', (value, message) => {
    expect(() => readCategoryFilter(value)).toThrow(expect.objectContaining({ code: 'invalid_category_filter', message }));
  });
});
