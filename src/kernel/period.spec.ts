import { expect, it } from 'vitest';
import { Problem } from './problems.js';
import { requireOrderedPeriod } from './dates.js';

it('a period may be a single day', () => {
  expect(() => requireOrderedPeriod({ periodStart: '2026-01-01', periodEnd: '2026-01-01' })).not.toThrow();
  expect(() => requireOrderedPeriod({ periodStart: '0999-12-31', periodEnd: '1000-01-01' })).not.toThrow();
});

it('a period that ends before it begins is blamed on its end', () => {
  try {
    requireOrderedPeriod({ periodStart: '2026-01-02', periodEnd: '2026-01-01' });
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ location: 'body', field: 'periodEnd', code: 'before_start' }] });
  }
});
