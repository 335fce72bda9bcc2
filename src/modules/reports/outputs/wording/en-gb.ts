import { counted, type Formats, linePairs, monthList, type Words } from './words.js';

const lines = (f: Formats, count: number) => counted(f, count, 'line', 'lines');

/** British English. Every other language says the same. */
export const ENGLISH: Words = {
  title: 'Claim report',
  page: (page, count) => `Page ${page} of ${count}`,
  fields: {
    organization: 'Organisation',
    project: 'Project',
    clientReference: 'Client reference',
    configuration: 'Report',
    period: 'Period',
    currency: 'Currency',
    date: 'Date of the run',
    run: 'Run',
    hash: 'SHA-256 of all inputs',
    engine: 'Engine version',
  },
  period: (start, end) => `${start} to ${end}`,
  sections: {
    summary: 'Summary',
    categories: 'Claim by category and month',
    items: 'Claimed items',
    statements: 'Statements and accounts',
    calendar: 'Evidence calendar',
    exceptions: 'Exceptions',
    method: 'Method and rounding',
    signOff: 'Sign-off',
  },
  columns: {
    category: 'Category',
    month: 'Month',
    items: 'Items',
    expenses: 'Expenses',
    refunds: 'Refunds',
    net: 'Net',
    claim: 'Claim',
    item: 'Item',
    line: 'Line',
    outcome: 'In the report',
    evidence: 'Evidence',
    date: 'Date',
    counterparty: 'Counterparty',
    details: 'Details',
    amount: 'Amount',
    share: 'Share',
    taxRate: 'Tax rate',
    tax: 'Tax in claim',
    withoutTax: 'Claim without tax',
    currency: 'Currency',
    rate: 'Rate',
    rateFor: 'Rate for',
    original: 'Original amount',
    converted: 'Converted',
    reference: 'Ref.',
    file: 'File',
    account: 'Account',
    period: 'Period',
    opening: 'Opening balance',
    closing: 'Closing balance',
    read: 'Lines',
    used: 'Used',
    repeated: 'Repeated',
    coverage: 'Coverage',
    statements: 'Statements',
    year: 'Year',
    control: 'Control',
    expected: 'Expected',
    actual: 'Actual',
    agrees: 'Agrees',
  },
  total: 'Total',
  totalOf: (what) => `Total ${what}`,
  yes: 'yes',
  no: 'no',
  summary: {
    claimed: 'Amount claimed',
    sentence: (f, amount, items, categories) =>
      `${amount} is claimed, from ${counted(f, items, 'item', 'items')} in ${counted(f, categories, 'category', 'categories')}.`,
    nothing: 'Nothing is claimed.',
    byCategory: 'By category',
    furtherCategories: (f, count) => counted(f, count, 'further category', 'further categories'),
    byMonth: 'Claim by month',
    chart: 'Bar chart of the amount claimed in each month. The section on categories and months has the figures.',
    derivation: 'From expenses to claim',
    expenses: 'Expenses in these categories',
    refunds: 'Less refunds',
    net: 'Net expenses',
    notClaimable: 'Less the part that cannot be claimed',
    notClaimed: 'Not claimed',
    uncategorised: 'Lines in no category, money out less money in',
    otherCurrency: (currency) => (currency === null ? 'Lines without a currency' : `Lines in ${currency}`),
    coverage: (share) => `Bank statements cover ${share} of the days of the period.`,
    exceptions: (f, count) =>
      count === 0 ? 'There are no exceptions.' : `${counted(f, count, 'exception needs', 'exceptions need')} attention: see “Exceptions”.`,
  },
  categories: { all: 'All categories', withoutItems: (names) => `Categories without items: ${names}.` },
  items: {
    note:
      'Each item is a line of a bank statement: S1/12 is line 12 of statement S1. Expenses are positive, refunds are negative. ' +
      'The claim of an item is its amount times its share, not rounded. The claims of a category in a month ' +
      'are added up and then rounded once.',
    none: 'No item is claimed.',
    tooMany: (f, count, most) =>
      `The claim has ${f.number(count)} items. A document lists at most ${f.number(most)}, so the items are not listed here. ` +
      'The XLSX file of a run lists all of them. The sums above and below include every item.',
    sum: (name) => `${name}: sum, not rounded`,
    rounded: (name) => `${name}: rounded once`,
  },
  statements: {
    note:
      'Balances are those that the bank states. “Used” counts the lines in the figures of this report, “Repeated” ' +
      'those that an earlier statement has as well.',
    none: 'There are no bank statements.',
  },
  evidence: {
    title: (reference) => `Bank statement ${reference}`,
    part: (part, count) => `Part ${part} of ${count}`,
    fileHash: 'SHA-256 of the file',
    statementId: 'Statement id',
    reportPeriod: 'Period of the report',
    note:
      'These are the lines that were read from the imported file, not the document of the bank. Names of people, account numbers ' +
      'and other personal data were replaced by tokens. Money out is negative, as in the statement; its claim is positive. ' +
      'A shaded line is claimed, and has the number of its item in the report. A dash means that no category claims the line.',
    lines: 'Lines of the statement',
    outcomes: {
      claimed: 'Claimed: items of the report, not rounded',
      unclaimed: 'Not claimed: in no category',
      otherCurrency: 'Not claimed: not in the currency of the report',
      repeated: 'Repeated: counted in an earlier statement',
      outside: 'Not claimed: outside the period of the report',
    },
    short: { otherCurrency: 'other currency', repeated: 'repeated, counted earlier', outside: 'outside the period' },
    notShown: (f, count) =>
      `${lines(f, count)} without a category ${count === 1 ? 'is' : 'are'} not shown, because the report was asked to leave them out.`,
    none: 'The statement has no lines.',
  },
  calendar: {
    status: { covered: 'covered', partial: 'covered in part', missing: 'not covered', outside: 'not in the period' },
    note: 'A month is covered if the statements of every account cover all of its days in the period.',
  },
  exceptions: {
    note: 'Check these points before you send the claim.',
    none: 'There are no exceptions.',
    findings: {
      no_statements: (_f, { areThereAny }) =>
        'No bank statement was read. The claim of zero says that statements are missing, not that there is nothing to claim.' +
        (areThereAny ? '' : ' There are no statements yet.'),
      statements_of_other_projects: (f, { withoutProject, ofOtherProjects }) =>
        'Other bank statements in the period are not of this project, so they were not read: ' +
        `${f.number(withoutProject)} without a project, ` +
        `${f.number(ofOtherProjects)} of other projects.`,
      statements_outside_period: (f, { count, days }) =>
        `${counted(f, count, 'bank statement has', 'bank statements have')} no day in the period: ` +
        `${count === 1 ? 'it is' : 'they are'} of ${f.day(days.start)} to ${f.day(days.end)}.`,
      statements_not_ready: (f, { failed, waiting }) =>
        `Bank statements that could not be read: ${f.number(failed)}. Not read yet: ${f.number(waiting)}.`,
      no_lines_in_period: () => 'No bank statement has a line in the period.',
      no_categories: () => 'No category takes part, so nothing can be claimed.',
      reading: (_f, { statement, message }) => `${statement}: ${message}`,
      statement_incomplete: (_f, { statement }) =>
        `The lines of ${statement} do not add up to the change in its balance. Lines may be missing.`,
      possible_duplicate: (_f, { later, earlier, lines: pairs, more, once }) =>
        `Lines of ${later} and ${earlier} have the same account, day and amount, but other texts: ${linePairs(pairs, more)}. ` +
        (once ? 'They are counted once.' : 'They are counted as different payments.'),
      overlap_differs: (f, { later, earlier, days, lines: count, missing }) =>
        `${later} and ${earlier} both cover ${f.day(days.start)} to ${f.day(days.end)} of an account, but ${f.number(missing)} of ` +
        `${f.number(count)} lines of the first are not in the second. They are counted. Check that they are not the same payments ` +
        'with other dates.',
      account_unknown: (_f, { statement }) =>
        `${statement} names no account, and its lines do not tell which one it is. Payments that other statements have as well may ` +
        'be counted twice, and its days are not in the evidence.',
      no_account_named: () => 'No statement names its account. All are taken for statements of one account.',
      statement_gaps: (f, { coveragePercent, months }) =>
        `Bank statements cover ${f.percent(coveragePercent)} of the period. These months have gaps: ${monthList(f, months)}.`,
      other_currencies: (f, { currency, count }) =>
        `${lines(f, count)} ${currency === null ? 'without a currency' : `in ${currency}`} ${count === 1 ? 'is' : 'are'} ` +
        'not in the totals.',
      rate_missing: (f, { currency, count, days }) =>
        `${lines(f, count)} in ${currency} between ${f.day(days.start)} and ${f.day(days.end)} ${count === 1 ? 'has' : 'have'} no ` +
        `exchange rate, and ${count === 1 ? 'is' : 'are'} not in the totals.`,
      negative_claim: (_f, { category }) => `${category} has more refunds than expenses, so its claim is negative.`,
      category_without_rules: (_f, { category }) => `${category} has no rules, so it claims nothing.`,
      claimed_by_several: (f, { count, category, other }) =>
        `${lines(f, count)} of ${category} also ${count === 1 ? 'matches' : 'match'} ${other}.`,
      more_warnings: (f, { count }) => `${counted(f, count, 'more exception is', 'more exceptions are')} not shown.`,
    },
  },
  method: {
    paragraphs: {
      ofLines: [
        'Rules assign each line of the bank statements to at most one expense category. If several categories ' +
          'match a line, the one with the highest priority claims it.',
        'The claim of a line is its amount times the share that the rule states, not rounded. The claims of ' +
          'a category in a month are added up and then rounded once, half away from zero, to the smallest unit ' +
          'of the currency. All other claims are sums of these, so months add up to totals.',
        'Refunds reduce a claim, even below zero. Expenses, refunds and net are never rounded.',
        'A line that an earlier statement already has counts once. Equal lines within one statement are different payments.',
      ],
      tax:
        'A rule may state the tax that its claims contain. Of a claim at 19 percent, 19 parts of 119 are tax. The taxes ' +
        'of a category in a ' +
        'month are added up exactly and then rounded once; the claim without tax is what is left. The tax of an item is shown with at ' +
        'most six decimals.',
      notConverted: 'Currencies are never converted. Lines in other currencies are not in the totals.',
      converted: (source) =>
        `Lines in other currencies are converted at the rates in the list below. Source: ${source}. The amount of each line ` +
        'is rounded once, half away from zero. On days without a rate, the last one of the seven days before counts. Rules compare the ' +
        'original amounts. Lines without a rate or without a currency are not in the totals.',
      ofData: [
        'Names of people, account numbers and other personal data were replaced by tokens before this report ' +
          'was made. Equal names have equal tokens.',
        'The same inputs give the same figures. The SHA-256 of all inputs on the cover identifies them.',
      ],
    },
    rates: 'Exchange rates',
    ratesNotListed: (f, count) => `${counted(f, count, 'further rate was', 'further rates were')} used.`,
    controls: 'Controls',
    controlsNote: 'These values are computed in two ways and must be equal.',
    control: {
      lines_used_and_left_out_make_lines_read: 'Lines used, repeated and outside the period: all lines read',
      categories_and_uncategorised_make_net: 'Categories and lines in no category: net of all lines',
      months_make_net: 'Months: net of all lines',
      category_months_make_claimable: 'Months of all categories: amount claimed',
      months_make_claimable: 'Months: amount claimed',
      tax_and_net_make_claimable: 'Tax and claim without tax: amount claimed',
      own_and_converted_make_net: 'Lines in the currency of the report and converted lines: net of all lines',
    },
    balance: (statement) => `${statement}: sum of its lines less the change in its balance`,
    balances: (f, agreeing, all) =>
      `${counted(f, all, 'statement states', 'statements state')} balances that can be checked. The lines ` +
      `agree with them in ${f.number(agreeing)}.`,
  },
  signOff: {
    note: 'Prepared from the bank statements listed in this report.',
    prepared: 'Prepared by',
    reviewed: 'Reviewed by',
    name: 'Name',
    signature: 'Signature',
    date: 'Date',
  },
};

export const AMERICAN: Words = { ...ENGLISH, fields: { ...ENGLISH.fields, organization: 'Organization' } };
