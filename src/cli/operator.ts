import { userInfo } from 'node:os';
import { InvalidArgumentError } from 'commander';
import type { Actor } from '../kernel/context.js';

const NAME = /^[^\p{C}]{1,80}$/u;
/** The `--by` of the command that runs. */
let given: string | undefined;

export function asOperatorName(value: string): string {
  const name = value.trim();
  if (!NAME.test(name)) throw new InvalidArgumentError('It must be a name of at most 80 characters.');
  return name;
}

export function setOperator(name: string | undefined): void {
  given = name;
}

export const operator = (): Actor => ({ type: 'system', id: null, name: `${given ?? userOfMachine()} (claims command)` });

function userOfMachine(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
