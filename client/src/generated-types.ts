// Generated from the OpenAPI document and the table of errors by `npm run contracts`.

export interface ClaimProject {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** Name of the project. Name (case-insensitive) and client reference together are unique. */
  name: string;
  /** Your reference for the client or matter. */
  clientReference: string | null;
  /** First day of the claim period. */
  periodStart: string;
  /** Last day of the claim period; not before the first. */
  periodEnd: string;
  /** Status of the project. It may change to any other. */
  status: 'draft' | 'active' | 'archived';
  /** Any data that you want to store with the project. At most 32 KiB as JSON, 20 levels. Replaced as a whole. */
  metadata: Record<string, unknown>;
}

export interface Pagination {
  /** Number of this page. */
  page: number;
  /** Records per page. */
  pageSize: number;
  /** Number of matching records, counted up to 10000, with a search up to 1000. */
  total: number;
  /** `at_least` when there are more than were counted. */
  totalRelation: 'exact' | 'at_least';
  /** Whether the next page has records. */
  hasMore: boolean;
}

export interface ClaimProjectPage {
  /** The records of this page, newest first. */
  data: Array<ClaimProject>;
  /** Position and size of this page. */
  pagination: Pagination;
}

export interface CreateClaimProject {
  /** Name of the project. Name (case-insensitive) and client reference together are unique. */
  name: string;
  /** Your reference for the client or matter. */
  clientReference?: string | null;
  /** First day of the claim period. */
  periodStart: string;
  /** Last day of the claim period; not before the first. */
  periodEnd: string;
  /** Status of the project. It may change to any other. Default: `draft`. */
  status?: 'draft' | 'active' | 'archived';
  /**
   * Any data that you want to store with the project. At most 32 KiB as JSON, 20 levels. Replaced as a whole.
   * Default: `{}`.
   */
  metadata?: Record<string, unknown>;
}

export interface UpdateClaimProject {
  /** Name of the project. Name (case-insensitive) and client reference together are unique. */
  name?: string;
  /** Your reference for the client or matter. */
  clientReference?: string | null;
  /** First day of the claim period. */
  periodStart?: string;
  /** Last day of the claim period; not before the first. */
  periodEnd?: string;
  /** Status of the project. It may change to any other. */
  status?: 'draft' | 'active' | 'archived';
  /** Any data that you want to store with the project. At most 32 KiB as JSON, 20 levels. Replaced as a whole. */
  metadata?: Record<string, unknown>;
}

export interface ExpenseCategory {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** Claim project of the category; `null`: the whole organization. */
  projectId: string | null;
  /** Your code for the category. Unique (case-insensitive) within its project, or among categories without one. */
  code: string;
  /** Name of the category. */
  name: string;
  /** Origin of the category. */
  sourceProvider: 'manual' | (string & {});
  /**
   * Which lines of bank statements belong to the category: `rules`, each with conditions `{field, op, value}` in
   * `all`, `any` or `none`, `claimablePercent` and `taxPercent`; `priority`. Fields: description, counterparty,
   * account, reference, amount, date, direction (in, out), currency. Ops: is, isNot, oneOf; for texts contains,
   * startsWith, endsWith, matches; for amount and date gte, lte, between. For bookings: account, contraAccount,
   * taxKey. Other keys are kept. At most 32 KiB as JSON, 20 levels. Replaced as a whole.
   */
  sourceMapping: Record<string, unknown>;
  /** Status of the category. It may change to any other. */
  status: 'active' | 'archived';
}

export interface ExpenseCategoryPage {
  /** The records of this page, newest first. */
  data: Array<ExpenseCategory>;
  /** Position and size of this page. */
  pagination: Pagination;
}

export interface CreateExpenseCategory {
  /** Claim project of the category; `null`: the whole organization. Default: `null`. */
  projectId?: string | null;
  /** Your code for the category. Unique (case-insensitive) within its project, or among categories without one. */
  code: string;
  /** Name of the category. */
  name: string;
  /** Origin of the category. Default: `manual`. */
  sourceProvider?: 'manual';
  /**
   * Which lines of bank statements belong to the category: `rules`, each with conditions `{field, op, value}` in
   * `all`, `any` or `none`, `claimablePercent` and `taxPercent`; `priority`. Fields: description, counterparty,
   * account, reference, amount, date, direction (in, out), currency. Ops: is, isNot, oneOf; for texts contains,
   * startsWith, endsWith, matches; for amount and date gte, lte, between. For bookings: account, contraAccount,
   * taxKey. Other keys are kept. At most 32 KiB as JSON, 20 levels. Replaced as a whole. Default: `{}`.
   */
  sourceMapping?: SourceMapping;
  /** Status of the category. It may change to any other. Default: `active`. */
  status?: 'active' | 'archived';
}

export interface UpdateExpenseCategory {
  /** Claim project of the category; `null`: the whole organization. */
  projectId?: string | null;
  /** Your code for the category. Unique (case-insensitive) within its project, or among categories without one. */
  code?: string;
  /** Name of the category. */
  name?: string;
  /** Origin of the category. */
  sourceProvider?: 'manual';
  /**
   * Which lines of bank statements belong to the category: `rules`, each with conditions `{field, op, value}` in
   * `all`, `any` or `none`, `claimablePercent` and `taxPercent`; `priority`. Fields: description, counterparty,
   * account, reference, amount, date, direction (in, out), currency. Ops: is, isNot, oneOf; for texts contains,
   * startsWith, endsWith, matches; for amount and date gte, lte, between. For bookings: account, contraAccount,
   * taxKey. Other keys are kept. At most 32 KiB as JSON, 20 levels. Replaced as a whole.
   */
  sourceMapping?: SourceMapping;
  /** Status of the category. It may change to any other. */
  status?: 'active' | 'archived';
}

export interface ReportConfiguration {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** Claim project of the configuration; `null`: the whole organization. */
  projectId: string | null;
  /** Name of the configuration. */
  name: string;
  /** Source of the accounting data. */
  accountingProvider: 'manual' | (string & {});
  /** First day of the report period. */
  periodStart: string;
  /** Last day of the report period; not before the first. */
  periodEnd: string;
  /**
   * Which categories the report has: `include` and `exclude`, lists of codes in which * matches any text; `status`,
   * a list. Other keys are kept. At most 32 KiB as JSON, 20 levels. Replaced as a whole.
   */
  categoryFilter: Record<string, unknown>;
  /**
   * Content of the report: `formats` (json, csv, xlsx, pdf, journal, datev, form, evidence), `groupBy` (category,
   * month), `currency`, `includeUncategorised`, `detail` (none, lines), `locale`, `datev`, `rates`. Other keys are
   * kept. At most 32 KiB as JSON, 20 levels. Replaced as a whole.
   */
  outputOptions: Record<string, unknown>;
  /** Status of the configuration. It may change to any other. */
  status: 'draft' | 'ready' | 'archived';
}

export interface ReportConfigurationPage {
  /** The records of this page, newest first. */
  data: Array<ReportConfiguration>;
  /** Position and size of this page. */
  pagination: Pagination;
}

export interface CreateReportConfiguration {
  /** Claim project of the configuration; `null`: the whole organization. Default: `null`. */
  projectId?: string | null;
  /** Name of the configuration. */
  name: string;
  /** Source of the accounting data. Default: `manual`. */
  accountingProvider?: 'manual';
  /** First day of the report period. */
  periodStart: string;
  /** Last day of the report period; not before the first. */
  periodEnd: string;
  /**
   * Which categories the report has: `include` and `exclude`, lists of codes in which * matches any text; `status`,
   * a list. Other keys are kept. At most 32 KiB as JSON, 20 levels. Replaced as a whole. Default: `{}`.
   */
  categoryFilter?: CategoryFilter;
  /**
   * Content of the report: `formats` (json, csv, xlsx, pdf, journal, datev, form, evidence), `groupBy` (category,
   * month), `currency`, `includeUncategorised`, `detail` (none, lines), `locale`, `datev`, `rates`. Other keys are
   * kept. At most 32 KiB as JSON, 20 levels. Replaced as a whole. Default: `{}`.
   */
  outputOptions?: OutputOptions;
  /** Status of the configuration. It may change to any other. Default: `draft`. */
  status?: 'draft' | 'ready' | 'archived';
}

export interface UpdateReportConfiguration {
  /** Claim project of the configuration; `null`: the whole organization. */
  projectId?: string | null;
  /** Name of the configuration. */
  name?: string;
  /** Source of the accounting data. */
  accountingProvider?: 'manual';
  /** First day of the report period. */
  periodStart?: string;
  /** Last day of the report period; not before the first. */
  periodEnd?: string;
  /**
   * Which categories the report has: `include` and `exclude`, lists of codes in which * matches any text; `status`,
   * a list. Other keys are kept. At most 32 KiB as JSON, 20 levels. Replaced as a whole.
   */
  categoryFilter?: CategoryFilter;
  /**
   * Content of the report: `formats` (json, csv, xlsx, pdf, journal, datev, form, evidence), `groupBy` (category,
   * month), `currency`, `includeUncategorised`, `detail` (none, lines), `locale`, `datev`, `rates`. Other keys are
   * kept. At most 32 KiB as JSON, 20 levels. Replaced as a whole.
   */
  outputOptions?: OutputOptions;
  /** Status of the configuration. It may change to any other. */
  status?: 'draft' | 'ready' | 'archived';
}

export interface BankStatementRedaction {
  /** Version of the redaction. */
  engineVersion: string;
  /** When redaction started. */
  startedAt: string;
  /** When redaction finished. */
  finishedAt: string;
  /** Number of masked occurrences of each kind. */
  counts: Record<string, number>;
}

export interface ProcessingFailure {
  /** The kind of failure. */
  code: string;
  /** What happened, and where. */
  message: string;
}

export interface BankStatementWarning {
  /** Kind of warning. */
  code: string;
  /** What to check. Never contains the content of a line. */
  message: string;
}

export interface BankStatement {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** The claim project that the statement belongs to. */
  projectId: string | null;
  /** Name of the imported file, redacted: names of people and numbers are replaced by tokens. */
  fileName: string;
  /** Format of the file; `null` until it was read. */
  format:
    | 'csv'
    | 'ofx'
    | 'mt940'
    | 'mt942'
    | 'camt052'
    | 'camt053'
    | 'camt054'
    | 'qif'
    | 'coda'
    | 'bai2'
    | 'norma43'
    | 'serbian_xml'
    | 'xlsx'
    | 'pdf'
    | 'feed'
    | (string & {})
    | null;
  /** Size of the file in bytes. */
  sizeBytes: number;
  /** SHA-256 of the file, in hex. */
  sha256: string;
  /** The account, masked except for its last characters. */
  accountLabel: string | null;
  /** ISO 4217 code; `null` if the statement has no currency or several. */
  currency: string | null;
  /** First day of the statement. */
  periodStart: string | null;
  /** Last day of the statement. */
  periodEnd: string | null;
  /** Number of lines. */
  lineCount: number | null;
  /** Status of the redaction; `skipped` if the statement was imported as already redacted. */
  redactionStatus: 'pending' | 'queued' | 'running' | 'succeeded' | 'failed' | 'skipped';
  /** The result of redaction; `null` unless it succeeded. */
  redaction: BankStatementRedaction | null;
  /** Why redaction failed; otherwise `null`. */
  failure: ProcessingFailure | null;
  /** What to check before relying on the statement; reports that use it repeat the warnings. An addition. */
  warnings: Array<BankStatementWarning>;
  /**
   * How sure it is that its lines are those of the bank: `proven` if balances prove them, `plausible` if nothing
   * contradicts them, `doubtful` if a warning does; `null` until it was read. An addition.
   */
  certainty: 'proven' | 'plausible' | 'doubtful' | null;
  /** When the lines and the file were removed because their retention ended; `null` while they are kept. */
  contentRemovedAt: string | null;
}

export interface BankStatementPage {
  /** The records of this page, newest first. */
  data: Array<BankStatement>;
  /** Position and size of this page. */
  pagination: Pagination;
}

export interface BankStatementBooking {
  /** The day of the booking. */
  bookedOn: string;
  /** An exact decimal; negative for money out. */
  amount: string;
  /** What the bank says of it. Names and numbers are masked before it is stored. */
  description: string;
  /** The name of the other party. It is masked. */
  counterparty?: string | null;
  /** The account of the other party. It is masked. */
  counterpartyAccount?: string | null;
  /** The reference of the payer or the payee. */
  reference?: string | null;
  /** The id of the bank: bookings with the same one are the same. */
  bankReference?: string | null;
}

export interface CreateBankStatement {
  /** The claim project that the statement belongs to; `null` for none. */
  projectId?: string | null;
  /** The number of the account. It is masked. */
  account?: string | null;
  /** First day of the statement. Given with its last day. */
  periodStart?: string | null;
  /** Last day of the statement. */
  periodEnd?: string | null;
  /** What the statement is called. Default: `bank_feed`. */
  fileName?: string;
  /** The currency of the account. */
  currency: string;
  /** The balance before the first booking. With the closing balance it proves the bookings. */
  openingBalance?: string | null;
  /** The balance after the last booking. */
  closingBalance?: string | null;
  /** The bookings, in the order of the bank. */
  lines: Array<BankStatementBooking>;
}

export interface UpdateBankStatement {
  /** The claim project that the statement belongs to from now on; `null` for none. */
  projectId?: string | null;
}

export interface BankStatementCheck {
  /** Name of the imported file, redacted: names of people and numbers are replaced by tokens. */
  fileName: string;
  /** Format of the file; `null` until it was read. */
  format:
    | 'csv'
    | 'ofx'
    | 'mt940'
    | 'mt942'
    | 'camt052'
    | 'camt053'
    | 'camt054'
    | 'qif'
    | 'coda'
    | 'bai2'
    | 'norma43'
    | 'serbian_xml'
    | 'xlsx'
    | 'pdf'
    | 'feed'
    | (string & {})
    | null;
  /** Size of the file in bytes. */
  sizeBytes: number;
  /** SHA-256 of the file, in hex. */
  sha256: string;
  /** The account, masked except for its last characters. */
  accountLabel: string | null;
  /** ISO 4217 code; `null` if the statement has no currency or several. */
  currency: string | null;
  /** First day of the statement. */
  periodStart: string | null;
  /** Last day of the statement. */
  periodEnd: string | null;
  /** Number of lines. */
  lineCount: number | null;
  /** Why redaction failed; otherwise `null`. */
  failure: ProcessingFailure | null;
  /** What to check before relying on the statement; reports that use it repeat the warnings. An addition. */
  warnings: Array<BankStatementWarning>;
  /**
   * How sure it is that its lines are those of the bank: `proven` if balances prove them, `plausible` if nothing
   * contradicts them, `doubtful` if a warning does; `null` until it was read. An addition.
   */
  certainty: 'proven' | 'plausible' | 'doubtful' | null;
  /** How many occurrences of each kind would be masked. */
  maskedCounts: Record<string, number>;
}

export interface StatementLayout {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** What it is chosen by: letters, digits, blanks, points, hyphens and underscores. */
  name: string;
  /** How a table is read, as in `statement-layout.schema.json` but without its name. Replaced as a whole. */
  layout: Record<string, unknown>;
}

export interface StatementLayoutPage {
  /** The records of this page, newest first. */
  data: Array<StatementLayout>;
  /** Position and size of this page. */
  pagination: Pagination;
}

export interface CreateStatementLayout {
  /** What it is chosen by: letters, digits, blanks, points, hyphens and underscores. */
  name: string;
  /** How a table is read, as in `statement-layout.schema.json` but without its name. Replaced as a whole. */
  layout: Record<string, unknown>;
}

