/** The bounds of rules. docs/claim-reports.md and docs/report-files.md state them, and a test compares. */
export const MAX_RULES = 1000;
export const MAX_CONDITIONS = 100;
export const MAX_RULE_ID_LENGTH = 200;
export const MAX_TEXT_LENGTH = 1000;
export const MAX_PATTERN_LENGTH = 500;
/** Size of a compiled pattern, in instructions. The time per character of a text grows with it. */
export const MAX_PATTERN_SIZE = 1000;
/** What all patterns of a category may cost together; see `costOf` in source-mapping.ts. Limits how long checking one request takes. */
export const MAX_PATTERN_COST = 10_000;
export const MAX_CODE_PATTERN_LENGTH = 200;
export const MAX_LOCALE_LENGTH = 100;
export const MAX_ACCOUNT_LENGTH = 50;
/** As many as `outputOptions` has room for, whatever they are. */
export const MAX_RATES = 450;
export const MAX_RATE_SOURCE_LENGTH = 200;
export const MAX_FORM_SECTIONS = 20;
export const MAX_FORM_LINES = 100;
export const MAX_LABEL_LENGTH = 200;
export const MAX_ENTRY_LENGTH = 1000;
