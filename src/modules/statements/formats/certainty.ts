import type { ReadingWarning } from '../../../../tools/bank-files/index.js';

export const CERTAINTIES = ['proven', 'plausible', 'doubtful'] as const;

/** How sure it is that the lines are those of the bank: balances prove them, nothing contradicts them, or something does. */
export type Certainty = (typeof CERTAINTIES)[number];

/** Whether what a warning says contradicts the bookings: always, unless balances prove them, or never. */
type Doubt = 'always' | 'unproven' | 'never';

const CODES: Readonly<Record<Doubt, string>> = {
  always: 'balances_do_not_tie totals_do_not_tie unlikely_year outside_period currency_differs',
  unproven:
    'amount_inexact column_not_used currency_of_header details_do_not_tie direction_unknown id_repeated id_reused layout_not_used ' +
    'row_above_header signs_may_be_inverted status_unknown total_counted turnover_left_out',
  never: 'column_masked currency_unknown field_not_used floor_limit interim_report not_booked statement_announced',
};
export const DOUBTS: Readonly<Record<string, Doubt>> = Object.fromEntries(
  (['always', 'unproven', 'never'] as const).flatMap((doubt) => CODES[doubt].split(' ').map((code) => [code, doubt])),
);

/** What a reader of an extension warns of is not known here, so it counts as doubt. */
const doubtOf = ({ code }: ReadingWarning): Doubt => DOUBTS[code] ?? 'unproven';

export function certaintyOf(warnings: readonly ReadingWarning[], isProven: boolean): Certainty {
  if (warnings.some((warning) => doubtOf(warning) === 'always')) return 'doubtful';
  // What an interim report says may change, so nothing of it is proven for good.
  if (isProven && !warnings.some(({ code }) => code === 'interim_report')) return 'proven';
  return warnings.some((warning) => doubtOf(warning) === 'unproven') ? 'doubtful' : 'plausible';
}