export interface UpdateStatementLayout {
  /** What it is chosen by: letters, digits, blanks, points, hyphens and underscores. */
  name?: string;
  /** How a table is read, as in `statement-layout.schema.json` but without its name. Replaced as a whole. */
  layout?: Record<string, unknown>;
}

export interface UploadLink {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** The claim project that the statements are for. */
  projectId: string;
  /** What is asked for. The client reads it. */
  note: string;
  /** Whether it is open, or why it is not. */
  status: 'open' | 'used' | 'expired' | 'withdrawn';
  /** How many statements it takes. */
  maxFiles: number;
  /** How many it has taken. */
  filesTaken: number;
  /** Who has made it: the name of a person, or of a credential. */
  createdByName: string;
  /** Until when it is open. */
  expiresAt: string;
  /** When its client had finished, or had sent the last file. */
  usedAt: string | null;
  /** When it was withdrawn. */
  withdrawnAt: string | null;
}

export interface UploadLinkPage {
  /** The records of this page, newest first. */
  data: Array<UploadLink>;
  /** Position and size of this page. */
  pagination: Pagination;
}

export interface CreateUploadLink {
  /** The claim project that the statements are for. */
  projectId: string;
  /** What is asked for. The client reads it. */
  note?: string;
  /** For how many days it is open. Default: `14`. */
  days?: number;
  /** How many statements it takes. Default: `20`. */
  maxFiles?: number;
}

export interface UploadLinkDetails {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** The claim project that the statements are for. */
  projectId: string;
  /** What is asked for. The client reads it. */
  note: string;
  /** Whether it is open, or why it is not. */
  status: 'open' | 'used' | 'expired' | 'withdrawn';
  /** How many statements it takes. */
  maxFiles: number;
  /** How many it has taken. */
  filesTaken: number;
  /** Who has made it: the name of a person, or of a credential. */
  createdByName: string;
  /** Until when it is open. */
  expiresAt: string;
  /** When its client had finished, or had sent the last file. */
  usedAt: string | null;
  /** When it was withdrawn. */
  withdrawnAt: string | null;
  /** What the client opens. It is shown in this answer only. With `?lang=de`, the page is in that language. */
  address: string;
}

export interface UpdateUploadLink {
  /** What is asked for. The client reads it. */
  note?: string;
  /** Ends it at once. It cannot be opened again. */
  withdraw?: true;
}

export interface ClaimItem {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** What the cost was for. */
  name: string;
  /** The claim project that it belongs to. */
  projectId: string;
  /** The expense category that it is claimed for. */
  categoryId: string;
  /** The day of the cost. */
  incurredOn: string;
  /** What it costs: one of `quantity`. */
  rate: string;
  /** How many, such as kilometres, days or hours. */
  quantity: string;
  /** What is counted. */
  unit: string | null;
  /** Where the rate is from. Reports show it. */
  rateSource: string | null;
  /** The currency of the rate. */
  currency: string;
  /** The tax that it contains. */
  taxPercent: string | null;
  /** Runs claim those that are `active`. */
  status: 'active' | 'withdrawn';
  /** What is claimed: quantity times rate, rounded to the unit of the currency. */
  amount: string;
}

export interface ClaimItemPage {
  /** The records of this page, newest first. */
  data: Array<ClaimItem>;
  /** Position and size of this page. */
  pagination: Pagination;
}

export interface CreateClaimItem {
  /** What the cost was for. */
  name: string;
  /** The claim project that it belongs to. */
  projectId: string;
  /** The expense category that it is claimed for. */
  categoryId: string;
  /** The day of the cost. */
  incurredOn: string;
  /** What it costs: one of `quantity`. */
  rate: string;
  /** How many, such as kilometres, days or hours. Default: `1`. */
  quantity?: string;
  /** What is counted. Default: `null`. */
  unit?: string | null;
  /** Where the rate is from. Reports show it. Default: `null`. */
  rateSource?: string | null;
  /** The currency of the rate. */
  currency: string;
  /** The tax that it contains. Default: `null`. */
  taxPercent?: string | null;
  /** Runs claim those that are `active`. Default: `active`. */
  status?: 'active' | 'withdrawn';
}

export interface UpdateClaimItem {
  /** What the cost was for. */
  name?: string;
  /** The claim project that it belongs to. */
  projectId?: string;
  /** The expense category that it is claimed for. */
  categoryId?: string;
  /** The day of the cost. */
  incurredOn?: string;
  /** What it costs: one of `quantity`. */
  rate?: string;
  /** How many, such as kilometres, days or hours. */
  quantity?: string;
  /** What is counted. */
  unit?: string | null;
  /** Where the rate is from. Reports show it. */
  rateSource?: string | null;
  /** The currency of the rate. */
  currency?: string;
  /** The tax that it contains. */
  taxPercent?: string | null;
  /** Runs claim those that are `active`. */
  status?: 'active' | 'withdrawn';
}

export interface ClaimReportWarning {
  /** Kind of warning. */
  code: string;
  /** What to check. Never contains the content of a line. */
  message: string;
}

export interface ClaimReportPeriod {
  /** First day. */
  start: string;
  /** Last day. */
  end: string;
}

export interface ClaimReportTotals {
  /** Number of lines. */
  count: number;
  /** Money out. */
  gross: string;
  /** Money in. */
  refunds: string;
  /** `gross` minus `refunds`. */
  net: string;
  /** The claimable part of `net`, rounded once per category and month. */
  claimable: string;
  /** The tax in `claimable`; absent unless a rule has `taxPercent`. */
  claimableTax?: string;
  /** `claimable` minus `claimableTax`. */
  claimableNet?: string;
  /** The part of `net` that no category claims. */
  uncategorised: string;
}

export interface ClaimReportMonth {
  /** Number of lines. */
  count: number;
  /** Money out. */
  gross: string;
  /** Money in. */
  refunds: string;
  /** `gross` minus `refunds`. */
  net: string;
  /** The claimable part of `net`, rounded once per category and month. */
  claimable: string;
  /** The tax in `claimable`; absent unless a rule has `taxPercent`. */
  claimableTax?: string;
  /** `claimable` minus `claimableTax`. */
  claimableNet?: string;
  /** Calendar month. */
  month: string;
}

export interface ClaimReportCategory {
  /** Number of lines. */
  count: number;
  /** Money out. */
  gross: string;
  /** Money in. */
  refunds: string;
  /** `gross` minus `refunds`. */
  net: string;
  /** The claimable part of `net`, rounded once per category and month. */
  claimable: string;
  /** The tax in `claimable`; absent unless a rule has `taxPercent`. */
  claimableTax?: string;
  /** `claimable` minus `claimableTax`. */
  claimableNet?: string;
  /** Code of the category. */
  code: string;
  /** Name of the category. */
  name: string;
  /** The months with lines of the category; they add up to its amounts. */
  months: Array<ClaimReportMonth>;
}

export interface ClaimReportUnclaimedLine {
  /** The bank statement. */
  statementId: string;
  /** Number of the line in it, from 1. */
  lineNumber: number;
  /** Negative for money out. */
  amount: string;
  /**
   * Token of the other party: `PERSON-…` as in rules, or `COMPANY-…` for a name that stays readable in lines;
   * `null` if the line has none.
   */
  counterparty: string | null;
}

export interface ClaimReportLinePlace {
  /** The bank statement. */
  statementId: string;
  /** Number of the line in it, from 1. */
  lineNumber: number;
}

export interface ClaimReportUnclaimedCounterparty {
  /** Token of the other party: `PERSON-…` as in rules, or `COMPANY-…` for a name that stays readable in lines. */
  counterparty: string;
  /** Number of lines. */
  count: number;
  /** Money out minus money in. */
  net: string;
  /** The first of the lines. */
  example: ClaimReportLinePlace;
}

export interface ClaimReportUncategorised {
  /** Number of lines, or of parts of split lines, that no category claims. */
  count: number;
  /** Money out minus money in of these lines. */
  net: string;
  /** How many of them a person has decided not to claim; absent if none. An addition. */
  decidedCount?: number;
  /** Money out minus money in of these. */
  decidedNet?: string;
  /** The 20 largest of these lines, to see which rule is missing. */
  largest?: Array<ClaimReportUnclaimedLine>;
  /** The 20 counterparties of several of these lines with the most money. */
  counterparties?: Array<ClaimReportUnclaimedCounterparty>;
}

export interface ClaimReportOtherCurrency {
  /** ISO 4217 code; `null` for lines of statements without a currency. */
  currency: string | null;
  /** Number of lines. */
  count: number;
  /** Money out, in that currency. */
  gross: string;
  /** Money in. */
  refunds: string;
  /** `gross` minus `refunds`. */
  net: string;
}

export interface ClaimReportConvertedCurrency {
  /** ISO 4217 code of the lines. */
  currency: string;
  /** Number of converted lines. */
  count: number;
  /** Money out minus money in, in that currency. */
  net: string;
  /** The same in the currency of the report: the sum of the lines, each rounded once. */
  converted: string;
}

export interface ClaimReportRate {
  /** ISO 4217 code of the lines. */
  currency: string;
  /** The month, day or period that the rate is for. */
  rateFor: string;
  /** What one unit is worth in the currency of the report. */
  rate: string;
  /** Number of lines that were converted with it. */
  count: number;
}

export interface ClaimReportConversions {
  /** Where the rates are from. */
  source: string;
  /** Converted lines by currency. They are in the totals. */
  currencies: Array<ClaimReportConvertedCurrency>;
  /** The rates that were used, at most 1000. */
  rates: Array<ClaimReportRate>;
  /** Number of further rates that were used. */
  ratesNotListed: number;
}

export interface ClaimReportFormLine {
  /** Its name within the form. */
  id: string;
  /** What the form calls it. */
  number: string | null;
  /** Its words in the form. */
  label: string;
  /** What stands on it if it is no amount; `null` if nothing does. */
  value: string | null;
  /** The amount that stands on it. */
  amount: string | null;
  /** The amount before it was rounded and capped; absent if it was not changed. */
  computed?: string;
  /** The cap, if the line has one. */
  atMost?: string;
  /** The share of other lines that it is. */
  percent?: string;
  /** Codes of the categories whose claims stand on it. */
  categories?: Array<string>;
  /** What has to be at hand for it. */
  evidence: string | null;
}

export interface ClaimReportFormSection {
  /** Its heading. */
  title: string;
  /** Its lines, in the order of the form. */
  lines: Array<ClaimReportFormLine>;
}

export interface ClaimReportForm {
  /** What it is called. */
  name: string;
  /** Which edition of the form. */
  edition: string;
  /** Who publishes it. */
  source: string;
  /** What is claimed on it. */
  total: string;
  /** Claims of categories that have no line on it. */
  notOnForm: string;
  /** Its sections. */
  sections: Array<ClaimReportFormSection>;
}

export interface ClaimReportEvidenceMonth {
  /** Calendar month. */
  month: string;
  /** Whether statements cover all days of the month within the period, some of them, or none. */
  status: 'covered' | 'partial' | 'missing';
  /** The statements that cover days of the month. */
  statementIds: Array<string>;
}

export interface ClaimReportEvidence {
  /** Percentage of the days of the period that statements cover. */
  coveragePercent: string;
  /** Every month of the period. */
  months: Array<ClaimReportEvidenceMonth>;
}

export interface ClaimReportControl {
  /** Name of the control. */
  name: string;
  /** Expected value. */
  expected: string;
  /** Actual value. */
  actual: string;
  /** Whether the two are equal. */
  ok: boolean;
}

export interface ClaimReportStatement {
  /** The bank statement. */
  id: string;
  /** SHA-256 of the file that was imported. */
  sha256: string;
  /** How sure its lines are; null or absent if that is not known. */
  certainty?: 'proven' | 'plausible' | 'doubtful' | null;
  /** Number of lines of the statement. */
  linesRead: number;
  /** Number of its lines that are in the totals. */
  linesUsed: number;
  /** Number of its lines that an earlier statement has as well. They are counted there. */
  duplicates: number;
}

export interface ClaimReportReceipt {
  /** What files call it. */
  reference: string;
  /** The name of the file. */
  fileName: string;
  /** What the file is, by its content. */
  mediaType: string;
  /** Size of the file in bytes. */
  sizeBytes: number;
  /** SHA-256 of the file. */
  sha256: string;
}

export interface ClaimReportOutput {
  /** File format; `claim_reports.download` returns the file. */
  format: 'json' | 'csv' | 'xlsx' | 'pdf' | 'journal' | 'datev' | 'form' | 'evidence' | (string & {});
  /** Size of the file in bytes. */
  bytes: number;
  /** SHA-256 of the file. */
  sha256: string;
}

export interface ClaimReportResult {
  /** Version of the fields of this result. */
  schema: 'claim-report/1';
  /** Version of the engine. The same inputs and version give the same result. */
  engineVersion: string;
  /** SHA-256 of everything that the result was computed from. */
  inputsHash: string;
  /**
   * What to check before the claim is sent. Those that say that no bank statement was read come first: then the
   * figures mean nothing.
   */
  warnings: Array<ClaimReportWarning>;
  /** The period of the configuration, else of the project, else of the statements; `null` if none of them has one. */
  period: ClaimReportPeriod | null;
  /** ISO 4217 code of the amounts; `null` if no statement names a currency. */
  currency: string | null;
  /** All lines of the period in this currency, claimed or not. */
  totals: ClaimReportTotals;
  /** Every category that took part, sorted by code. */
  categories: Array<ClaimReportCategory>;
  /** The months with lines, claimed or not. */
  months: Array<ClaimReportMonth>;
  /** Lines that no category claims. */
  uncategorised: ClaimReportUncategorised;
  /** Lines in other currencies. They are not in the totals. */
  otherCurrencies: Array<ClaimReportOtherCurrency>;
  /** Lines that were converted, and the rates; absent if none was. */
  conversions?: ClaimReportConversions;
  /** The claim as its form has it; absent without one. An addition. */
  form?: ClaimReportForm;
  /** How much of the period the statements cover. */
  evidence: ClaimReportEvidence;
  /** Sums that must be equal. */
  controls: Array<ClaimReportControl>;
  /** The statements that were read. */
  statements: Array<ClaimReportStatement>;
  /** The receipts of its lines, items and project; absent if there are none. */
  receipts?: Array<ClaimReportReceipt>;
  /** The files that were made. */
  outputs: Array<ClaimReportOutput>;
}

export interface ClaimReportProgress {
  /** The bank statements that the run reads. */
  statements: number;
  /** Those that it has read. */
  statementsRead: number;
  /** The lines that it has read. */
  linesRead: number;
  /** The files that it has written. */
  filesWritten: number;
}

export interface ClaimReport {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /**
   * The claim project whose bank statements and categories the run uses. `null` for the project of the report
   * configuration, or the whole organization if there is none.
   */
  projectId: string | null;
  /**
   * The report configuration with the period, the categories and the files; `null` for none. If the configuration
   * belongs to a project and the run has one, the two must be the same.
   */
  reportConfigurationId: string | null;
  /** Status of the run. */
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  /** When the run was queued. */
  queuedAt: string;
  /** When a worker started the run; `null` until then. */
  startedAt: string | null;
  /** When the run succeeded, failed or was cancelled; `null` until then. */
  finishedAt: string | null;
  /**
   * The result; `null` unless the run succeeded. In a list it is also `null` if it is larger than 64 KiB, or if the
   * results before it have 1 MiB together: then `resultBytes` states its size, and `GET
   * /v1/claim-reports/{report_id}` returns it.
   */
  result: ClaimReportResult | null;
  /** Size of the result in bytes, as JSON; `null` if there is no result. */
  resultBytes: number | null;
  /** How far the run is; `null` unless it has been running for a second. */
  progress: ClaimReportProgress | null;
  /** Why the run failed; otherwise `null`. */
  failure: ProcessingFailure | null;
}

