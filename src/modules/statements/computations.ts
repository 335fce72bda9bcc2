// What readers of extensions are made from (src/extension-computations.ts).
export { decimalOf, plainDecimalOf, dayOf, type LineDraft } from '../../../tools/bank-files/index.js';
export { textsOf } from './formats/texts.js';
export type { DraftReading } from '../../../tools/bank-tables/index.js';
export { declareStatementReader, type StatementReader } from './formats/statement-reader.js';
