import type { DraftReading } from '../line-draft.js';
import type { ReadingOptions } from '../reading-options.js';
import { tableIn } from './delimiter.js';
import { TableLayouts } from './layouts/table-layouts.js';
import { readTable } from './read-table.js';
import { recordsOf } from './records.js';

export function readCsv(head: string, texts: AsyncIterable<string>, fileName: string, options: ReadingOptions): DraftReading {
  const { delimiter, layout, sample } = tableIn(head, fileName, new TableLayouts(options));
  return readTable({ sample, records: recordsOf(texts, delimiter) }, options, layout);
}
