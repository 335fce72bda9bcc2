import { describe, expect, it } from 'vitest';
import { counts, type Health, healthAfter, isToldFailing } from './endpoint-health.js';

const [FIRST, LATER, LAST] = ['2026-03-01T09:30:00.000Z', '2026-03-01T09:31:00.000Z', '2026-03-01T09:32:00.000Z'] as const;
const WORKS: Health = { failingSince: null, failures: 0 };

const failed = (attemptedAt: string = LAST, isCounted = true) => ({ status: 'failed', attemptedAt, isCounted }) as const;
const delivered = { status: 'delivered', attemptedAt: LAST } as const;

describe('the health of an endpoint', () => {
  it('counts the failed attempts in a row, since the first of them', () => {
    expect(healthAfter(WORKS, [failed(LATER), failed(FIRST)])).toEqual({ failingSince: FIRST, failures: 2 });
    expect(healthAfter({ failingSince: FIRST, failures: 2 }, [failed()])).toEqual({ failingSince: FIRST, failures: 3 });
  });

  it('forgets them with one success, also beside failures', () => {
    expect(healthAfter({ failingSince: FIRST, failures: 9 }, [failed(), delivered])).toEqual(WORKS);
  });

  it('begins to count anew with what a worker of another version has left', () => {
    expect(healthAfter({ failingSince: null, failures: 7 }, [failed()])).toEqual({ failingSince: LAST, failures: 1 });
  });

  it('does not change by attempts to tell of other endpoints, but since when it fails does', () => {
    expect(counts('webhook.failing')).toBe(false);
    expect(counts('claim_project.created')).toBe(true);
    expect(healthAfter(WORKS, [failed(FIRST, false), failed(LATER, false)])).toEqual({ failingSince: FIRST, failures: 0 });
    expect(healthAfter({ failingSince: FIRST, failures: 3 }, [failed(LAST, false)])).toEqual({ failingSince: FIRST, failures: 3 });
  });

  it('is told from the fourth failure on, until a success', () => {
    expect([0, 3, 4, 100].map((failures) => isToldFailing({ failingSince: FIRST, failures }))).toEqual([false, false, true, true]);
    expect(isToldFailing({ failingSince: null, failures: 4 })).toBe(false);
  });

  it('stays as it is when there are no results', () => {
    expect(healthAfter(WORKS, [])).toEqual(WORKS);
  });
});
