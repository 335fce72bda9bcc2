import { describe, expect, it } from 'vitest';
import { DEFAULT_REPORT_LIMITS, mergeReportLimits } from './report-limits.js';

describe('the limits of a run', () => {
  it('are the defaults, except for those that the operator names', () => {
    expect(mergeReportLimits({})).toEqual(DEFAULT_REPORT_LIMITS);
    expect(mergeReportLimits({ lines: 10 })).toEqual({ ...DEFAULT_REPORT_LIMITS, lines: 10 });
  });

  it.each([
    [[], 'must be a JSON object of limits'],
    [{ line: 1 }, 'names "line", which is not one of rulesWithPatterns, rulesBytes, statements, lines, resultBytes, fileBytes'],
    [{ lines: 0 }, 'holds a bad limit "lines"'],
    [{ lines: 1.5 }, 'holds a bad limit "lines"'],
    [{ lines: '10' }, 'holds a bad limit "lines"'],
    [{ fileBytes: 1024 ** 3 }, 'a whole number from 1 to 268435456 is expected'],
  ])('rejects %j and says why', (value, problem) => {
    expect(() => mergeReportLimits(value)).toThrow(problem);
  });
});
