import type { DraftReading } from '../line-draft.js';
import { tableIn } from './delimiter.js';
import { readTable } from './read-table.js';
import { recordsOf } from './records.js';

export function readCsv(head: string, texts: AsyncIterable<string>, fileName: string): DraftReading {
  const { delimiter, layout, sample } = tableIn(head, fileName);
  return readTable({ sample, records: recordsOf(texts, delimiter) }, layout);
}
