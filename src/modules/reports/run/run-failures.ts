import type { Failure } from '../../../kernel/failure.js';

/** Every `failure.code` that a run can end with, but for those of extensions: what the test environment can provoke. */
export const RUN_FAILURES = [
  'datev_not_possible',
  'file_too_large',
  'internal_error',
  'invalid_category_filter',
  'invalid_output_options',
  'invalid_source_mapping',
  'missing_account',
  'period_too_long',
  'receipt_removed',
  'receipt_tax_too_large',
  'result_too_large',
  'rules_too_large',
  'statement_content_removed',
  'too_many_bookings',
  'too_many_decisions',
  'too_many_items',
  'too_many_lines',
  'too_many_patterns',
  'too_many_receipts',
  'too_many_statements',
  'took_too_long',
  'took_too_much_memory',
  'worker_lost',
] as const;

export const provoked = (code: string | null): Failure => ({
  code: code ?? 'internal_error',
  message: 'This failure was asked for in the test environment.',
});
