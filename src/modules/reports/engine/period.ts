import { JobFailure } from '../../../kernel/failure.js';
import { daysIn, type DateRange } from './calendar-days.js';
import type { RunInputs } from './inputs.js';

/** Keeps a mistyped date from producing a result of a hundred thousand months. */
const MAX_PERIOD_YEARS = 100;
const MAX_PERIOD_DAYS = MAX_PERIOD_YEARS * 365.25;

/** The period that was asked for; null for that of the statements and lines. */
export function periodAsked({ configuration, project }: RunInputs): DateRange | null {
  const asked = configuration ?? project;
  return asked && bounded({ start: asked.periodStart, end: asked.periodEnd });
}

export function bounded(period: DateRange | null): DateRange | null {
  if (period && daysIn(period) > MAX_PERIOD_DAYS)
    throw new JobFailure(
      'period_too_long',
      `The period, or the time from the first to the last statement, must be at most ${MAX_PERIOD_YEARS} years.`,
    );
  return period;
}
