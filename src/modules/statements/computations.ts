// What readers of extensions are made from (src/extension-computations.ts).
export { decimalOf, plainDecimalOf } from './formats/amounts.js';
export { dayOf } from './formats/dates.js';
export { textsOf } from './formats/decode.js';
export type { DraftReading, LineDraft } from './formats/statement-line.js';
export { declareStatementReader, type StatementReader } from './formats/statement-reader.js';
