/** The codes of warnings that say that a claim of zero is none, and where its statements are. They lead wherever the claim is shown. */
const LEADING: ReadonlySet<string> = new Set([
  'no_statements',
  'no_lines_in_period',
  'statements_of_other_projects',
  'statements_outside_period',
  'statements_not_ready',
]);

/** The leading ones among warnings, in their order: none for a claim that was made from lines. */
export const leadingOf = <Said>(warnings: readonly Said[], codeOf: (warning: Said) => string): Said[] =>
  warnings.filter((warning) => LEADING.has(codeOf(warning)));