export interface ClaimReportPage {
  /** The records of this page, newest first. */
  data: Array<ClaimReport>;
  /** Position and size of this page. */
  pagination: Pagination;
}

export interface CreateClaimReport {
  /**
   * The claim project whose bank statements and categories the run uses. `null` for the project of the report
   * configuration, or the whole organization if there is none. Default: `null`.
   */
  projectId?: string | null;
  /**
   * The report configuration with the period, the categories and the files; `null` for none. If the configuration
   * belongs to a project and the run has one, the two must be the same. Default: `null`.
   */
  reportConfigurationId?: string | null;
}

export interface ClaimClosingActor {
  /** A user in the console, the system, or a credential. */
  type: 'user' | 'system' | 'api';
  /** The user or credential. */
  id: string | null;
  /** The name of the person or credential at that time. */
  name: string;
}

export interface ClaimClosingChange {
  /** Before; `null` if there was none. */
  from: string | null;
  /** After; `null` if there is none. */
  to: string | null;
  /** `to` minus `from`; `null` if the currencies differ. */
  difference: string | null;
}

export interface ClaimClosingTotals {
  /** Money out minus money in. */
  net: ClaimClosingChange;
  /** The claim. */
  claimable: ClaimClosingChange;
  /** The part of `net` that no category claims. */
  uncategorised: ClaimClosingChange;
  /** The tax in the claim; absent if neither has taxes. */
  claimableTax?: ClaimClosingChange;
}

export interface ClaimClosingCategory {
  /** Before; `null` if there was none. */
  from: string | null;
  /** After; `null` if there is none. */
  to: string | null;
  /** `to` minus `from`; `null` if the currencies differ. */
  difference: string | null;
  /** Code of the category. */
  code: string;
  /** Name of the category. */
  name: string;
}

export interface ClaimClosingStatement {
  /** The bank statement. */
  id: string;
  /** How many of its lines the corrected claim used; `null` if it did not read it. */
  from: number | null;
  /** How many the correction uses. */
  to: number | null;
}

export interface ClaimClosingChanges {
  /** Whether both have the same inputs. */
  sameInputs: boolean;
  /** The totals of both. */
  totals: ClaimClosingTotals;
  /** The claims of categories that differ, at most 100. */
  categories: Array<ClaimClosingCategory>;
  /** The statements of which other lines are used, at most 100. */
  statements: Array<ClaimClosingStatement>;
}

export interface ClaimClosingCertificate {
  /** Whom the certificate names. */
  subject: string;
  /** SHA-256 of the certificate. */
  sha256: string;
}

export interface ClaimClosingPack {
  /** SHA-256 of the signed evidence pack. */
  sha256: string;
  /** Ed25519 signature in Base64, as `signature.json` of the pack has it. */
  signature: string;
  /** What identifies the key: the first 16 characters of the SHA-256 of `publicKey`. */
  keyId: string;
  /** The public key (SPKI) in Base64. */
  publicKey: string;
  /** The certificate by which the report of the pack is signed as a PDF; absent if the organization has none. */
  certificate?: ClaimClosingCertificate;
}

export interface ClaimClosing {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** The claim report run. */
  reportId: string;
  /** Its claim project. */
  projectId: string;
  /** First day of the claim. */
  periodStart: string;
  /** Last day of the claim. */
  periodEnd: string;
  /**
   * The state that the claim has with this step. `reopening`: one person has asked to reopen it, and it is still
   * final.
   */
  state: 'reviewed' | 'approved' | 'final' | 'reopening' | 'reopened';
  /** Of a final claim: 1, and one more with each correction; otherwise `null`. */
  version: number | null;
  /** Why. */
  reason: string | null;
  /** Who took the step, as the audit log names them. */
  by: ClaimClosingActor;
  /** The step that made the claim final which this one corrects; otherwise `null`. */
  corrects: string | null;
  /** Of a correction: what is different in its result; otherwise `null`. */
  changes: ClaimClosingChanges | null;
  /** SHA-256 of everything that the claim was computed from, as its result says. */
  inputsHash: string;
  /** Of a final claim: its evidence pack, signed by the organization; otherwise `null`. */
  pack: ClaimClosingPack | null;
}

export interface ClaimClosingPage {
  /** The records of this page, newest first. */
  data: Array<ClaimClosing>;
  /** Position and size of this page. */
  pagination: Pagination;
}

export interface CreateClaimClosing {
  /** The claim report run. It has succeeded and belongs to a claim project. */
  reportId: string;
  /**
   * The step: `reviewed`, then `approved` by another person, then `final`. A final claim is `reopened` if two
   * people ask for it.
   */
  state: 'reviewed' | 'approved' | 'final' | 'reopened';
  /** Why. A correction and a reopening need a reason. Default: `null`. */
  reason?: string | null;
  /**
   * Of `final`: the step that made the claim final which this one corrects. It is needed if there is one for days
   * of the period. Default: `null`.
   */
  corrects?: string | null;
}

export interface ClaimLineDecisionPart {
  /** The expense category that it is claimed for; `null` if it is not claimed. */
  categoryId: string | null;
  /** With the sign of the line. Parts make up the whole line. Left out for a single part. */
  amount: string | null;
  /** How much of it is claimed. */
  claimablePercent: string;
  /** The tax that it contains, as its invoice states it. */
  taxPercent: string | null;
}

export interface ClaimLineDecidedBy {
  /** A person (`user`), the service or its operators (`system`), or a program (`api`). */
  type: 'user' | 'system' | 'api';
  /** Id of the person or credential. */
  id: string | null;
  /** Its name at that time. */
  name: string;
}

export interface ClaimLineDecision {
  /** Id of the decision. */
  id: string;
  /** What was decided. */
  outcome: 'claimed' | 'not_claimed' | 'by_rules';
  /** What is claimed of the line; none if it is not claimed or left to rules. */
  parts: Array<ClaimLineDecisionPart>;
  /** Why. */
  reason: string | null;
  /** A note for colleagues. */
  note: string | null;
  /** Who has decided it. */
  by: ClaimLineDecidedBy;
  /** When. */
  decidedAt: string;
}

export interface ClaimLine {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** The claim report run. */
  reportId: string;
  /** The bank statement that has it. */
  statementId: string;
  /** Its number in the statement, from 1. */
  lineNumber: number;
  /** The day of the booking. */
  bookedOn: string;
  /** What the bank says of it, redacted; `null` once its retention has ended. */
  description: string | null;
  /** The other party, redacted. */
  counterparty: string | null;
  /** The reference, redacted. */
  reference: string | null;
  /** Negative for money out. */
  amount: string;
  /** ISO 4217 code. */
  currency: string | null;
  /**
   * What the run made of it. `not_claimed` and `split` are decisions; `uncategorised`: no rule claims it, and it is
   * not decided.
   */
  outcome: 'claimed' | 'uncategorised' | 'not_claimed' | 'split';
  /** The category that claims it; `null` for none, or for one of each part. */
  categoryId: string | null;
  /** The rule that claims it; `null` if none does. */
  rule: string | null;
  /** What is claimed, not rounded; positive for money out. */
  claimable: string | null;
  /** The category that rules would claim a decided line for. */
  ruleCategoryId: string | null;
  /** The decision that holds now; `null` if rules decide. */
  decision: ClaimLineDecision | null;
  /** Whether the run has the decision that holds now. If not, another run will have it. */
  isApplied: boolean;
}

export interface ClaimLinePage {
  /** The records of this page, newest first. */
  data: Array<ClaimLine>;
  /** Position and size of this page. */
  pagination: Pagination;
}

export interface ClaimLineDetails {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** The claim report run. */
  reportId: string;
  /** The bank statement that has it. */
  statementId: string;
  /** Its number in the statement, from 1. */
  lineNumber: number;
  /** The day of the booking. */
  bookedOn: string;
  /** What the bank says of it, redacted; `null` once its retention has ended. */
  description: string | null;
  /** The other party, redacted. */
  counterparty: string | null;
  /** The reference, redacted. */
  reference: string | null;
  /** Negative for money out. */
  amount: string;
  /** ISO 4217 code. */
  currency: string | null;
  /**
   * What the run made of it. `not_claimed` and `split` are decisions; `uncategorised`: no rule claims it, and it is
   * not decided.
   */
  outcome: 'claimed' | 'uncategorised' | 'not_claimed' | 'split';
  /** The category that claims it; `null` for none, or for one of each part. */
  categoryId: string | null;
  /** The rule that claims it; `null` if none does. */
  rule: string | null;
  /** What is claimed, not rounded; positive for money out. */
  claimable: string | null;
  /** The category that rules would claim a decided line for. */
  ruleCategoryId: string | null;
  /** The decision that holds now; `null` if rules decide. */
  decision: ClaimLineDecision | null;
  /** Whether the run has the decision that holds now. If not, another run will have it. */
  isApplied: boolean;
  /** What was decided about it, the newest first: at most 100. */
  decisions: Array<ClaimLineDecision>;
}

export interface ClaimLineDecisionsPart {
  /** The expense category that it is claimed for; `null` if it is not claimed. */
  categoryId: string | null;
  /** With the sign of the line. Parts make up the whole line. Left out for a single part. Default: `null`. */
  amount?: string | null;
  /** How much of it is claimed. Default: `100`. */
  claimablePercent?: string;
  /** The tax that it contains, as its invoice states it. Default: `null`. */
  taxPercent?: string | null;
}

export interface CreateClaimLineDecisions {
  /** The claim lines that it is decided for: all of them, or none. */
  lineIds: Array<string>;
  /** `claimed` with `parts`; `not_claimed`; or `by_rules`, which takes an earlier decision back. */
  outcome: 'claimed' | 'not_claimed' | 'by_rules';
  /** What is claimed: one part, or several that make up a line. */
  parts?: Array<ClaimLineDecisionsPart>;
  /** Why, in a few words. Files of reports may show it. */
  reason?: string | null;
  /** A note for colleagues. No file shows it. */
  note?: string | null;
}

export interface ClaimLineDecisions {
  /** The lines, in the order in which they were named. */
  data: Array<ClaimLine>;
}

export interface CreateClaimReportLink {
  /** The file of the run. */
  format: 'json' | 'csv' | 'xlsx' | 'pdf' | 'journal' | 'datev' | 'form' | 'evidence';
  /** For how many minutes the link opens it. Default: `15`. */
  minutes?: number;
  /** Whether it can be downloaded a single time. Default: `false`. */
  isOnce?: boolean;
}

export interface ClaimReportLink {
  /** The file of the run. */
  format: 'json' | 'csv' | 'xlsx' | 'pdf' | 'journal' | 'datev' | 'form' | 'evidence' | (string & {});
  /**
   * A page with the file. The address alone opens it, without an account: give it only to the person who should
   * have the file.
   */
  address: string;
  /** Until when it opens the file. */
  expiresAt: string;
  /** Whether it can be downloaded a single time. */
  isOnce: boolean;
}

export interface Receipt {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** The claim project that it, its line or its item belonged to when it was entered. */
  projectId: string | null;
  /** The claim item that it is for. */
  claimItemId: string | null;
  /** The claim line that it was entered for. Later runs have another one for its booking. */
  claimLineId: string | null;
  /** The bank statement that had the line. */
  statementId: string | null;
  /** The name of the file. */
  fileName: string;
  /** What the file is, by its content. */
  mediaType: 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/heic' | 'message/rfc822' | (string & {});
  /** Size of the file in bytes. */
  sizeBytes: number;
  /** SHA-256 of the file, in hex. */
  sha256: string;
  /** The tax that it states. */
  taxAmount: string | null;
  /** A note for colleagues. */
  note: string | null;
  /** Runs have those that are `active`. */
  status: 'active' | 'withdrawn';
}

export interface ReceiptPage {
  /** The records of this page, newest first. */
  data: Array<Receipt>;
  /** Position and size of this page. */
  pagination: Pagination;
}

export interface CreateReceipt {
  /** The claim project that it belongs to; or its line or item, which have one. */
  projectId?: string | null;
  /** The claim line that it is for. It stays with the booking in later runs. */
  claimLineId?: string | null;
  /** The claim item that it is for. */
  claimItemId?: string | null;
  /**
   * The tax that it states, in the currency of its line or item. Reports have it instead of a percentage. Default:
   * `null`.
   */
  taxAmount?: string | null;
  /** A note for colleagues. No file shows it. Default: `null`. */
  note?: string | null;
  /** The name of the file. */
  fileName: string;
  /** The file in Base64. A larger one is sent as a form. */
  content: string;
}

export interface UpdateReceipt {
  /** The tax that it states; `null` for none. */
  taxAmount?: string | null;
  /** A note for colleagues. No file shows it. */
  note?: string | null;
  /** Later runs do not have it, and its file is removed. It stays withdrawn. */
  status?: 'withdrawn';
}

export interface CreateBatch {
  /** The operation that is called with each item. */
  operation: 'claim_projects.create' | 'expense_categories.create' | 'claim_items.create' | 'report_configurations.create';
  /** The bodies of the calls. What is wrong with one is said in its answer. */
  items: Array<Record<string, unknown>>;
}

export interface ProblemFieldError {
  /** The part of the request that contains the value. */
  location: 'body' | 'query' | 'path' | 'header';
  /** Name of the field, parameter or header. */
  field: string;
  /**
   * What is wrong, for programs. Codes never change their meaning, but new ones may be added.
   *
   * - `required`: The value is missing.
   * - `unknown_property`: There is no property or parameter of this name.
   * - `wrong_type`: The value has another type, such as a number instead of a string.
   * - `not_allowed`: The value is not among those that are allowed.
   * - `repeated`: The value is given more than once.
   * - `too_short`: The text or list is too short.
   * - `too_long`: The text is too long.
   * - `too_many`: The list has too many entries.
   * - `too_large`: The object is too large as JSON.
   * - `too_deep`: The object is nested too deeply.
   * - `out_of_range`: The number is too small or too large.
   * - `inexact_number`: A double cannot hold the number exactly. Send it as a string.
   * - `invalid_number`: The number is beyond the range of a double.
   * - `invalid_text`: The text contains NUL characters or lone surrogates.
   * - `invalid_encoding`: The parameter is not percent-encoded UTF-8.
   * - `invalid_uuid`: The value is not a UUID.
   * - `invalid_date`: The value is not an existing calendar date.
   * - `invalid_time`: The value is not a time with its offset.
   * - `invalid_country`: The value is not a country code of ISO 3166-1.
   * - `invalid_currency`: The value is not a currency code of ISO 4217.
   * - `invalid_amount`: The value is not an exact decimal amount.
   * - `invalid_percent`: The value is not a percentage from 0 to 100.
   * - `invalid_decimal`: The value is not an exact decimal, or has more digits after the point than the field
   * takes.
   * - `invalid_email`: The value is not an e-mail address.
   * - `invalid_address`: The value is not an IPv4 or IPv6 address or CIDR.
   * - `invalid_slug`: The value is not a short name for URLs.
   * - `invalid_tag`: The header is not a list of ETags.
   * - `invalid_pattern`: The value is not a pattern in RE2 syntax, or the pattern is too large.
   * - `too_costly`: All patterns of the record together take too long to check.
   * - `does_not_add_up`: The parts do not make the whole.
   * - `before_start`: The end is before the start.
   * - `already_exists`: Another record has this value, which must be unique.
   * - `related_record_missing`: The credential knows no record with this id.
   * - `environment_mismatch`: The credential cannot manage this environment.
   * - `target_not_allowed`: Deliveries cannot be sent to this URL.
   * - `not_of_configuration`: The project is not that of the configuration.
   * - `answer_too_large`: The answer would be too large. Ask for a smaller page.
   * - `last_owner`: The organization would have no owner.
   */
  code:
    | 'required'
    | 'unknown_property'
    | 'wrong_type'
    | 'not_allowed'
    | 'repeated'
    | 'too_short'
    | 'too_long'
    | 'too_many'
    | 'too_large'
    | 'too_deep'
    | 'out_of_range'
    | 'inexact_number'
    | 'invalid_number'
    | 'invalid_text'
    | 'invalid_encoding'
    | 'invalid_uuid'
    | 'invalid_date'
    | 'invalid_time'
    | 'invalid_country'
    | 'invalid_currency'
    | 'invalid_amount'
    | 'invalid_percent'
    | 'invalid_decimal'
    | 'invalid_email'
    | 'invalid_address'
    | 'invalid_slug'
    | 'invalid_tag'
    | 'invalid_pattern'
    | 'too_costly'
    | 'does_not_add_up'
    | 'before_start'
    | 'already_exists'
    | 'related_record_missing'
    | 'environment_mismatch'
    | 'target_not_allowed'
    | 'not_of_configuration'
    | 'answer_too_large'
    | 'last_owner'
    | (string & {});
  /** What is wrong, for people. */
  message: string;
}

