import { afterEach, describe, expect, it, vi } from 'vitest';
import { anOperation } from '../../../test/support/operations.js';
import { declareProblem, Problem, PROBLEMS } from '../../kernel/problems.js';
import { checkOf, Policy, POLICY_TIMEOUT_MS } from './policy.js';
import type { PolicyContext } from './principal.js';

afterEach(() => void vi.useRealTimers());

const ctx = {} as PolicyContext;
const operation = anOperation();

class Rule extends Policy {
  constructor(
    readonly problems: Policy['problems'],
    readonly check: Policy['check'],
  ) {
    super();
  }
}
const refusing = (...problems: Policy['problems']) => new Rule(problems, () => Promise.reject(new Problem('limit_exceeded')));
const checked = (...policies: Policy[]) => checkOf(policies, operation)!(ctx);

describe('the policies of an operation', () => {
  it('are no check at all if there are none', () => {
    expect(checkOf([], operation)).toBeUndefined();
  });

  it('are asked in order, with the context and the operation, until one refuses', async () => {
    const asked: unknown[] = [];
    const willing = new Rule([], (...given) => void asked.push(given));
    await expect(checked(willing, refusing('limit_exceeded'), willing)).rejects.toMatchObject({ code: 'limit_exceeded' });
    expect(asked).toEqual([[ctx, operation]]);
  });

  it('refuse nobody with a problem that they have not named, and let nobody in either', async () => {
    await expect(checked(refusing())).rejects.toThrow('Rule refuses things.list with limit_exceeded, which is not among its problems.');
    const broken = new Rule([], () => {
      throw new TypeError('no list of holidays');
    });
    await expect(checked(broken)).rejects.toThrow('no list of holidays');
  });

  it('are unavailable if one does not answer in time', async () => {
    vi.useFakeTimers();
    const refused = expect(checked(new Rule([], () => new Promise(() => undefined)))).rejects.toMatchObject({ code: 'unavailable' });
    await vi.advanceTimersByTimeAsync(POLICY_TIMEOUT_MS);
    await refused;
  });
});

it.each([
  ['not_found', {}, 'declared twice'],
  ['Closed', {}, 'no problem code'],
  ['closed_today', { status: 401 }, '400 to 499 is expected'],
  ['closed_today', { status: 500 }, '400 to 499 is expected'],
  ['closed_today', { about: 'closed' }, 'no sentence'],
])('a problem %s with %j is not declared: %s', (code, wrong, message) => {
  const kind = { status: 403, title: 'Closed', retry: 'later', about: 'Nothing is done today. Come back tomorrow.' } as const;
  expect(() => declareProblem(code, { ...kind, ...wrong })).toThrow(message);
  expect(PROBLEMS).not.toHaveProperty('closed_today');
});
