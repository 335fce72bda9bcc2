import { describe, expect, it } from 'vitest';
import { ClaimsError } from '../../client/src/index.js';
import { Pace } from '../../client/src/pace.js';
import { backoffMs } from '../../client/src/waiting.js';
import { typeOf } from '../../client/scripts/types-of-schemas.js';

describe('the shared pace', () => {
  const POLICY = '"growth";q=600;w=60';

  it('sends at once until a call was refused', () => {
    const pace = new Pace();
    expect([1, 2, 3].map(() => pace.turn(1000, 9000))).toEqual([0, 0, 0]);
  });

  it('sends nothing before the time that a refusal states, and then one call after the other at the stated rate', () => {
    const pace = new Pace();
    pace.refused(1000, 2, POLICY);
    pace.refused(1000, 1, POLICY);
    expect([1, 2, 3].map(() => pace.turn(1500, 9000))).toEqual([1500, 1600, 1700]);
  });

  it('gives no turn that is too late, and does not lose it for the others', () => {
    const pace = new Pace();
    pace.refused(1000, 2, POLICY);
    expect([pace.turn(1000, 2999), pace.turn(1000, 3000)]).toEqual([undefined, 2000]);
  });

  it('forgets the queue when there was none for a second', () => {
    const pace = new Pace();
    pace.refused(1000, 1, POLICY);
    pace.turn(1000, 9000);
    expect([1, 2].map(() => pace.turn(3200, 9000))).toEqual([0, 0]);
  });
});

it('the wait after a failure is anything up to a bound that doubles, and never longer than eight seconds', () => {
  for (const [failures, bound] of [
    [1, 250],
    [2, 500],
    [4, 2000],
    [20, 8000],
  ] as const) {
    const waits = Array.from({ length: 1000 }, () => backoffMs(failures));
    expect(Math.max(...waits)).toBeLessThanOrEqual(bound);
    expect(Math.max(...waits)).toBeGreaterThan(bound * 0.9);
    expect(Math.min(...waits)).toBeLessThan(bound * 0.1);
  }
});

it.each([
  ['7', 7],
  [new Date(Date.now() + 60_000).toUTCString(), expect.closeTo(60, -1)],
  [new Date(0).toUTCString(), 0],
  ['soon', undefined],
])('Retry-After %j is read', (text, seconds) => {
  const error = new ClaimsError('unavailable', '', { status: 503, headers: new Headers({ 'Retry-After': text }) });
  expect(error.retryAfter).toEqual(seconds);
});

it.each([
  [{ type: ['string', 'null'], enum: ['a', null] }, "'a' | null"],
  [{ type: ['integer', 'null'] }, 'number | null'],
  [{ type: 'array', items: { anyOf: [{ $ref: '#/components/schemas/Project' }, { type: 'null' }] } }, 'Array<Project | null>'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'Record<string, string>'],
  [{ type: 'string', 'x-extensible-enum': ['a'] }, "'a' | (string & {})"],
  [{ type: ['string', 'null'], 'x-extensible-enum': ['a'] }, "'a' | (string & {}) | null"],
  [{ oneOf: [{ const: 'v1' }, { type: 'object' }] }, "'v1' | Record<string, unknown>"],
])('the type of the schema %j is generated', (schema, type) => {
  expect(typeOf(schema)).toBe(type);
});
