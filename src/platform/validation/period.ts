import { Problem } from '../errors/problems.js';

/** A period's last day is not before its first; looked at after a change was merged, since it may change only one of them. */
export function requireOrderedPeriod({ periodStart, periodEnd }: { periodStart: string; periodEnd: string }): void {
  if (periodEnd >= periodStart) return;
  throw Problem.validation([{ location: 'body', field: 'periodEnd', code: 'before_start', message: `must not be before periodStart (${periodStart})` }]);
}
