import { unknownFormat } from '../detect-format.js';
import { headerNotFound, layoutWithHeader, layoutWithoutHeader, type Layout } from './layout.js';
import { recordsOfHead, type CsvRecord } from './records.js';

const DELIMITERS = [';', ',', '\t', '|'];
/** A head of this length may end within a line. */
const LONG_HEAD = 30_000;

export interface DelimitedTable {
  readonly delimiter: string;
  readonly layout: Layout;
  /** The records of the head. */
  readonly sample: readonly CsvRecord[];
}

/** The delimiter with which the head of a file is a table, and the layout of that table. */
export function tableIn(head: string, fileName: string): DelimitedTable {
  const lines = head.length < LONG_HEAD ? head : head.slice(0, head.lastIndexOf('\n') + 1);
  const candidates = DELIMITERS.map((delimiter) => ({ delimiter, sample: recordsOfHead(lines, delimiter) }));
  const tablesBy = (layoutOf: (sample: readonly CsvRecord[]) => Layout | null): DelimitedTable[] =>
    candidates.flatMap(({ delimiter, sample }) => {
      const layout = layoutOf(sample);
      return layout ? [{ delimiter, layout, sample }] : [];
    });
  const [best] = tablesBy(layoutWithHeader).sort((one, other) => other.layout.columns.size - one.layout.columns.size);
  const table = best ?? tablesBy(layoutWithoutHeader)[0];
  if (table) return table;
  const isTable = candidates.some(({ sample }) => sample.length > 0 && sample.every(({ cells }) => cells.length > 2));
  throw isTable || /\.(csv|tsv|txt)$/i.test(fileName) ? headerNotFound() : unknownFormat();
}
