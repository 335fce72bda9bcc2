import { describe, expect, it } from 'vitest';
import { Pace } from './pace.js';

const at = (ms: number): Date => new Date(1_800_000_000_000 + ms);

describe('the pace of an endpoint', () => {
  it('has no waits without a limit', () => {
    const pace = new Pace(null, null, at(0));
    for (let count = 0; count < 100; count += 1) pace.take(at(0));
    expect(pace.waitMs(at(0))).toBe(0);
    expect(pace.nextSendAt).toBeNull();
  });

  it('spreads deliveries evenly, also after a pause', () => {
    const pace = new Pace(60, null, at(0));
    expect(pace.waitMs(at(0))).toBe(0);
    pace.take(at(0));
    expect([pace.waitMs(at(0)), pace.waitMs(at(400)), pace.waitMs(at(1000))]).toEqual([1000, 600, 0]);
    pace.take(at(10_000));
    expect(pace.waitMs(at(10_000))).toBe(1000);
  });

  it('goes on where the worker before has stopped', () => {
    const first = new Pace(1, null, at(0));
    first.take(at(0));
    expect(new Pace(1, first.nextSendAt!.toISOString(), at(20_000)).waitMs(at(20_000))).toBe(40_000);
  });

  it('waits no longer than a new limit says', () => {
    const pace = new Pace(1, null, at(0));
    pace.take(at(0));
    pace.change(60, at(0));
    expect(pace.waitMs(at(0))).toBe(1000);
    pace.change(null, at(0));
    expect(pace.waitMs(at(0))).toBe(0);
  });
});