export interface Problem {
  /** URL of a page that explains the code. */
  type: string;
  /** The code in words. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** What happened, for people. */
  detail: string;
  /**
   * What happened, for programs. Codes never change their meaning, but new ones may be added.
   *
   * - `validation_failed`: The request is not valid.
   * - `malformed_json`: The body is not a JSON object.
   * - `idempotency_key_missing`: The Idempotency-Key header is missing.
   * - `idempotency_key_invalid`: The Idempotency-Key header is not valid.
   * - `related_record_missing`: A related record does not exist.
   * - `environment_mismatch`: The environment does not match the credential.
   * - `target_not_allowed`: Deliveries cannot be sent to this URL.
   * - `ambiguous_credentials`: Two credentials were sent.
   * - `credential_missing`: No credential was sent.
   * - `credential_invalid`: The credential is not valid.
   * - `scope_missing`: The credential lacks a scope.
   * - `role_required`: The role of the person does not allow this.
   * - `bound_to_projects`: The credential is for some projects only.
   * - `event_not_allowed`: The record of an event may not be read.
   * - `plan_required`: A higher plan is required.
   * - `fields_hidden`: It shows fields that are hidden from you.
   * - `ip_not_allowed`: The IP address is not allowed.
   * - `organization_suspended`: The organization is suspended.
   * - `organization_moved`: The organization has moved to another installation.
   * - `not_found`: There is no such record.
   * - `route_not_found`: There is no such path.
   * - `method_not_allowed`: The method is not allowed.
   * - `not_acceptable`: The client does not accept JSON.
   * - `request_timeout`: The request took too long to arrive.
   * - `idempotency_conflict`: The Idempotency-Key is already in use.
   * - `already_exists`: The record already exists.
   * - `claim_final`: The claim of these days is final.
   * - `claim_state`: The claim is not in the state for this step.
   * - `wrong_state`: The record is not in the state for this.
   * - `changed_meanwhile`: The record has changed meanwhile.
   * - `record_in_use`: Other records name this one.
   * - `limit_exceeded`: The limit of records is reached.
   * - `body_too_large`: The body is too large.
   * - `unsupported_media_type`: The media type is not supported.
   * - `confirmation_needed`: The call was not confirmed.
   * - `rate_limited`: Too many requests.
   * - `headers_too_large`: The headers are too large.
   * - `bad_request`: The request is not valid HTTP.
   * - `internal_error`: Something went wrong on our side.
   * - `unavailable`: The service is temporarily unavailable.
   * - `organization_moving`: The organization moves to another installation.
   */
  code:
    | 'validation_failed'
    | 'malformed_json'
    | 'idempotency_key_missing'
    | 'idempotency_key_invalid'
    | 'related_record_missing'
    | 'environment_mismatch'
    | 'target_not_allowed'
    | 'ambiguous_credentials'
    | 'credential_missing'
    | 'credential_invalid'
    | 'scope_missing'
    | 'role_required'
    | 'bound_to_projects'
    | 'event_not_allowed'
    | 'plan_required'
    | 'fields_hidden'
    | 'ip_not_allowed'
    | 'organization_suspended'
    | 'organization_moved'
    | 'not_found'
    | 'route_not_found'
    | 'method_not_allowed'
    | 'not_acceptable'
    | 'request_timeout'
    | 'idempotency_conflict'
    | 'already_exists'
    | 'claim_final'
    | 'claim_state'
    | 'wrong_state'
    | 'changed_meanwhile'
    | 'record_in_use'
    | 'limit_exceeded'
    | 'body_too_large'
    | 'unsupported_media_type'
    | 'confirmation_needed'
    | 'rate_limited'
    | 'headers_too_large'
    | 'bad_request'
    | 'internal_error'
    | 'unavailable'
    | 'organization_moving'
    | (string & {});
  /** Identifies this request in our logs. */
  requestId: string;
  /** What a program should do: give up, repeat the request with the same Idempotency-Key, or repeat it later. */
  retry: 'never' | 'same_key' | 'later';
  /** The invalid values; empty if the problem is not about a value. */
  errors: Array<ProblemFieldError>;
  /** With `already_exists` and `claim_final`: id of the record that is in the way. */
  conflictingId?: string;
}

export interface BatchItem {
  /** Which item it is, from 0. */
  index: number;
  /** The status that the call would have had alone. */
  status: number;
  /** The record, as the operation answers; `null` if the item was refused. */
  record: Record<string, unknown> | null;
  /** Why the item was refused; `null` if it was not. */
  problem: Problem | null;
}

export interface Batch {
  /** How many items were done. */
  succeeded: number;
  /** How many were refused, or failed. */
  failed: number;
  /** What became of each item, in their order. */
  items: Array<BatchItem>;
}

export interface OrganizationLimits {
  /** The rate-limit tier that applies. */
  rateTier: 'starter' | 'growth' | 'enterprise' | (string & {});
  /** Requests per minute, in each environment. */
  requestsPerMinute: number;
  /** Requests that can be sent at once. */
  burst: number;
  /** Maximum number of valid API keys in each environment. */
  apiKeys: number;
  /** Maximum number of webhook endpoints in each environment; 0 if the plan has no webhooks. */
  webhooks: number;
  /** Maximum number of expense categories in each environment. */
  expenseCategories: number;
  /** Maximum number of report configurations in each environment. */
  reportConfigurations: number;
  /** Maximum number of bank statements in each environment. */
  bankStatements: number;
  /** Maximum number of claim items in each environment. */
  claimItems: number;
  /** Maximum number of receipts in each environment. */
  receipts: number;
  /** Maximum number of partner applications in each environment. */
  applications: number;
  /** Maximum number of users. */
  members: number;
}

export interface Organization {
  /** Id of the organization. */
  id: string;
  /** Name of the organization. */
  name: string;
  /** Short name for URLs and commands. */
  slug: string;
  /** The plan; some operations require `enterprise`. */
  plan: 'starter' | 'growth' | 'enterprise' | (string & {});
  /** A suspended organization has no access. */
  status: 'active' | 'suspended';
  /** Country (ISO 3166-1 alpha-2). */
  country: string | null;
  /** Time zone (IANA name). */
  timeZone: string;
  /** Billing periods start on this day of the month, or on the last day of a shorter month. */
  billingCycleAnchor: string;
  /** What the plan allows. */
  limits: OrganizationLimits;
  /** Whether counterparties of bank statements are replaced by tokens unless they are recognised as organisations. */
  redactCounterparties: boolean;
  /** Whether the names behind the tokens of people are kept, encrypted, for key lists of reports. */
  keepNames: boolean;
  /** Whether people who sign in with a password need a second factor, too. */
  requireSecondFactor: boolean;
  /** Whether its audit log is such that people can be erased from it. An addition. */
  forgetsPeople: boolean;
  /** When the organization was created. */
  createdAt: string;
  /** When the organization was last changed. */
  updatedAt: string;
}

export interface UsageSummaryPeriod {
  /** First day of the period (UTC). */
  start: string;
  /** First day of the next period (UTC). */
  end: string;
}

export interface UsageSummaryCapability {
  /** The capability: the first part of a scope, or `api` for operations without one. */
  capability: string;
  /** GET requests. */
  reads: number;
  /** All other requests. */
  writes: number;
  /** Requests of either kind with a status of 400 or more. */
  failed: number;
  /** Reads and writes together. */
  total: number;
}

export interface UsageSummaryClient {
  /** What the client calls itself, which proves nothing. */
  name: string;
  /** Its requests. */
  calls: number;
}

export interface UsageSummaryCredential {
  /** The API key or the application. */
  id: string;
  /** Its name at its last call. */
  name: string;
  /** An API key, or an application with access tokens. */
  type: 'api_key' | 'oauth';
  /** All its requests. */
  calls: number;
  /** The clients of tools by which it has made most of them, at most 20. */
  clients: Array<UsageSummaryClient>;
}

export interface RateLimitState {
  /** The rate-limit tier that applies. */
  tier: 'starter' | 'growth' | 'enterprise' | (string & {});
  /** Requests per window. */
  limit: number;
  /** Length of the window in seconds. */
  windowSeconds: number;
  /** Requests that can be sent at once now. */
  remaining: number;
  /** When the limit is fully replenished. */
  resetAt: string;
}

export interface UsageSummary {
  /** The current billing period. */
  billingPeriod: UsageSummaryPeriod;
  /** The environment whose requests were counted. */
  environment: 'test' | 'live';
  /** All capabilities, also those without requests. */
  capabilities: Array<UsageSummaryCapability>;
  /** All requests of the period. */
  total: number;
  /** The API keys and applications with most requests of the period, at most 500. */
  credentials: Array<UsageSummaryCredential>;
  /** How many others have made requests in the period. */
  credentialsLeftOut: number;
  /** The rate limit and its current state. */
  rateLimit: RateLimitState;
}

export interface AuditEventActor {
  /** A person (`user`), the service or its operators (`system`), or a program (`api`). */
  type: 'user' | 'system' | 'api';
  /** Id of the person or credential. */
  id: string | null;
  /** Its name at that time. */
  name: string;
}

export interface AuditEventResource {
  /** Type of the record: the first part of the action. */
  type: string;
  /** Id of the record. */
  id: string;
}

export interface AuditEvent {
  /** Id of the event. */
  id: string;
  /** Environment of the event; null if it concerns the whole organization. */
  environment: 'test' | 'live' | null;
  /** When the change was made. */
  occurredAt: string;
  /** When the event was added to the log, shortly after the change was committed. */
  createdAt: string;
  /** Who made the change. */
  actor: AuditEventActor;
  /** What was done. */
  action: string;
  /** The record that was changed. */
  resource: AuditEventResource;
  /** IP address of the caller. */
  ipAddress: string | null;
  /** `X-Request-Id` of the request. */
  requestId: string | null;
  /**
   * The fields that changed, each with `from` and `to`. A secret, or a value of more than 1 KiB, is replaced by
   * `{"sha256", "bytes"}` of its canonical JSON.
   */
  changes: Record<string, unknown>;
  /** Position in the log of the organization: 1, 2, 3 and so on, without gaps. */
  sequence: number;
  /** Hash of the previous event; 64 zeros for the first one. */
  previousHash: string;
  /**
   * Hex SHA-256 of `previousHash` followed by this event as canonical JSON (RFC 8785), without `hash`; where there
   * are `commitments`, also without `salts` and the members that they name.
   */
  hash: string;
  /**
   * What stands in the hash for members that say who a person is, by their places: hex SHA-256 of a salt followed
   * by the canonical JSON of the value. Absent if there are none. An addition.
   */
  commitments?: Record<string, unknown>;
  /**
   * The salts of these members. One without a salt was forgotten: the person was erased. The member is
   * `(forgotten)` then, and the address `null`. An addition.
   */
  salts?: Record<string, unknown>;
}

export interface AuditEventCursor {
  /** Send this as `cursor_created_at`. */
  cursorCreatedAt: string;
  /** Send this as `cursor_id`. */
  cursorId: string;
}

export interface AuditEventPage {
  /** The events, oldest first. */
  data: Array<AuditEvent>;
  /**
   * Points to the last event you received, even when no event follows yet; continue from it at any time. null when
   * there were no events at all.
   */
  nextCursor: AuditEventCursor | null;
  /** Whether more events follow. */
  hasMore: boolean;
}

export interface AuditCheckpoint {
  /** Names the log: the same in all its checkpoints. */
  origin: string;
  /** How many events the log has. */
  size: number;
  /**
   * The checkpoint, signed by the service and by its witnesses: origin, size, root hash, signatures (C2SP
   * `signed-note`). Keep it.
   */
  note: string;
  /** The keys that sign checkpoints of this log, as `signed-note` writes them. The newest last. */
  verifierKeys: Array<string>;
  /** When it was signed. */
  createdAt: string;
}

export interface AuditProof {
  /** Id of the event. */
  eventId: string;
  /** Its `sequence`: it is the leaf with this number, counted from 1. */
  sequence: number;
  /**
   * The hashes of the proof, of 32 bytes each, one after the other in Base64. From the event up to the root of the
   * checkpoint (RFC 6962).
   */
  hashes: string;
  /** The newest checkpoint: the event is part of the log that it is about. */
  checkpoint: AuditCheckpoint;
}

export interface AuditConsistency {
  /** The size of the earlier checkpoint. */
  from: number;
  /**
   * The hashes of the proof, of 32 bytes each, one after the other in Base64. They show that the log still begins
   * with the events of the earlier one (RFC 6962).
   */
  hashes: string;
  /** The newest checkpoint. */
  checkpoint: AuditCheckpoint;
}

export interface Webhook {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** Name of the endpoint. */
  name: string;
  /**
   * URL that deliveries are posted to: `https` (for test endpoints also `http`), on the public Internet, without
   * user name or password.
   */
  targetUrl: string;
  /** Kinds of events to deliver, planned ones too. */
  subscribedEvents: Array<
    | 'bank_statement.received'
    | 'bank_statement.redaction_failed'
    | 'bank_statement.redaction_queued'
    | 'bank_statement.redaction_succeeded'
    | 'bank_statement.updated'
    | 'claim.approved'
    | 'claim.corrected'
    | 'claim.final'
    | 'claim.reopened'
    | 'claim.reopening_asked'
    | 'claim.reviewed'
    | 'claim_item.created'
    | 'claim_item.updated'
    | 'claim_project.created'
    | 'claim_project.updated'
    | 'claim_report.cancelled'
    | 'claim_report.failed'
    | 'claim_report.queued'
    | 'claim_report.succeeded'
    | 'expense_category.created'
    | 'expense_category.updated'
    | 'integration.connected'
    | 'organization.updated'
    | 'receipt.created'
    | 'receipt.updated'
    | 'report_configuration.created'
    | 'report_configuration.updated'
    | 'usage.budget_used'
    | 'user.invited'
    | 'webhook.disabled'
    | 'webhook.failing'
    | 'webhook.recovered'
    | (string & {})
  >;
  /** What the endpoint is for. */
  description: string | null;
  /**
   * A disabled endpoint receives nothing, and its pending deliveries are given up. Events can be replayed for 30
   * days.
   */
  status: 'active' | 'disabled';
  /** Deliveries per minute, sent at equal intervals; further ones wait. null: no limit. An addition. */
  rateLimit: number | null;
  /**
   * Whether events are delivered one at a time and in their order, some two seconds later. A delivery that fails
   * holds back all after it until it succeeds or is given up. An addition.
   */
  ordered: boolean;
  /**
   * Only events of these claim projects: of the projects themselves, and of what belongs to one. Events of no
   * project are not sent then. null: all events. An addition.
   */
  projectIds: Array<string> | null;
  /** `full`: messages have the record. `thin`: they say where to GET it. An addition. */
  payload: 'full' | 'thin';
  /**
   * `hmac`: signed with the secret (`v1`). `ed25519`: signed with a private key that only the service has (`v1a`);
   * `publicKey` verifies it. A change is a rotation. An addition.
   */
  signature: 'hmac' | 'ed25519';
  /**
   * Why the endpoint is disabled: by you (`manual`), because all deliveries failed for 5 days (`failing`) or
   * because it responded with 410 (`gone`).
   */
  disabledReason: 'manual' | 'failing' | 'gone' | null;
  /** Last characters of the signing secret, or of `publicKey`. */
  secretHint: string;
  /** Until when deliveries are also signed with the previous secret. */
  previousSecretExpiresAt: string | null;
  /** Time of the last successful delivery. */
  lastDeliveryAt: string | null;
  /** With `ed25519`: the key that verifies deliveries, `whpk_…`. */
  publicKey: string | null;
  /** Names of the endpoint's own headers. */
  headerNames: Array<string>;
}

