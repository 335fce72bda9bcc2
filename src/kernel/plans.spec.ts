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

describe('PLANS', () => {
  const settingsWith = (plans: unknown, limits: unknown = {}) =>
    Settings.from({ PLANS: JSON.stringify(plans), RATE_LIMITS: JSON.stringify(limits) });
  const organization = (plan: string) => ({ id: newId(), plan });

  it('adds plans, with a tier of their own or that of the plan that they are like', () => {
    const { plans, rateLimits } = settingsWith(
      { scale: { like: 'enterprise', perMinute: 6000, burst: 2000 }, plus: { like: 'growth' } },
      { growth: { perMinute: 700, burst: 70 } },
    );
    expect(plans.names).toEqual(['starter', 'growth', 'enterprise', 'scale', 'plus']);
    expect(tierOf(rateLimits, organization('scale'))).toEqual({ perMinute: 6000, burst: 2000 });
    expect(tierOf(rateLimits, organization('plus'))).toEqual({ perMinute: 700, burst: 70 });
    expect([plans.including('enterprise'), plans.including('growth')]).toEqual([
      ['enterprise', 'scale'],
      ['growth', 'enterprise', 'scale', 'plus'],
    ]);
  });

  it.each(['retired', 'constructor', '__proto__', ''])('does not know the plan %j, which is the least one', (plan) => {
    const { plans, rateLimits } = settingsWith({ scale: { like: 'enterprise' } });
    expect(plans.standardOf(plan)).toBe('starter');
    expect(tierOf(rateLimits, organization(plan))).toEqual(rateLimits.starter);
  });

  it.each([
    ['a list', []],
    ['a plan of the product', { growth: { like: 'growth' } }],
    ['a name in capitals', { Scale: { like: 'growth' } }],
    ['a name as long as an id', { [newId()]: { like: 'growth' } }],
    ['a quote in a name', { "a'b": { like: 'growth' } }],
    ['no plan that it is like', { scale: {} }],
    ['one that it is like and that is no plan of the product', { scale: { like: 'scale' } }],
    ['half a tier', { scale: { like: 'growth', perMinute: 5 } }],
    ['a burst of 0', { scale: { like: 'growth', perMinute: 5, burst: 0 } }],
    ['an unknown property', { scale: { like: 'growth', webhooks: 5 } }],
    ['null', { scale: null }],
    ['too many', Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`plan-${n}`, { like: 'growth' }]))],
  ])('is refused at start: %s', (_name, plans) => {
    expect(() => settingsWith(plans)).toThrow(/^PLANS /);
  });
});
