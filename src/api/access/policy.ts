import { inTime } from '../../kernel/in-time.js';
import { Problem, type ProblemCode } from '../../kernel/problems.js';
import type { RegisteredOperation } from '../operation/operation.js';
import type { PolicyContext } from './principal.js';

/**
 * A port: one more rule about who may do what. It is asked with every call of the operations that it applies to, by the API, by tools
 * and in the console: after scope, role and plan, before the body is read and outside a transaction. So it costs the other operations
 * nothing, and sees nothing of the body.
 *
 * It refuses by throwing a `Problem` with one of its own codes. Any other error answers 500, and one that takes longer than
 * `POLICY_TIMEOUT_MS` answers 503: a policy that does not work refuses every call. A refused call counts as usage, as with a plan.
 */
export abstract class Policy {
  /** The codes that it refuses with, each from `declareProblem`. The documents of its operations list them. */
  abstract readonly problems: readonly ProblemCode[];
  /** Whether it is asked about an operation: decided once, at the start. Without it, all are meant. */
  appliesTo?(operation: RegisteredOperation): boolean;
  abstract check(ctx: PolicyContext, operation: RegisteredOperation): void | Promise<void>;
}

export const POLICY_TIMEOUT_MS = 5_000;

export function checkOf(policies: readonly Policy[], operation: RegisteredOperation): RegisteredOperation['checkPolicies'] {
  if (policies.length === 0) return undefined;
  return async (ctx) => {
    for (const policy of policies) await ask(policy, ctx, operation);
  };
}

async function ask(policy: Policy, ctx: PolicyContext, operation: RegisteredOperation): Promise<void> {
  try {
    const answer = policy.check(ctx, operation);
    if (answer !== undefined) await inTime(answer, POLICY_TIMEOUT_MS, () => tookTooLong(policy));
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || policy.problems.includes(error.code)) throw error;
    const name = policy.constructor.name;
    throw new Error(`${name} refuses ${operation.id} with ${error.code}, which is not among its problems.`, { cause: error });
  }
}

function tookTooLong({ constructor }: Policy): Problem {
  return new Problem('unavailable', { cause: new Error(`${constructor.name} took more than ${POLICY_TIMEOUT_MS} ms.`) });
}