export interface WebhookList {
  /** All endpoints on one page, newest first. */
  data: Array<Webhook>;
  /** As in other lists; there is always one page. */
  pagination: Pagination;
}

export interface CreateWebhook {
  /** Name of the endpoint. */
  name: string;
  /**
   * URL that deliveries are posted to: `https` (for test endpoints also `http`), on the public Internet, without
   * user name or password.
   */
  targetUrl: string;
  /** Kinds of events to deliver, planned ones too. */
  subscribedEvents: Array<
    | 'bank_statement.received'
    | 'bank_statement.redaction_failed'
    | 'bank_statement.redaction_queued'
    | 'bank_statement.redaction_succeeded'
    | 'bank_statement.updated'
    | 'claim.approved'
    | 'claim.corrected'
    | 'claim.final'
    | 'claim.reopened'
    | 'claim.reopening_asked'
    | 'claim.reviewed'
    | 'claim_item.created'
    | 'claim_item.updated'
    | 'claim_project.created'
    | 'claim_project.updated'
    | 'claim_report.cancelled'
    | 'claim_report.failed'
    | 'claim_report.queued'
    | 'claim_report.succeeded'
    | 'expense_category.created'
    | 'expense_category.updated'
    | 'integration.connected'
    | 'organization.updated'
    | 'receipt.created'
    | 'receipt.updated'
    | 'report_configuration.created'
    | 'report_configuration.updated'
    | 'usage.budget_used'
    | 'user.invited'
    | 'webhook.disabled'
    | 'webhook.failing'
    | 'webhook.recovered'
  >;
  /** What the endpoint is for. */
  description?: string | null;
  /**
   * Environment whose events are delivered. Defaults to the environment of the credential; a test credential can
   * only use `test`.
   */
  environment?: 'test' | 'live';
  /**
   * A disabled endpoint receives nothing, and its pending deliveries are given up. Events can be replayed for 30
   * days. Default: `active`.
   */
  status?: 'active' | 'disabled';
  /**
   * Up to 20 headers that your deliveries have beside ours, such as `{"Authorization": "Bearer …"}`. Values are
   * stored encrypted and never returned. Replaces all headers; null removes them. A change of `targetUrl` to
   * another origin removes them too, unless the same request sets them. An addition.
   */
  headers?: Record<string, string> | null;
  /**
   * Deliveries per minute, sent at equal intervals; further ones wait. null: no limit. An addition. Default:
   * `null`.
   */
  rateLimit?: number | null;
  /**
   * Whether events are delivered one at a time and in their order, some two seconds later. A delivery that fails
   * holds back all after it until it succeeds or is given up. An addition. Default: `false`.
   */
  ordered?: boolean;
  /**
   * Only events of these claim projects: of the projects themselves, and of what belongs to one. Events of no
   * project are not sent then. null: all events. An addition. Default: `null`.
   */
  projectIds?: Array<string> | null;
  /** `full`: messages have the record. `thin`: they say where to GET it. An addition. Default: `full`. */
  payload?: 'full' | 'thin';
  /**
   * `hmac`: signed with the secret (`v1`). `ed25519`: signed with a private key that only the service has (`v1a`);
   * `publicKey` verifies it. A change is a rotation. An addition. Default: `hmac`.
   */
  signature?: 'hmac' | 'ed25519';
}

export interface WebhookWithSecret {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** Name of the endpoint. */
  name: string;
  /**
   * URL that deliveries are posted to: `https` (for test endpoints also `http`), on the public Internet, without
   * user name or password.
   */
  targetUrl: string;
  /** Kinds of events to deliver, planned ones too. */
  subscribedEvents: Array<
    | 'bank_statement.received'
    | 'bank_statement.redaction_failed'
    | 'bank_statement.redaction_queued'
    | 'bank_statement.redaction_succeeded'
    | 'bank_statement.updated'
    | 'claim.approved'
    | 'claim.corrected'
    | 'claim.final'
    | 'claim.reopened'
    | 'claim.reopening_asked'
    | 'claim.reviewed'
    | 'claim_item.created'
    | 'claim_item.updated'
    | 'claim_project.created'
    | 'claim_project.updated'
    | 'claim_report.cancelled'
    | 'claim_report.failed'
    | 'claim_report.queued'
    | 'claim_report.succeeded'
    | 'expense_category.created'
    | 'expense_category.updated'
    | 'integration.connected'
    | 'organization.updated'
    | 'receipt.created'
    | 'receipt.updated'
    | 'report_configuration.created'
    | 'report_configuration.updated'
    | 'usage.budget_used'
    | 'user.invited'
    | 'webhook.disabled'
    | 'webhook.failing'
    | 'webhook.recovered'
    | (string & {})
  >;
  /** What the endpoint is for. */
  description: string | null;
  /**
   * A disabled endpoint receives nothing, and its pending deliveries are given up. Events can be replayed for 30
   * days.
   */
  status: 'active' | 'disabled';
  /** Deliveries per minute, sent at equal intervals; further ones wait. null: no limit. An addition. */
  rateLimit: number | null;
  /**
   * Whether events are delivered one at a time and in their order, some two seconds later. A delivery that fails
   * holds back all after it until it succeeds or is given up. An addition.
   */
  ordered: boolean;
  /**
   * Only events of these claim projects: of the projects themselves, and of what belongs to one. Events of no
   * project are not sent then. null: all events. An addition.
   */
  projectIds: Array<string> | null;
  /** `full`: messages have the record. `thin`: they say where to GET it. An addition. */
  payload: 'full' | 'thin';
  /**
   * `hmac`: signed with the secret (`v1`). `ed25519`: signed with a private key that only the service has (`v1a`);
   * `publicKey` verifies it. A change is a rotation. An addition.
   */
  signature: 'hmac' | 'ed25519';
  /**
   * Why the endpoint is disabled: by you (`manual`), because all deliveries failed for 5 days (`failing`) or
   * because it responded with 410 (`gone`).
   */
  disabledReason: 'manual' | 'failing' | 'gone' | null;
  /** Last characters of the signing secret, or of `publicKey`. */
  secretHint: string;
  /** Until when deliveries are also signed with the previous secret. */
  previousSecretExpiresAt: string | null;
  /** Time of the last successful delivery. */
  lastDeliveryAt: string | null;
  /** With `ed25519`: the key that verifies deliveries, `whpk_…`. */
  publicKey: string | null;
  /** Names of the endpoint's own headers. */
  headerNames: Array<string>;
  /**
   * Signing secret, for use with any Standard Webhooks library. No other response contains it. With `ed25519` there
   * is none.
   */
  secret?: string;
}

export interface UpdateWebhook {
  /** Name of the endpoint. */
  name?: string;
  /**
   * URL that deliveries are posted to: `https` (for test endpoints also `http`), on the public Internet, without
   * user name or password.
   */
  targetUrl?: string;
  /** Kinds of events to deliver, planned ones too. */
  subscribedEvents?: Array<
    | 'bank_statement.received'
    | 'bank_statement.redaction_failed'
    | 'bank_statement.redaction_queued'
    | 'bank_statement.redaction_succeeded'
    | 'bank_statement.updated'
    | 'claim.approved'
    | 'claim.corrected'
    | 'claim.final'
    | 'claim.reopened'
    | 'claim.reopening_asked'
    | 'claim.reviewed'
    | 'claim_item.created'
    | 'claim_item.updated'
    | 'claim_project.created'
    | 'claim_project.updated'
    | 'claim_report.cancelled'
    | 'claim_report.failed'
    | 'claim_report.queued'
    | 'claim_report.succeeded'
    | 'expense_category.created'
    | 'expense_category.updated'
    | 'integration.connected'
    | 'organization.updated'
    | 'receipt.created'
    | 'receipt.updated'
    | 'report_configuration.created'
    | 'report_configuration.updated'
    | 'usage.budget_used'
    | 'user.invited'
    | 'webhook.disabled'
    | 'webhook.failing'
    | 'webhook.recovered'
  >;
  /** What the endpoint is for. */
  description?: string | null;
  /**
   * Environment whose events are delivered. Defaults to the environment of the credential; a test credential can
   * only use `test`.
   */
  environment?: 'test' | 'live';
  /**
   * A disabled endpoint receives nothing, and its pending deliveries are given up. Events can be replayed for 30
   * days.
   */
  status?: 'active' | 'disabled';
  /**
   * Up to 20 headers that your deliveries have beside ours, such as `{"Authorization": "Bearer …"}`. Values are
   * stored encrypted and never returned. Replaces all headers; null removes them. A change of `targetUrl` to
   * another origin removes them too, unless the same request sets them. An addition.
   */
  headers?: Record<string, string> | null;
  /** Deliveries per minute, sent at equal intervals; further ones wait. null: no limit. An addition. */
  rateLimit?: number | null;
  /**
   * Whether events are delivered one at a time and in their order, some two seconds later. A delivery that fails
   * holds back all after it until it succeeds or is given up. An addition.
   */
  ordered?: boolean;
  /**
   * Only events of these claim projects: of the projects themselves, and of what belongs to one. Events of no
   * project are not sent then. null: all events. An addition.
   */
  projectIds?: Array<string> | null;
  /** `full`: messages have the record. `thin`: they say where to GET it. An addition. */
  payload?: 'full' | 'thin';
  /**
   * `hmac`: signed with the secret (`v1`). `ed25519`: signed with a private key that only the service has (`v1a`);
   * `publicKey` verifies it. A change is a rotation. An addition.
   */
  signature?: 'hmac' | 'ed25519';
  /**
   * `true` creates a new signing secret, which only this response contains, or a new pair of keys. Deliveries are
   * also signed with the old one for 24 hours.
   */
  rotateSecret?: true;
}

export interface WebhookDelivery {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** Id of the endpoint. */
  webhookId: string;
  /** Id of the event, sent as `webhook-id`. All attempts of an event have the same one. */
  eventId: string;
  /** Kind of the event. */
  eventKind: string;
  /** Number of the attempt, starting at 1. */
  attempt: number;
  /** `automatic`: the first attempt or a scheduled retry. `manual`: requested by a user or an operator. */
  trigger: 'automatic' | 'manual';
  /** `pending`: not sent yet. `delivered`: the endpoint responded with 2xx. `failed`: everything else. */
  status: 'pending' | 'delivered' | 'failed';
  /** HTTP status of the response. */
  responseStatus: number | null;
  /**
   * Why it failed: `http_error`, `timeout`, `connection_failed`, `malformed_answer`, `name_not_resolved`,
   * `tls_failed`, `target_not_allowed`; or was never sent: `endpoint_disabled`, `environment_changed`,
   * `replay_stopped`.
   */
  errorCode: string | null;
  /** Duration of the request in milliseconds. */
  durationMs: number | null;
  /** When the attempt is or was due. */
  scheduledAt: string;
  /** When the attempt was made. */
  attemptedAt: string | null;
  /** After a failed attempt, when the next one is due. */
  nextAttemptAt: string | null;
  /** `X-Request-Id` of the request that caused the event. */
  requestId: string | null;
}

export interface WebhookDeliveryPage {
  /** The records of this page, newest first. */
  data: Array<WebhookDelivery>;
  /** Position and size of this page. */
  pagination: Pagination;
}

export interface WebhookDeliveryRequest {
  /** The URL that it was sent to. */
  url: string;
  /** The headers by name. Signatures and the values of the endpoint's own headers are `(hidden)`. */
  headers: Record<string, unknown>;
  /** The body, byte for byte. null when the event is no longer kept (30 days). */
  body: string | null;
}

export interface WebhookDeliveryResponse {
  /**
   * The first 1024 bytes of the body, as UTF-8. Invalid bytes and control characters are replaced by U+FFFD.
   * Secrets of the request that the answer repeats are masked with asterisks.
   */
  body: string;
  /** Whether the body was longer. */
  truncated: boolean;
}

export interface WebhookDeliveryDetails {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** Id of the endpoint. */
  webhookId: string;
  /** Id of the event, sent as `webhook-id`. All attempts of an event have the same one. */
  eventId: string;
  /** Kind of the event. */
  eventKind: string;
  /** Number of the attempt, starting at 1. */
  attempt: number;
  /** `automatic`: the first attempt or a scheduled retry. `manual`: requested by a user or an operator. */
  trigger: 'automatic' | 'manual';
  /** `pending`: not sent yet. `delivered`: the endpoint responded with 2xx. `failed`: everything else. */
  status: 'pending' | 'delivered' | 'failed';
  /** HTTP status of the response. */
  responseStatus: number | null;
  /**
   * Why it failed: `http_error`, `timeout`, `connection_failed`, `malformed_answer`, `name_not_resolved`,
   * `tls_failed`, `target_not_allowed`; or was never sent: `endpoint_disabled`, `environment_changed`,
   * `replay_stopped`.
   */
  errorCode: string | null;
  /** Duration of the request in milliseconds. */
  durationMs: number | null;
  /** When the attempt is or was due. */
  scheduledAt: string;
  /** When the attempt was made. */
  attemptedAt: string | null;
  /** After a failed attempt, when the next one is due. */
  nextAttemptAt: string | null;
  /** `X-Request-Id` of the request that caused the event. */
  requestId: string | null;
  /** What was sent; null for an attempt that was not made. */
  request: WebhookDeliveryRequest | null;
  /** What came back; null when nothing did. The status is `responseStatus`. */
  response: WebhookDeliveryResponse | null;
}

export interface Redeliver {
  /** Id of the delivery: of the one to send again, or of the new attempt. */
  deliveryId: string;
}

export interface MissedKind {
  /** The kind of the events. */
  kind: string;
  /** How many were missed. */
  deliveries: number;
  /** When the first one happened. */
  firstAt: string;
  /** When the last one happened. */
  lastAt: string;
}

export interface Missed {
  /** How many events a replay would send. */
  deliveries: number;
  /** The same by kind of event. */
  kinds: Array<MissedKind>;
}

