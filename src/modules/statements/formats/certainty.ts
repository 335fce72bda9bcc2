import type { Certainty, ReadingWarning } from './statement-line.js';

/** Whether what a warning says contradicts the bookings: always, unless balances prove them, or never. */
type Doubt = 'always' | 'unproven' | 'never';

export const DOUBTS: Readonly<Record<string, Doubt>> = {
  balances_do_not_tie: 'always',
  totals_do_not_tie: 'always',
  unlikely_year: 'always',
  outside_period: 'always',
  currency_differs: 'always',
  amount_inexact: 'unproven',
  column_not_used: 'unproven',
  currency_of_header: 'unproven',
  details_do_not_tie: 'unproven',
  direction_unknown: 'unproven',
  id_repeated: 'unproven',
  id_reused: 'unproven',
  layout_not_used: 'unproven',
  row_above_header: 'unproven',
  signs_may_be_inverted: 'unproven',
  status_unknown: 'unproven',
  total_counted: 'unproven',
  turnover_left_out: 'unproven',
  column_masked: 'never',
  currency_unknown: 'never',
  field_not_used: 'never',
  floor_limit: 'never',
  interim_report: 'never',
  not_booked: 'never',
  statement_announced: 'never',
};

/** What a reader of an extension warns of is not known here, so it counts as doubt. */
const doubtOf = ({ code }: ReadingWarning): Doubt => DOUBTS[code] ?? 'unproven';

export function certaintyOf(warnings: readonly ReadingWarning[], isProven: boolean): Certainty {
  if (warnings.some((warning) => doubtOf(warning) === 'always')) return 'doubtful';
  // What an interim report says may change, so nothing of it is proven for good.
  if (isProven && !warnings.some(({ code }) => code === 'interim_report')) return 'proven';
  return warnings.some((warning) => doubtOf(warning) === 'unproven') ? 'doubtful' : 'plausible';
}
