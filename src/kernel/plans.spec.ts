import { describe, expect, it } from 'vitest';
import { Settings } from './settings/settings.js';
import { newId } from './ids.js';
import { tierOf } from './plans.js';

const limitsOf = (value: unknown) => Settings.from({ RATE_LIMITS: JSON.stringify(value) }).rateLimits;

describe('RATE_LIMITS', () => {
  it('has default tiers', () => {
    expect(Settings.from({}).rateLimits).toEqual({
      starter: { perMinute: 120, burst: 40 },
      growth: { perMinute: 600, burst: 200 },
      enterprise: { perMinute: 3000, burst: 1000 },
    });
  });

  it('changes the tiers it names and leaves the others', () => {
    expect(limitsOf({ growth: { perMinute: 700, burst: 70 } })).toMatchObject({
      starter: { perMinute: 120 },
      growth: { perMinute: 700, burst: 70 },
      enterprise: { perMinute: 3000 },
    });
  });

  it('overrides the tier of a plan by the id of an organization', () => {
    const id = newId();
    expect(tierOf(limitsOf({ [id.toUpperCase()]: { perMinute: 5, burst: 2 } }), { id, plan: 'starter' })).toEqual({
      perMinute: 5,
      burst: 2,
    });
    const limits = limitsOf({ [id]: { perMinute: 5, burst: 2 } });
    expect(tierOf(limits, { id, plan: 'enterprise' })).toEqual({ perMinute: 5, burst: 2 });
    expect(tierOf(limits, { id: newId(), plan: 'enterprise' })).toEqual({ perMinute: 3000, burst: 1000 });
  });

  it.each([
    ['not JSON', 'starter=5'],
    ['a list', '[]'],
    ['a number', '5'],
    ['null', 'null'],
    ['no burst', '{"starter":{"perMinute":5}}'],
    ['a burst of 0', '{"starter":{"perMinute":5,"burst":0}}'],
    ['a negative rate', '{"starter":{"perMinute":-5,"burst":5}}'],
    ['a fraction', '{"starter":{"perMinute":0.5,"burst":5}}'],
    ['a number as text', '{"starter":{"perMinute":"5","burst":5}}'],
    ['a tier of null', '{"starter":null}'],
    ['an unknown tier', '{"stater":{"perMinute":5,"burst":5}}'],
  ])('is refused at start: %s', (_name, text) => {
    expect(() => Settings.from({ RATE_LIMITS: text })).toThrow(/^RATE_LIMITS /);
  });
});