export interface CreateReplay {
  /** The time since which events were missed. */
  since: string;
  /** Only these kinds of events. Without it, all that the endpoint subscribes to. */
  eventKinds?: Array<
    | 'bank_statement.received'
    | 'bank_statement.redaction_failed'
    | 'bank_statement.redaction_queued'
    | 'bank_statement.redaction_succeeded'
    | 'bank_statement.updated'
    | 'claim.approved'
    | 'claim.corrected'
    | 'claim.final'
    | 'claim.reopened'
    | 'claim.reopening_asked'
    | 'claim.reviewed'
    | 'claim_item.created'
    | 'claim_item.updated'
    | 'claim_project.created'
    | 'claim_project.updated'
    | 'claim_report.cancelled'
    | 'claim_report.failed'
    | 'claim_report.queued'
    | 'claim_report.succeeded'
    | 'expense_category.created'
    | 'expense_category.updated'
    | 'integration.connected'
    | 'organization.updated'
    | 'receipt.created'
    | 'receipt.updated'
    | 'report_configuration.created'
    | 'report_configuration.updated'
    | 'usage.budget_used'
    | 'user.invited'
    | 'webhook.disabled'
    | 'webhook.failing'
    | 'webhook.recovered'
  >;
}

export interface Replay {
  /** How many events are sent, or are taken back. */
  deliveries: number;
}

export interface StopReplays {
  /** Only these kinds of events. Without it, all. */
  eventKinds?: Array<
    | 'bank_statement.received'
    | 'bank_statement.redaction_failed'
    | 'bank_statement.redaction_queued'
    | 'bank_statement.redaction_succeeded'
    | 'bank_statement.updated'
    | 'claim.approved'
    | 'claim.corrected'
    | 'claim.final'
    | 'claim.reopened'
    | 'claim.reopening_asked'
    | 'claim.reviewed'
    | 'claim_item.created'
    | 'claim_item.updated'
    | 'claim_project.created'
    | 'claim_project.updated'
    | 'claim_report.cancelled'
    | 'claim_report.failed'
    | 'claim_report.queued'
    | 'claim_report.succeeded'
    | 'expense_category.created'
    | 'expense_category.updated'
    | 'integration.connected'
    | 'organization.updated'
    | 'receipt.created'
    | 'receipt.updated'
    | 'report_configuration.created'
    | 'report_configuration.updated'
    | 'usage.budget_used'
    | 'user.invited'
    | 'webhook.disabled'
    | 'webhook.failing'
    | 'webhook.recovered'
  >;
}

export interface CreatePing {
  /**
   * The kind whose example is sent, signed like an event of it. Without it, a `webhook.test` without a signature is
   * sent.
   */
  eventKind?:
    | 'bank_statement.received'
    | 'bank_statement.redaction_failed'
    | 'bank_statement.redaction_queued'
    | 'bank_statement.redaction_succeeded'
    | 'bank_statement.updated'
    | 'claim.approved'
    | 'claim.corrected'
    | 'claim.final'
    | 'claim.reopened'
    | 'claim.reopening_asked'
    | 'claim.reviewed'
    | 'claim_item.created'
    | 'claim_item.updated'
    | 'claim_project.created'
    | 'claim_project.updated'
    | 'claim_report.cancelled'
    | 'claim_report.failed'
    | 'claim_report.queued'
    | 'claim_report.succeeded'
    | 'expense_category.created'
    | 'expense_category.updated'
    | 'integration.connected'
    | 'organization.updated'
    | 'receipt.created'
    | 'receipt.updated'
    | 'report_configuration.created'
    | 'report_configuration.updated'
    | 'usage.budget_used'
    | 'user.invited'
    | 'webhook.disabled'
    | 'webhook.failing'
    | 'webhook.recovered';
}

export interface Ping {
  /** What was sent: the kind, or `webhook.test`. */
  eventKind: string;
  /** HTTP status of the response. */
  responseStatus: number | null;
  /** Why the endpoint did not accept it, as in the delivery log; null if it did. */
  errorCode: string | null;
  /** Duration of the request in milliseconds. */
  durationMs: number;
  /** What came back; null when nothing did. */
  response: WebhookDeliveryResponse | null;
}

export type WebhookEvent = ClaimsEvent;

export interface WebhookEventCursor {
  /** Send this as `after`. */
  after: string;
}

export interface WebhookEventPage {
  /** The events, oldest first. */
  data: Array<WebhookEvent>;
  /** Points behind the events that you have seen, also when there were none. Continue from it at any time. */
  nextCursor: WebhookEventCursor;
  /** Whether more events follow. */
  hasMore: boolean;
}

export interface CreateTestEvent {
  /** The kind of the event. */
  kind:
    | 'bank_statement.received'
    | 'bank_statement.redaction_failed'
    | 'bank_statement.redaction_queued'
    | 'bank_statement.redaction_succeeded'
    | 'bank_statement.updated'
    | 'claim.approved'
    | 'claim.corrected'
    | 'claim.final'
    | 'claim.reopened'
    | 'claim.reopening_asked'
    | 'claim.reviewed'
    | 'claim_item.created'
    | 'claim_item.updated'
    | 'claim_project.created'
    | 'claim_project.updated'
    | 'claim_report.cancelled'
    | 'claim_report.failed'
    | 'claim_report.queued'
    | 'claim_report.succeeded'
    | 'expense_category.created'
    | 'expense_category.updated'
    | 'integration.connected'
    | 'organization.updated'
    | 'receipt.created'
    | 'receipt.updated'
    | 'report_configuration.created'
    | 'report_configuration.updated'
    | 'usage.budget_used'
    | 'user.invited'
    | 'webhook.disabled'
    | 'webhook.failing'
    | 'webhook.recovered';
}

export interface TestEvent {
  /** Id of the event: `id` in the feed and in its deliveries. */
  eventId: string;
}

export interface CreateTestOutcome {
  /** The report configuration. */
  reportConfigurationId: string;
  /** What becomes of its next run: it fails, is cancelled, or succeeds if it would otherwise. */
  outcome: 'failed' | 'cancelled' | 'succeeded';
  /** `failure.code` of a run that fails; `null` for another outcome. Without it, a run fails with `internal_error`. */
  failureCode?:
    | 'datev_not_possible'
    | 'file_too_large'
    | 'internal_error'
    | 'invalid_category_filter'
    | 'invalid_output_options'
    | 'invalid_source_mapping'
    | 'missing_account'
    | 'period_too_long'
    | 'receipt_removed'
    | 'receipt_tax_too_large'
    | 'result_too_large'
    | 'rules_too_large'
    | 'statement_content_removed'
    | 'too_many_bookings'
    | 'too_many_decisions'
    | 'too_many_items'
    | 'too_many_lines'
    | 'too_many_patterns'
    | 'too_many_receipts'
    | 'too_many_statements'
    | 'took_too_long'
    | 'took_too_much_memory'
    | 'worker_lost'
    | null;
  /** For how many seconds the run is `running` before that. Default: `0`. */
  takesSeconds?: number;
}

export interface TestOutcome {
  /** The report configuration. */
  reportConfigurationId: string;
  /** What becomes of its next run: it fails, is cancelled, or succeeds if it would otherwise. */
  outcome: 'failed' | 'cancelled' | 'succeeded';
  /** `failure.code` of a run that fails; `null` for another outcome. Without it, a run fails with `internal_error`. */
  failureCode:
    | 'datev_not_possible'
    | 'file_too_large'
    | 'internal_error'
    | 'invalid_category_filter'
    | 'invalid_output_options'
    | 'invalid_source_mapping'
    | 'missing_account'
    | 'period_too_long'
    | 'receipt_removed'
    | 'receipt_tax_too_large'
    | 'result_too_large'
    | 'rules_too_large'
    | 'statement_content_removed'
    | 'too_many_bookings'
    | 'too_many_decisions'
    | 'too_many_items'
    | 'too_many_lines'
    | 'too_many_patterns'
    | 'too_many_receipts'
    | 'too_many_statements'
    | 'took_too_long'
    | 'took_too_much_memory'
    | 'worker_lost'
    | (string & {})
    | null;
  /** For how many seconds the run is `running` before that. */
  takesSeconds: number;
}

export interface CreateTestAnswers {
  /** The problem that the next calls get. `null`: none, they are only delayed. Default: `null`. */
  problem?:
    | 'validation_failed'
    | 'malformed_json'
    | 'idempotency_key_missing'
    | 'idempotency_key_invalid'
    | 'related_record_missing'
    | 'environment_mismatch'
    | 'target_not_allowed'
    | 'ambiguous_credentials'
    | 'credential_missing'
    | 'credential_invalid'
    | 'scope_missing'
    | 'role_required'
    | 'bound_to_projects'
    | 'event_not_allowed'
    | 'plan_required'
    | 'fields_hidden'
    | 'ip_not_allowed'
    | 'organization_suspended'
    | 'organization_moved'
    | 'not_found'
    | 'route_not_found'
    | 'method_not_allowed'
    | 'not_acceptable'
    | 'request_timeout'
    | 'idempotency_conflict'
    | 'already_exists'
    | 'claim_final'
    | 'claim_state'
    | 'wrong_state'
    | 'changed_meanwhile'
    | 'record_in_use'
    | 'limit_exceeded'
    | 'body_too_large'
    | 'unsupported_media_type'
    | 'confirmation_needed'
    | 'rate_limited'
    | 'headers_too_large'
    | 'bad_request'
    | 'internal_error'
    | 'unavailable'
    | 'organization_moving'
    | null;
  /** After how many seconds they get it. Default: `0`. */
  delaySeconds?: number;
  /** How many calls. 0 takes back what is left. Default: `1`. */
  calls?: number;
}

export interface TestAnswers {
  /** The problem that the next calls get. `null`: none, they are only delayed. */
  problem:
    | 'validation_failed'
    | 'malformed_json'
    | 'idempotency_key_missing'
    | 'idempotency_key_invalid'
    | 'related_record_missing'
    | 'environment_mismatch'
    | 'target_not_allowed'
    | 'ambiguous_credentials'
    | 'credential_missing'
    | 'credential_invalid'
    | 'scope_missing'
    | 'role_required'
    | 'bound_to_projects'
    | 'event_not_allowed'
    | 'plan_required'
    | 'fields_hidden'
    | 'ip_not_allowed'
    | 'organization_suspended'
    | 'organization_moved'
    | 'not_found'
    | 'route_not_found'
    | 'method_not_allowed'
    | 'not_acceptable'
    | 'request_timeout'
    | 'idempotency_conflict'
    | 'already_exists'
    | 'claim_final'
    | 'claim_state'
    | 'wrong_state'
    | 'changed_meanwhile'
    | 'record_in_use'
    | 'limit_exceeded'
    | 'body_too_large'
    | 'unsupported_media_type'
    | 'confirmation_needed'
    | 'rate_limited'
    | 'headers_too_large'
    | 'bad_request'
    | 'internal_error'
    | 'unavailable'
    | 'organization_moving'
    | (string & {})
    | null;
  /** After how many seconds they get it. */
  delaySeconds: number;
  /** How many calls. 0 takes back what is left. */
  calls: number;
}

export interface CreateTestReset {
  /** Why, for readers of the audit log. Default: `null`. */
  reason?: string | null;
}

export interface TestReset {
  /** How much was deleted: records, and what belongs to them, such as lines, files and events. */
  deleted: number;
}

export interface ApiCatalogOperation {
  /** Operation id in the OpenAPI document. */
  id: string;
  /** HTTP method. */
  method: string;
  /** Path of the operation. */
  path: string;
  /** Required scope; null: none. */
  scope: string | null;
  /**
   * The least role of a person, also of one for whom an application acts; null: any. API keys and client
   * credentials have no role. An addition.
   */
  role: 'owner' | 'admin' | 'member' | null;
  /** Required plan; null: any. */
  plan: 'starter' | 'growth' | 'enterprise' | (string & {}) | null;
  /** Name of the tool in the MCP server; null: none. */
  tool: string | null;
}

export interface ApiCatalogCapability {
  /** The capability: the first part of a scope, or `api` for operations without one. */
  capability: string;
  /** Operations of the capability. */
  operations: Array<ApiCatalogOperation>;
}

export interface ApiCatalogEvent {
  /** Kind of event. */
  kind: string;
  /** `emitted`; `planned`: reserved, not sent yet; `test`: sent only to test an endpoint. */
  status: 'emitted' | 'planned' | 'test';
  /** The scope that its record takes: without it the event is not given. An addition. */
  scope: string | null;
  /** The least role of a person who is given it; null: any. An addition. */
  role: 'owner' | 'admin' | 'member' | null;
}

export interface ApiCatalogDocumentation {
  /** URL of the OpenAPI document. */
  openapi: string;
  /** URL of the AsyncAPI document, which describes the events. */
  asyncapi: string;
  /** URL of Swagger UI. */
  swagger: string;
}

export interface ApiCatalog {
  /** Name of the API. */
  name: string;
  /** Version of the API documents. */
  version: string;
  /** API version in the paths. */
  apiVersion: string;
  /** All operations by capability. */
  capabilities: Array<ApiCatalogCapability>;
  /** All kinds of events. */
  events: Array<ApiCatalogEvent>;
  /** Where the API is documented. */
  documentation: ApiCatalogDocumentation;
}

export interface AuthContextCredential {
  /** Kind of credential. */
  type: 'api_key' | 'oauth';
  /** Id of the credential. */
  id: string;
  /** Name of the credential. */
  name: string;
  /** First characters of the API key; null for an access token. */
  prefix: string | null;
  /** The environment whose records the credential can access. */
  environment: 'test' | 'live';
  /** Scopes of the credential that are in force. */
  scopes: Array<string>;
  /** When the credential expires; null: never. */
  expiresAt: string | null;
  /** Addresses and CIDRs that the credential may be used from; empty: any. */
  ipAllowlist: Array<string>;
  /** The only claim projects whose records the credential reaches; null: all. An addition. */
  projectIds: Array<string> | null;
}

export interface AuthContextOrganization {
  /** Id of the organization. */
  id: string;
  /** Name of the organization. */
  name: string;
  /** Short name of the organization. */
  slug: string;
  /** Plan of the organization. */
  plan: 'starter' | 'growth' | 'enterprise' | (string & {});
  /** The plan that `plan` of an operation is compared with. Another one than `plan` if that is of the operator. */
  standardPlan: 'starter' | 'growth' | 'enterprise' | (string & {});
}

export interface AuthContextApplication {
  /** Id of the application. */
  id: string;
  /** Name of the application. */
  name: string;
}

export interface AuthContextUser {
  /** Id of the user. */
  id: string;
  /** Name of the user. */
  name: string;
  /** The role of the user now. `scopes` has none that it does not allow. An addition. */
  role: 'owner' | 'admin' | 'member';
}

export interface AuthContext {
  /** The credential of this request. */
  credential: AuthContextCredential;
  /** The organization of the credential. */
  organization: AuthContextOrganization;
  /** The partner application of an access token; null for an API key. */
  application: AuthContextApplication | null;
  /** The user who granted access to the application, if any. */
  user: AuthContextUser | null;
  /** The rate limit and its current state. */
  rateLimit: RateLimitState;
}

export interface AnsweredRequest {
  /** Id of the record. Ids are ordered by time: newer records have greater ids. */
  id: string;
  /** The environment that the record belongs to. */
  environment: 'test' | 'live';
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** When it was answered. */
  answeredAt: string;
  /** The operation. */
  operation: string;
  /** The HTTP method of the operation. */
  method: string;
  /** The path, without the query. */
  path: string;
  /** The HTTP status of the answer. */
  status: number;
  /** The code of the problem; null if the call succeeded. */
  problem: string | null;
  /** The page of the problem: its `type`. */
  problemUrl: string | null;
  /** How long the answer took, in milliseconds. */
  durationMs: number;
  /** `X-Request-Id`, which the caller may have chosen. */
  requestId: string;
  /** Id of the credential. */
  credentialId: string;
  /** Its name at that time. */
  credentialName: string;
  /** What the client of a tool calls itself, if it does; null of other calls. */
  client: string | null;
  /** IP address of the caller. */
  ipAddress: string;
}

