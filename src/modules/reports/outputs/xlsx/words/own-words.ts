type SheetName = 'summary' | 'categories' | 'months' | 'items' | 'otherLines' | 'rates' | 'statements' | 'exceptions';

/** The words that only a workbook has. A language that lacks one does not compile. */
export interface OwnWords {
  /** Names of sheets: at most 31 characters, without `'` and `: \\ / ? * [ ]`. */
  readonly sheets: Readonly<Record<SheetName, string>>;
  /** `&P` is the number of the page, and `&N` that of all pages. */
  readonly page: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly coverage: string;
  readonly startedAt: string;
  readonly code: string;
  readonly number: string;
  readonly claimedTotal: string;
  readonly allLines: string;
  readonly otherCurrencies: string;
  readonly noCurrency: string;
  readonly check: string;
  readonly difference: string;
  readonly largestDifference: string;
  readonly bankReference: string;
  readonly taxCheck: string;
  readonly taxDifference: string;
  readonly taxNotRounded: string;
  readonly rule: string;
  readonly notRounded: string;
  readonly statementId: string;
}
