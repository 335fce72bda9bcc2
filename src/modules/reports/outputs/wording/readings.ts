/** The codes of readers that have a name in every language. */
export const READING_CODES = [
  'amount_inexact',
  'balances_absent',
  'balances_do_not_tie',
  'column_not_used',
  'currency_differs',
  'currency_unknown',
  'direction_unknown',
  'field_not_used',
  'floor_limit',
  'interim_report',
  'layout_not_used',
  'more_warnings',
  'not_booked',
  'row_above_header',
  'signs_may_be_inverted',
  'totals_do_not_tie',
  'turnover_left_out',
  'unlikely_year',
] as const;
type ReadingCode = (typeof READING_CODES)[number];

/** What a warning of a reader is about. `other` is said of codes without a name. The English message with the place follows. */
export type ReadingNames = Readonly<Record<ReadingCode | 'other', string>>;

export const readingName = (names: ReadingNames, code: string): string =>
  Object.hasOwn(names, code) ? names[code as ReadingCode] : names.other;