export interface AnsweredRequestCursor {
  /** Send this as `before`. */
  before: string;
}

export interface AnsweredRequestPage {
  /** The calls, newest first. */
  data: Array<AnsweredRequest>;
  /** Leads to older calls; null if there are none. */
  nextCursor: AnsweredRequestCursor | null;
  /**
   * Whether to read on. A filter looks at 100000 calls at a time: an answer may have few, or none, although more
   * follow.
   */
  hasMore: boolean;
  /**
   * Which calls the service keeps now: none (`off`), those that failed (`errors`), these and one in 100 of the
   * others (`sampled`), or `all`. What is not here may have been answered all the same.
   */
  kept: 'off' | 'errors' | 'sampled' | 'all';
}

export interface UsageBudget {
  /** The API key or the application. */
  id: string;
  /** Its name. */
  name: string;
  /** The environment whose requests were counted. */
  environment: 'test' | 'live';
  /** How many calls it can make on a day. */
  budget: number;
  /** How many it has made, without those that were refused by a limit. */
  calls: number;
  /** The day (UTC). */
  day: string;
}

export interface User {
  /** Id of the user. */
  id: string;
  /** E-mail address as it was entered. */
  email: string;
  /** Name of the user. */
  name: string;
  /** What the user may do in the organization. */
  role: 'owner' | 'admin' | 'member';
  /** An invited user has not set a password yet. A removed user no longer has access. */
  status: 'active' | 'invited' | 'removed';
  /** When the user was created. */
  createdAt: string;
  /** When the user was last changed. */
  updatedAt: string;
}

export interface WebhookHealth {
  /** Id of the endpoint. */
  id: string;
  /** Environment whose events are delivered to it. */
  environment: 'test' | 'live';
  /** Name of the endpoint. */
  name: string;
  /** Host of its URL. */
  host: string;
  /** Whether it is disabled. */
  status: 'active' | 'disabled';
  /** Why it is disabled. */
  disabledReason: 'manual' | 'failing' | 'gone' | null;
  /** Since when no delivery has succeeded, or had until it recovered. */
  failingSince: string | null;
  /** When it was disabled, or will be if no delivery succeeds until then. */
  disabledAt: string | null;
}

export interface WebhookTest {
  /** The endpoint that is tested. */
  webhookId: string;
}

export interface BankStatementFile {
  /** The file, of at most 20 MiB. */
  file: Blob;
  /** The claim project that the statement belongs to; `null` for none. */
  projectId?: string | null;
  /** The number of the account. It is masked. */
  account?: string | null;
  /** First day of the statement. Given with its last day. */
  periodStart?: string | null;
  /** Last day of the statement. */
  periodEnd?: string | null;
  /** What the statement is called; the name of the file unless said. */
  fileName?: string;
  /** The currency of lines that name none. */
  currency?: string;
  /** Whether amounts without a sign are money out, as cards write charges. Default: `false`. */
  isInverted?: boolean;
  /** The name of the layout by which its table is read. */
  layout?: string;
}

export interface ReceiptFile {
  /** The file, of at most 10 MiB. */
  file: Blob;
  /** The claim project that it belongs to; or its line or item, which have one. */
  projectId?: string | null;
  /** The claim line that it is for. It stays with the booking in later runs. */
  claimLineId?: string | null;
  /** The claim item that it is for. */
  claimItemId?: string | null;
  /**
   * The tax that it states, in the currency of its line or item. Reports have it instead of a percentage. Default:
   * `null`.
   */
  taxAmount?: string | null;
  /** A note for colleagues. No file shows it. Default: `null`. */
  note?: string | null;
  /** The name of the file, if it is another than the one it is sent with. */
  fileName?: string;
}

export interface BankStatementReceivedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'bank_statement.received';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: BankStatement;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'bank_statement';
    /** GET this path to read it. */
    path: string;
  };
}

export interface BankStatementRedactionFailedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'bank_statement.redaction_failed';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: BankStatement;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'bank_statement';
    /** GET this path to read it. */
    path: string;
  };
}

export interface BankStatementRedactionQueuedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'bank_statement.redaction_queued';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** Not defined yet, since the kind is only planned. */
  data: Record<string, unknown>;
}

export interface BankStatementRedactionSucceededEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'bank_statement.redaction_succeeded';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: BankStatement;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'bank_statement';
    /** GET this path to read it. */
    path: string;
  };
}

export interface BankStatementUpdatedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'bank_statement.updated';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: BankStatement;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'bank_statement';
    /** GET this path to read it. */
    path: string;
  };
  /** The fields of `data` that have changed. */
  changedFields: Array<string>;
}

export interface ClaimApprovedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'claim.approved';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ClaimClosing;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'claim';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ClaimCorrectedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'claim.corrected';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ClaimClosing;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'claim';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ClaimFinalEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'claim.final';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ClaimClosing;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'claim';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ClaimReopenedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'claim.reopened';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ClaimClosing;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'claim';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ClaimReopeningAskedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'claim.reopening_asked';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ClaimClosing;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'claim';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ClaimReviewedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'claim.reviewed';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ClaimClosing;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'claim';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ClaimItemCreatedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'claim_item.created';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ClaimItem;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'claim_item';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ClaimItemUpdatedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'claim_item.updated';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ClaimItem;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'claim_item';
    /** GET this path to read it. */
    path: string;
  };
  /** The fields of `data` that have changed. */
  changedFields: Array<string>;
}

export interface ClaimProjectCreatedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'claim_project.created';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ClaimProject;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'claim_project';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ClaimProjectUpdatedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'claim_project.updated';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ClaimProject;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'claim_project';
    /** GET this path to read it. */
    path: string;
  };
  /** The fields of `data` that have changed. */
  changedFields: Array<string>;
}

export interface ClaimReportCancelledEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'claim_report.cancelled';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ClaimReport;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'claim_report';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ClaimReportFailedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'claim_report.failed';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ClaimReport;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'claim_report';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ClaimReportQueuedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'claim_report.queued';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ClaimReport;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'claim_report';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ClaimReportSucceededEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'claim_report.succeeded';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ClaimReport;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'claim_report';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ExpenseCategoryCreatedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'expense_category.created';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ExpenseCategory;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'expense_category';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ExpenseCategoryUpdatedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'expense_category.updated';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ExpenseCategory;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'expense_category';
    /** GET this path to read it. */
    path: string;
  };
  /** The fields of `data` that have changed. */
  changedFields: Array<string>;
}

export interface IntegrationConnectedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'integration.connected';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** Not defined yet, since the kind is only planned. */
  data: Record<string, unknown>;
}

export interface OrganizationUpdatedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'organization.updated';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data: Organization;
  /** The fields of `data` that have changed. */
  changedFields: Array<string>;
}

export interface ReceiptCreatedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'receipt.created';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: Receipt;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'receipt';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ReceiptUpdatedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'receipt.updated';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: Receipt;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'receipt';
    /** GET this path to read it. */
    path: string;
  };
  /** The fields of `data` that have changed. */
  changedFields: Array<string>;
}

export interface ReportConfigurationCreatedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'report_configuration.created';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ReportConfiguration;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'report_configuration';
    /** GET this path to read it. */
    path: string;
  };
}

export interface ReportConfigurationUpdatedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'report_configuration.updated';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data?: ReportConfiguration;
  /** Instead of `data` if that is larger than 256 KiB: where the record is. */
  record?: {
    /** Its id. */
    id: string;
    /** Its type. */
    type: 'report_configuration';
    /** GET this path to read it. */
    path: string;
  };
  /** The fields of `data` that have changed. */
  changedFields: Array<string>;
}

export interface UsageBudgetUsedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'usage.budget_used';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data: UsageBudget;
}

export interface UserInvitedEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'user.invited';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data: User;
}

export interface WebhookDisabledEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'webhook.disabled';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data: WebhookHealth;
}

export interface WebhookFailingEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'webhook.failing';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data: WebhookHealth;
}

export interface WebhookRecoveredEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'webhook.recovered';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data: WebhookHealth;
}

export interface WebhookTestEvent {
  /** Id of the event, the same as `webhook-id`. */
  id: string;
  /** The kind of event. */
  type: 'webhook.test';
  /** When the event happened. */
  timestamp: string;
  /** The API version of the record in `data`. */
  apiVersion: 'v1';
  /** The environment of the event. */
  environment: 'test' | 'live';
  /** The organization of the event. */
  organizationId: string;
  /** What the event is about. A record is as the API returns it. */
  data: WebhookTest;
}

/** A condition on a field of a line. */
export type SourceMappingCondition =
  | {
      /** The field of the line. */
      field: 'description' | 'counterparty' | 'account' | 'reference';
      /** How to compare it. */
      op: 'is' | 'isNot' | 'contains' | 'startsWith' | 'endsWith';
      /** What to compare it with. */
      value: string;
    }
  | {
      /** The field of the line. */
      field: 'description' | 'counterparty' | 'account' | 'reference';
      /** How to compare it. */
      op: 'oneOf';
      /** What to compare it with. */
      value: Array<string>;
    }
  | {
      /** The field of the line. */
      field: 'description' | 'counterparty' | 'account' | 'reference';
      /** How to compare it. */
      op: 'matches';
      /** A pattern in RE2 syntax that may match anywhere in the field. */
      value: string;
    }
  | {
      /** The field of the line. */
      field: 'amount';
      /** How to compare it. */
      op: 'is' | 'isNot' | 'gte' | 'lte';
      /** What to compare it with. */
      value: string | number;
    }
  | {
      /** The field of the line. */
      field: 'amount';
      /** How to compare it. */
      op: 'oneOf';
      /** What to compare it with. */
      value: Array<string | number>;
    }
  | {
      /** The field of the line. */
      field: 'amount';
      /** How to compare it. */
      op: 'between';
      /** What to compare it with. */
      value: Array<string | number>;
    }
  | {
      /** The field of the line. */
      field: 'direction';
      /** How to compare it. */
      op: 'is' | 'isNot';
      /** What to compare it with. */
      value: 'in' | 'out';
    }
  | {
      /** The field of the line. */
      field: 'direction';
      /** How to compare it. */
      op: 'oneOf';
      /** What to compare it with. */
      value: Array<'in' | 'out'>;
    }
  | {
      /** The field of the line. */
      field: 'currency';
      /** How to compare it. */
      op: 'is' | 'isNot';
      /** What to compare it with. */
      value: string;
    }
  | {
      /** The field of the line. */
      field: 'currency';
      /** How to compare it. */
      op: 'oneOf';
      /** What to compare it with. */
      value: Array<string>;
    }
  | {
      /** The field of the line. */
      field: 'date';
      /** How to compare it. */
      op: 'is' | 'isNot' | 'gte' | 'lte';
      /** What to compare it with. */
      value: string;
    }
  | {
      /** The field of the line. */
      field: 'date';
      /** How to compare it. */
      op: 'oneOf';
      /** What to compare it with. */
      value: Array<string>;
    }
  | {
      /** The field of the line. */
      field: 'date';
      /** How to compare it. */
      op: 'between';
      /** What to compare it with. */
      value: Array<string>;
    };

export interface SourceMappingRule {
  /** Your name for the rule. */
  id?: string;
  /** How much of a line can be claimed; by default all of it. Default: `100`. */
  claimablePercent?: number | string;
  /** Tax that the claim contains; `null`: not stated. */
  taxPercent?: number | string | null;
  /** All of these must hold. Default: `[]`. */
  all?: Array<SourceMappingCondition>;
  /** At least one of these must hold, if there are any. Default: `[]`. */
  any?: Array<SourceMappingCondition>;
  /** None of these must hold. Default: `[]`. */
  none?: Array<SourceMappingCondition>;
}

/** Which lines belong to the category. Keys of your own are kept and ignored, unless they look like one of ours. */
export interface SourceMapping {
  /** A line belongs to the category if one of its rules holds. Default: `[]`. */
  rules?: Array<SourceMappingRule>;
  /** Of several categories that would claim a line, the highest wins. Default: `0`. */
  priority?: number;
  /** Its lines need a receipt: reports warn of those without one. An addition. */
  receipt?: {
    /** The least amount of such a line, in the currency of the report. */
    from: string;
  };
  /** Account of the bookings in the `journal` and `datev` files. */
  account?: string | number | null;
  /** Contra account of these bookings. */
  contraAccount?: string | number | null;
  /** Tax key of these bookings; `null` for none. */
  taxKey?: string | number | null;
  [key: string]: unknown;
}

/** Which categories the report has. Keys of your own are kept and ignored, unless they look like one of ours. */
export interface CategoryFilter {
  /** Codes; `*` matches any characters. By default all. */
  include?: Array<string>;
  /** Codes; `*` matches any characters. Default: `[]`. */
  exclude?: Array<string>;
  /** Statuses of categories. Default: `["active"]`. */
  status?: Array<'active' | 'archived'>;
  [key: string]: unknown;
}

export interface OutputOptionsForm {
  /** What it is called. */
  name: string;
  /** Which edition of the form this is. */
  edition: string;
  /** Who publishes it, and where. */
  source: string;
  /** Currency of its amounts; `null`: that of the report. */
  currency?: string | null;
  /** How each line is rounded; `null`: to the unit of the currency. */
  rounding?: {
    /** The unit of amounts. */
    to: '0.01' | '1';
    /** `down` never claims more than there is; `half_up` is what is nearest. */
    mode: 'down' | 'half_up' | 'up';
  } | null;
  /** The rates that it asks for. */
  rates?: 'ecb_average';
  /** The line that has what is claimed. */
  total: string;
  /** Its sections. */
  sections: Array<{
    /** Its heading. */
    title: string;
    /** Its lines, in the order of the form. */
    lines: Array<{
      /** Its name within the form. */
      id: string;
      /** What the form calls it, such as `A.1`. */
      number?: string | null;
      /** Its words in the form. */
      label: string;
      /**
       * `entry`: the claimant states it. `report`: it knows. `categories`: their claims. `sum`, `share`: of earlier
       * lines.
       */
      from: 'entry' | 'report' | 'categories' | 'sum' | 'share';
      /** What an entry is. Default: `text`. */
      is?: 'text' | 'digits' | 'date' | 'percent' | 'amount';
      /** How many digits an entry of `digits` has. */
      digits?: number | null;
      /** Whether the report warns if the entry is missing. Default: `false`. */
      required?: boolean;
      /** What the report knows. */
      fact?: 'organization' | 'project' | 'client_reference' | 'period_start' | 'period_end' | 'currency';
      /** Earlier lines that are added. Default: `[]`. */
      of?: Array<string>;
      /** Earlier lines that are taken off. Default: `[]`. */
      less?: Array<string>;
      /** The share: a flat rate. */
      percent?: unknown;
      /** The cap of its amount. */
      atMost?: unknown;
      /** What has to be at hand for it. */
      evidence?: string | null;
    }>;
  }>;
}

/**
 * What the report and its files contain. Keys of your own are kept and ignored, unless they look like one of
 * ours.
 */
