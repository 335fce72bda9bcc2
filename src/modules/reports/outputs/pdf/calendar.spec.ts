import { describe, expect, it } from 'vitest';
import { rangesOf } from './pdf-file.js';

describe('the statements of a month', () => {
  it('are ranges if many follow one another', () => {
    expect(rangesOf([])).toBe('');
    expect(rangesOf([3, 1])).toBe('S1, S3');
    expect(rangesOf([1, 2, 4, 5, 6, 9])).toBe('S1, S2, S4\u2013S6, S9');
  });
});
