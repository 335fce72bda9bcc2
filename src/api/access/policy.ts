import { inTime } from '../../kernel/in-time.js';
import { Problem, type ProblemCode } from '../../kernel/problems.js';
import type { RegisteredOperation } from '../operation/operation.js';
import type { PolicyContext, PolicyWriteContext } from './principal.js';

/** A record as the API returns it. */
export type PolicyRecord = Readonly<Record<string, unknown>>;

/** What a policy is told of a write. */
export interface PolicyWrite {
  readonly operation: RegisteredOperation;
  /** The ids in the path: `{ project_id }`. */
  readonly params: Readonly<Record<string, string>>;
  /** The valid body as its class, as hooks have left it; undefined for an operation without one. */
  readonly input: object | undefined;
  /**
   * The record that the path names, as its GET returns it before the write; undefined if the path names none. It is read when a policy
   * first asks for it, in the transaction. If another call changes it before this one does, the write is begun anew.
   */
  readonly before: () => Promise<PolicyRecord | undefined>;
}

/**
 * A port: one more rule about who may do what. It is asked with every call of the operations that it applies to, by the API, by tools
 * and in the console. So it costs the other operations nothing. A rule has one or more of three methods.
 *
 * It refuses by throwing a `Problem` with one of its own codes. Any other error answers 500: a policy that does not work refuses every
 * call. A refused call counts as usage, as with a plan.
 */
export abstract class Policy {
  /** The codes that it refuses with, each from `declareProblem`. The documents of its operations list them. */
  abstract readonly problems: readonly ProblemCode[];
  /** Whether it is asked about an operation: decided once, at the start. Without it, all are meant. */
  appliesTo?(operation: RegisteredOperation): boolean;
  /**
   * After scope, role and plan, before the body is read and outside a transaction. If it takes longer than `POLICY_TIMEOUT_MS`, the call
   * is answered 503.
   */
  abstract check?(ctx: PolicyContext, operation: RegisteredOperation): void | Promise<void>;
  /** Before a write, in its transaction; ahead of what no rollback undoes (`effects: 'afterClaim'`), in one of its own. */
  checkWrite?(ctx: PolicyWriteContext, write: PolicyWrite): void | Promise<void>;
  /** After a write, in its transaction, with the record as it will be answered; undefined if nothing is. What it refuses is undone. */
  checkWritten?(ctx: PolicyWriteContext, write: PolicyWrite, record: PolicyRecord | undefined): void | Promise<void>;
}

export const POLICY_TIMEOUT_MS = 5_000;

/** Whether a policy is asked in the transactions of an operation. One that makes calls has none. */
export const seesWrites = ({ isWrite, effects }: RegisteredOperation, policy: Policy): boolean =>
  isWrite && effects !== 'byCalls' && (policy.checkWrite !== undefined || policy.checkWritten !== undefined);

export function checkOf(all: readonly Policy[], operation: RegisteredOperation): RegisteredOperation['checkPolicies'] {
  const policies = all.filter((policy) => policy.check !== undefined);
  if (policies.length === 0) return undefined;
  return async (ctx) => {
    for (const policy of policies)
      await ask(policy, operation, async () => {
        const answer = policy.check!(ctx, operation);
        if (answer !== undefined) await inTime(answer, POLICY_TIMEOUT_MS, () => tookTooLong(policy));
      });
  };
}

/** Asks a policy, which refuses by its own problems alone. `isOurs`: what it was refused itself when it asked for a record. */
export async function ask(
  policy: Policy,
  { id }: RegisteredOperation,
  question: () => void | Promise<void>,
  isOurs: (error: unknown) => boolean = () => false,
): Promise<void> {
  try {
    await question();
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || policy.problems.includes(error.code) || isOurs(error)) throw error;
    const name = policy.constructor.name;
    throw new Error(`${name} refuses ${id} with ${error.code}, which is not among its problems.`, { cause: error });
  }
}

function tookTooLong({ constructor }: Policy): Problem {
  return new Problem('unavailable', { cause: new Error(`${constructor.name} took more than ${POLICY_TIMEOUT_MS} ms.`) });
}