export interface OutputOptions {
  /** The files to make. Default: `["json"]`. */
  formats?: Array<'json' | 'csv' | 'xlsx' | 'pdf' | 'journal' | 'datev' | 'form' | 'evidence'>;
  /** How tables are grouped. Default: `["category","month"]`. */
  groupBy?: Array<'category' | 'month'>;
  /** Currency of the report; `null`: the currency of most lines. */
  currency?: string | null;
  /** Whether lines without a category are shown. Default: `true`. */
  includeUncategorised?: boolean;
  /** Whether each line is shown. Default: `none`. */
  detail?: 'none' | 'lines';
  /**
   * Language tag of PDF and workbook: English, German, French, Spanish or Dutch; else English, with numbers as the
   * tag says. Default: `en`.
   */
  locale?: string;
  /** Paper of PDF and workbook; `null`: `letter` for `en-US`, else `a4`. */
  paperSize?: 'a4' | 'letter' | null;
  /** For the header of the `datev` file, which needs it. */
  datev?: {
    /** Beraternummer. */
    consultantNumber: number;
    /** Mandantennummer. */
    clientNumber: number;
    /** First day of the fiscal year (WJ-Beginn). */
    fiscalYearStart: string;
    /** Digits of a general ledger account (Sachkontenlänge). Default: `4`. */
    accountLength?: number;
  };
  /** Rates for lines in other currencies: `ecb`, `ecb_average`, or a table. */
  rates?:
    | null
    | 'ecb'
    | 'ecb_average'
    | {
        /** Where the rates are from. Files print it. */
        source: string;
        /** Rates by month or day. */
        table: Array<{
          /** Currency that is converted. */
          currency: string;
          /** Month of the rate; or `day`. */
          month?: string | null;
          /** Day of the rate; or `month`. */
          day?: string | null;
          /** What one unit is worth in the currency of the report. */
          rate: string | number;
        }>;
      };
  /** The form in which the claim is sent. */
  form?: {
    /** The name of a form, or a form of your own. */
    definition: 'de_reisekosten' | 'eu_financial_statement' | 'uk_rd_additional_information' | OutputOptionsForm;
    /** What the claimant states, by the ids of lines. Default: `{}`. */
    entries?: Record<string, string>;
    /** By the code of a category, the line on which its claim stands. Default: `{}`. */
    lines?: Record<string, string>;
  } | null;
  [key: string]: unknown;
}

export interface ClaimProjectsListQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page. An answer of more than 8 MiB is refused with 400: ask for fewer. */
  page_size?: number;
  /**
   * Only records older than the one with this id. With the id of the last record that you have, the next page
   * begins after it, whatever was made or changed meanwhile; `total` counts those that follow. An addition.
   */
  before?: string;
  /**
   * Only records that were made or changed at this time or later. Changes that are being written may have an
   * earlier time: begin a minute before your last answer. An addition.
   */
  changed_since?: string;
  /** Case-insensitive substring of the name or client reference. */
  search?: string;
  /** Only projects with exactly this client reference. An addition. */
  client_reference?: string;
  /** Only projects with this status. */
  status?: 'draft' | 'active' | 'archived';
}

export interface ExpenseCategoriesListQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page. An answer of more than 8 MiB is refused with 400: ask for fewer. */
  page_size?: number;
  /**
   * Only records older than the one with this id. With the id of the last record that you have, the next page
   * begins after it, whatever was made or changed meanwhile; `total` counts those that follow. An addition.
   */
  before?: string;
  /**
   * Only records that were made or changed at this time or later. Changes that are being written may have an
   * earlier time: begin a minute before your last answer. An addition.
   */
  changed_since?: string;
  /** Case-insensitive substring of the code or name. */
  search?: string;
  /** Only categories of this claim project. */
  project_id?: string;
  /** Only categories with this status. */
  status?: 'active' | 'archived';
}

export interface ReportConfigurationsListQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page. An answer of more than 8 MiB is refused with 400: ask for fewer. */
  page_size?: number;
  /**
   * Only records older than the one with this id. With the id of the last record that you have, the next page
   * begins after it, whatever was made or changed meanwhile; `total` counts those that follow. An addition.
   */
  before?: string;
  /**
   * Only records that were made or changed at this time or later. Changes that are being written may have an
   * earlier time: begin a minute before your last answer. An addition.
   */
  changed_since?: string;
  /** Case-insensitive substring of the name. */
  search?: string;
  /** Only configurations of this claim project. */
  project_id?: string;
  /** Only configurations with this status. */
  status?: 'draft' | 'ready' | 'archived';
}

export interface BankStatementsListQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page. An answer of more than 8 MiB is refused with 400: ask for fewer. */
  page_size?: number;
  /**
   * Only records older than the one with this id. With the id of the last record that you have, the next page
   * begins after it, whatever was made or changed meanwhile; `total` counts those that follow. An addition.
   */
  before?: string;
  /**
   * Only records that were made or changed at this time or later. Changes that are being written may have an
   * earlier time: begin a minute before your last answer. An addition.
   */
  changed_since?: string;
  /** Case-insensitive substring of the file name or of the account. */
  search?: string;
  /** Only statements of this claim project. */
  project_id?: string;
  /** Only statements with this redaction status. */
  redaction_status?: 'pending' | 'queued' | 'running' | 'succeeded' | 'failed' | 'skipped';
  /** Only statements that were read with this certainty. An addition. */
  certainty?: 'proven' | 'plausible' | 'doubtful';
}

export interface StatementLayoutsListQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page. An answer of more than 8 MiB is refused with 400: ask for fewer. */
  page_size?: number;
  /**
   * Only records older than the one with this id. With the id of the last record that you have, the next page
   * begins after it, whatever was made or changed meanwhile; `total` counts those that follow. An addition.
   */
  before?: string;
  /**
   * Only records that were made or changed at this time or later. Changes that are being written may have an
   * earlier time: begin a minute before your last answer. An addition.
   */
  changed_since?: string;
}

export interface UploadLinksListQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page. An answer of more than 8 MiB is refused with 400: ask for fewer. */
  page_size?: number;
  /**
   * Only records older than the one with this id. With the id of the last record that you have, the next page
   * begins after it, whatever was made or changed meanwhile; `total` counts those that follow. An addition.
   */
  before?: string;
  /**
   * Only records that were made or changed at this time or later. Changes that are being written may have an
   * earlier time: begin a minute before your last answer. An addition.
   */
  changed_since?: string;
}

export interface ClaimItemsListQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page. An answer of more than 8 MiB is refused with 400: ask for fewer. */
  page_size?: number;
  /**
   * Only records older than the one with this id. With the id of the last record that you have, the next page
   * begins after it, whatever was made or changed meanwhile; `total` counts those that follow. An addition.
   */
  before?: string;
  /**
   * Only records that were made or changed at this time or later. Changes that are being written may have an
   * earlier time: begin a minute before your last answer. An addition.
   */
  changed_since?: string;
  /** Case-insensitive substring of the name. */
  search?: string;
  /** Only items of this claim project. */
  project_id?: string;
  /** Only items of this expense category. */
  category_id?: string;
  /** Only items with this status. */
  status?: 'active' | 'withdrawn';
}

export interface ClaimReportsListQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page. An answer of more than 8 MiB is refused with 400: ask for fewer. */
  page_size?: number;
  /**
   * Only records older than the one with this id. With the id of the last record that you have, the next page
   * begins after it, whatever was made or changed meanwhile; `total` counts those that follow. An addition.
   */
  before?: string;
  /**
   * Only records that were made or changed at this time or later. Changes that are being written may have an
   * earlier time: begin a minute before your last answer. An addition.
   */
  changed_since?: string;
  /** Only runs that were queued with this claim project. */
  project_id?: string;
  /** Only runs that were queued with this report configuration. */
  report_configuration_id?: string;
  /** Only runs with this status. */
  status?: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
}

export interface ClaimClosingsListQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page. An answer of more than 8 MiB is refused with 400: ask for fewer. */
  page_size?: number;
  /**
   * Only records older than the one with this id. With the id of the last record that you have, the next page
   * begins after it, whatever was made or changed meanwhile; `total` counts those that follow. An addition.
   */
  before?: string;
  /** Only steps of this claim report run. */
  report_id?: string;
  /** Only steps of this claim project. */
  project_id?: string;
  /** Only steps to this state. */
  state?: 'reviewed' | 'approved' | 'final' | 'reopening' | 'reopened';
}

export interface ClaimLinesListQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page. An answer of more than 8 MiB is refused with 400: ask for fewer. */
  page_size?: number;
  /**
   * Only records older than the one with this id. With the id of the last record that you have, the next page
   * begins after it, whatever was made or changed meanwhile; `total` counts those that follow. An addition.
   */
  before?: string;
  /** Only lines of which the run made this. */
  outcome?: 'claimed' | 'uncategorised' | 'not_claimed' | 'split';
  /** Only lines that this category claims. */
  category_id?: string;
  /** Only lines of this bank statement. */
  statement_id?: string;
  /** Only lines that somebody has decided, or only the others. */
  decided?: boolean;
  /** Only lines of this very amount. */
  amount?: string;
  /** Only lines with this very counterparty, as lines name it. */
  counterparty?: string;
}

export interface ReceiptsListQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page. An answer of more than 8 MiB is refused with 400: ask for fewer. */
  page_size?: number;
  /**
   * Only records older than the one with this id. With the id of the last record that you have, the next page
   * begins after it, whatever was made or changed meanwhile; `total` counts those that follow. An addition.
   */
  before?: string;
  /**
   * Only records that were made or changed at this time or later. Changes that are being written may have an
   * earlier time: begin a minute before your last answer. An addition.
   */
  changed_since?: string;
  /** Only receipts of this claim project. */
  project_id?: string;
  /** Only receipts of the booking of this claim line. */
  claim_line_id?: string;
  /** Only receipts of this claim item. */
  claim_item_id?: string;
  /** Only receipts with this status. */
  status?: 'active' | 'withdrawn';
}

export interface AuditListQuery {
  /** Only events added to the log at this time or later. */
  since?: string;
  /** Only events added to the log before this time. */
  until?: string;
  /** Only events whose action starts with this text, such as `claim_project.` or `api_key.revoked`. */
  action_prefix?: string;
  /**
   * Only events of this type of actor: people (`user`), the service and its operators (`system`) or programs
   * (`api`).
   */
  actor_type?: 'user' | 'system' | 'api';
  /** Maximum number of events. An answer of more than 8 MiB is refused with 400: ask for fewer. */
  limit?: number;
  /** `cursorCreatedAt` of the last `nextCursor`. Send it together with `cursor_id`. */
  cursor_created_at?: string;
  /** `cursorId` of the last `nextCursor`. Send it together with `cursor_created_at`. */
  cursor_id?: string;
}

export interface AuditGetConsistencyQuery {
  /** The size of an earlier checkpoint. */
  from?: number;
}

export interface WebhooksListDeliveriesQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page. An answer of more than 8 MiB is refused with 400: ask for fewer. */
  page_size?: number;
  /**
   * Only records older than the one with this id. With the id of the last record that you have, the next page
   * begins after it, whatever was made or changed meanwhile; `total` counts those that follow. An addition.
   */
  before?: string;
  /** Only deliveries with this status. */
  status?: 'pending' | 'delivered' | 'failed';
  /** Only deliveries of events of this kind. */
  event_kind?:
    | 'bank_statement.received'
    | 'bank_statement.redaction_failed'
    | 'bank_statement.redaction_queued'
    | 'bank_statement.redaction_succeeded'
    | 'bank_statement.updated'
    | 'claim.approved'
    | 'claim.corrected'
    | 'claim.final'
    | 'claim.reopened'
    | 'claim.reopening_asked'
    | 'claim.reviewed'
    | 'claim_item.created'
    | 'claim_item.updated'
    | 'claim_project.created'
    | 'claim_project.updated'
    | 'claim_report.cancelled'
    | 'claim_report.failed'
    | 'claim_report.queued'
    | 'claim_report.succeeded'
    | 'expense_category.created'
    | 'expense_category.updated'
    | 'integration.connected'
    | 'organization.updated'
    | 'receipt.created'
    | 'receipt.updated'
    | 'report_configuration.created'
    | 'report_configuration.updated'
    | 'usage.budget_used'
    | 'user.invited'
    | 'webhook.disabled'
    | 'webhook.failing'
    | 'webhook.recovered';
  /** Only deliveries of this event. */
  event_id?: string;
  /** Only attempts added to the log at this time or later. */
  since?: string;
  /** Only attempts added to the log before this time. */
  until?: string;
}

export interface WebhooksGetMissedQuery {
  /** The time since which events were missed. Without it, all that are kept. */
  since?: string;
}

export interface WebhooksListEventsQuery {
  /**
   * `after` of the last `nextCursor`, or the id of any event: only events that follow it. Omitted: no events, only
   * the cursor for those from now on. `00000000-0000-0000-0000-000000000000` begins with the oldest event that is
   * kept (30 days).
   */
  after?: string;
  /** Only events of this kind. Refused if the credential may not read their records. */
  kind?:
    | 'bank_statement.received'
    | 'bank_statement.redaction_failed'
    | 'bank_statement.redaction_queued'
    | 'bank_statement.redaction_succeeded'
    | 'bank_statement.updated'
    | 'claim.approved'
    | 'claim.corrected'
    | 'claim.final'
    | 'claim.reopened'
    | 'claim.reopening_asked'
    | 'claim.reviewed'
    | 'claim_item.created'
    | 'claim_item.updated'
    | 'claim_project.created'
    | 'claim_project.updated'
    | 'claim_report.cancelled'
    | 'claim_report.failed'
    | 'claim_report.queued'
    | 'claim_report.succeeded'
    | 'expense_category.created'
    | 'expense_category.updated'
    | 'integration.connected'
    | 'organization.updated'
    | 'receipt.created'
    | 'receipt.updated'
    | 'report_configuration.created'
    | 'report_configuration.updated'
    | 'usage.budget_used'
    | 'user.invited'
    | 'webhook.disabled'
    | 'webhook.failing'
    | 'webhook.recovered';
  /**
   * Maximum number of events. There may be fewer although `hasMore` is true, because an answer has at most 8 MiB.
   * For a credential that is bound to projects, even none.
   */
  limit?: number;
}

export interface RequestsListQuery {
  /** Only calls with this `X-Request-Id`. */
  request_id?: string;
  /** Only calls that failed, or only the others. */
  failed?: boolean;
  /** Only calls of this operation, by its id. */
  operation?: string;
  /** Only calls with this credential: `credential.id` in `GET /v1/auth/context`. */
  credential_id?: string;
  /** Only calls answered at this time or later. */
  since?: string;
  /** Only calls answered before this time. */
  until?: string;
  /** Maximum number of calls. */
  limit?: number;
  /** `before` of the last `nextCursor`: only calls before it. */
  before?: string;
}

/** An event that we deliver. `type` tells which; later versions may send others, so a `switch` needs a default. */
export type ClaimsEvent =
  | BankStatementReceivedEvent
  | BankStatementRedactionFailedEvent
  | BankStatementRedactionQueuedEvent
  | BankStatementRedactionSucceededEvent
  | BankStatementUpdatedEvent
  | ClaimApprovedEvent
  | ClaimCorrectedEvent
  | ClaimFinalEvent
  | ClaimReopenedEvent
  | ClaimReopeningAskedEvent
  | ClaimReviewedEvent
  | ClaimItemCreatedEvent
  | ClaimItemUpdatedEvent
  | ClaimProjectCreatedEvent
  | ClaimProjectUpdatedEvent
  | ClaimReportCancelledEvent
  | ClaimReportFailedEvent
  | ClaimReportQueuedEvent
  | ClaimReportSucceededEvent
  | ExpenseCategoryCreatedEvent
  | ExpenseCategoryUpdatedEvent
  | IntegrationConnectedEvent
  | OrganizationUpdatedEvent
  | ReceiptCreatedEvent
  | ReceiptUpdatedEvent
  | ReportConfigurationCreatedEvent
  | ReportConfigurationUpdatedEvent
  | UsageBudgetUsedEvent
  | UserInvitedEvent
  | WebhookDisabledEvent
  | WebhookFailingEvent
  | WebhookRecoveredEvent
  | WebhookTestEvent;
export type EventType = ClaimsEvent['type'];
