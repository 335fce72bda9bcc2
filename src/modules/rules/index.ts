// No Nest here: engine and requests share these plain functions.
export * from './bounds.js';
export { CATEGORY_FILTER } from './category-filter.js';
export type { RuleCondition, TextField, TextOp, ValueOp } from './condition.js';
export type { Grammar } from './grammar.js';
export {
  addedFormat,
  addOutputFormat,
  OUTPUT_FORMATS,
  OUTPUT_OPTIONS,
  type AddedFormat,
  type AllOutputOptions,
  type DatevOptions,
  type OutputFormat,
  type OutputOptions,
  type PaperSize,
} from './output-options.js';
export { ECB, periodOf, type RatesOptions } from './rates.js';
export { composed, type Pattern } from './pattern.js';
export { bookingAccountsOf, SOURCE_MAPPING, type BookingAccounts, type RuleSource, type SourceMappingSource } from './source-mapping.js';
