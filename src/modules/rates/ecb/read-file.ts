import { JobFailure } from '../../../kernel/failure.js';
import { StartError } from '../../../kernel/start-error.js';
import { entriesOf } from '../../../kernel/zip-archive.js';
import type { Quote } from './quote.js';
import { readCsv } from './read-csv.js';
import { readXml } from './read-xml.js';

const MAX_FILE_MIB = 32;
export const MAX_RATES_FILE_BYTES = MAX_FILE_MIB * 1024 * 1024;

/** The rates of a file of the European Central Bank: CSV, XML, or a ZIP archive of one of them. */
export function readRatesFile(file: Buffer): Quote[] {
  requireSmall(file.length);
  const text = textOf(file.subarray(0, 2).toString('latin1') === 'PK' ? onlyFileIn(file) : file);
  return /^\ufeff?\s*</.test(text) ? readXml(text) : readCsv(text);
}

function onlyFileIn(archive: Buffer): Buffer {
  try {
    const [only, another] = entriesOf(archive, { files: 2, unpackedBytes: 2 * MAX_RATES_FILE_BYTES });
    if (!only || another) throw new StartError('The archive must have one file.');
    requireSmall(only.size);
    return only.content();
  } catch (error) {
    throw error instanceof JobFailure ? new StartError(error.message) : error;
  }
}

function requireSmall(bytes: number): void {
  if (bytes > MAX_RATES_FILE_BYTES) throw new StartError(`The file is larger than ${MAX_FILE_MIB} MiB.`);
}

function textOf(file: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw new StartError('The file is not a text in UTF-8.');
  }
}
