import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ticksOf } from './summary.js';

describe('the grid lines of a chart', () => {
  it('are at round values', () => {
    expect(ticksOf(0, 4_030)).toEqual([0, 2_000, 4_000, 6_000]);
    expect(ticksOf(-125, 900)).toEqual([-500, 0, 500, 1_000]);
    expect(ticksOf(0, 0)).toEqual([0, 1]);
  });

  it('are few, enclose all values and include zero', () => {
    const amount = fc.double({ min: 0, max: 1e12, noNaN: true }).filter((value) => value === 0 || value > 0.001);
    fc.assert(
      fc.property(amount, amount, (below, above) => {
        const ticks = ticksOf(-below, above);
        expect(ticks[0]).toBeLessThanOrEqual(-below);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(above);
        expect(ticks.some((tick) => tick === 0)).toBe(true);
        expect(ticks.length).toBeGreaterThan(1);
        expect(ticks.length).toBeLessThanOrEqual(7);
      }),
    );
  });
});
