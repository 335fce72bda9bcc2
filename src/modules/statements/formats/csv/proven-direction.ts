import { isZero, negated, sumOf } from '../amounts.js';
import type { Direction } from './direction.js';
import { ambiguous } from './written-amount.js';

export interface Step {
  readonly line: number;
  /** Without a sign. */
  readonly amount: string;
  readonly balance: string;
}

/** The direction of amounts without signs, if each balance differs from the one before by its amount; null if that proves nothing. */
export function provenDirection(steps: readonly Step[]): Direction | null {
  const moving = steps.filter(({ amount }) => !isZero(amount));
  for (const isNewestFirst of [false, true]) {
    const directions = moving.slice(1).map((step, index) => directionOf(step, moving[index]!, isNewestFirst));
    if (directions.length === 0 || directions.includes(null)) continue;
    const other = directions.findIndex((direction) => direction !== directions[0]);
    if (other >= 0)
      throw ambiguous(
        moving[other + 1]!.line,
        'has an amount without a sign, and its balance shows another direction than those before it',
      );
    return directions[0]!;
  }
  return null;
}

function directionOf(step: Step, before: Step, isNewestFirst: boolean): Direction | null {
  const { amount } = isNewestFirst ? before : step;
  const change = isNewestFirst ? sumOf([before.balance, negated(step.balance)]) : sumOf([step.balance, negated(before.balance)]);
  if (change === amount) return 'in';
  return change === negated(amount) ? 'out' : null;
}
