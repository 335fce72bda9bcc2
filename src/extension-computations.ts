/**
 * All that a `….computation.ts` of an extension may import of the product: plain functions, without Nest and without the database, since
 * threads load them. It is kept as src/extension-api.ts is.
 */
export { JobFailure } from './kernel/failure.js';
export { withoutFormulas } from './kernel/formula.js';
export { formatMoney, minorDigitsOf, type Money } from './kernel/money.js';

// Readers of bank statements
export { declareStatementReader, type DraftReading, type LineDraft, type StatementReader } from './modules/statements/computations.js';
export { dayOf, decimalOf, plainDecimalOf, textsOf } from './modules/statements/computations.js';

// Texts
export { declareWording } from './api/wording/declare-wording.js';
export { type WordingCatalogue } from './api/wording/catalogues.js';

// Files of claim reports
export { bookingsOf, declareReportOutput, type FileSink, type Report, type ReportOutput } from './modules/reports/computations.js';
export { declareClaimForm, writeTexts, type Booking, type DetailLine } from './modules/reports/computations.js';
export { DATE, FLAG, list, object, oneOf, text, wholeNumberFrom, type Shape } from './modules/rules/computations.js';
