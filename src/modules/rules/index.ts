// No Nest here: engine and requests share these plain functions.
export * from './bounds.js';
export { CATEGORY_FILTER, bookingAccountsOf, SOURCE_MAPPING, type BookingAccounts, type RuleSource } from './source-mapping.js';
export { addClaimForm, type ClaimForm, type FormOptions, hasAmount, linesOfForm } from './claim-form.js';
export { composed, type Pattern, type RuleCondition, type TextField, type TextOp, type ValueOp } from './source-mapping.js';
export type { Grammar } from './shapes.js';
export { addedFormat, addOutputFormat, OUTPUT_FORMATS, OUTPUT_OPTIONS } from './output-options.js';
export type { AddedFormat, AllOutputOptions, DatevOptions, OutputFormat, OutputOptions } from './output-options.js';
export { ECB, ECB_AVERAGE, periodOf, type RatesOptions } from './output-options.js';
