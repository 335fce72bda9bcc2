import { JobFailure } from '../../../../kernel/failure.js';
import { entriesOf, type ZipEntry } from '../../../../kernel/zip-archive.js';
import { MAX_UNPACKED_BYTES, WORKBOOK_PATH } from '../../../../../tools/bank-files/index.js';

const LIMITS = { files: 2000, unpackedBytes: MAX_UNPACKED_BYTES };

/** The files of an archive that is a workbook. */
export function bookEntriesOf(file: Buffer): readonly ZipEntry[] {
  const entries = entriesOf(file, LIMITS);
  const paths = new Set(entries.map(({ path }) => path));
  if (paths.has(WORKBOOK_PATH)) return entries;
  const advice = 'Import the statement as CSV or XLSX.';
  if (paths.has('xl/workbook.bin')) throw notSupported(`The file is a binary Excel workbook (XLSB). ${advice}`);
  if (paths.has('content.xml')) throw notSupported(`The file is an OpenDocument file. ${advice}`);
  throw notSupported(
    'The file is a ZIP archive. `claims statement import` imports each of its files as a statement, but no archives in it.',
  );
}

const notSupported = (message: string): JobFailure => new JobFailure('format_not_supported', message);
