import { JobFailure } from '../../../kernel/failure.js';
import type { TextFormat } from './statement-line.js';

/** Kinds of files that people import by mistake, by their first bytes. */
const OTHER_FILES: readonly (readonly [kind: string, signature: string])[] = [
  ['an old or encrypted Excel workbook', '\xd0\xcf\x11\xe0'],
  ['a GZIP archive', '\x1f\x8b'],
  ['a rich text document', '{\\rtf'],
];

const READABLE = 'CSV, XLSX, PDF, OFX, QIF, MT940 or CAMT';

/** Whether the file starts as ZIP archives do, such as Excel workbooks. */
export const isZip = (head: Buffer): boolean => head.subarray(0, 4).equals(ZIP_START);
const ZIP_START = Buffer.from('PK\x03\x04');

export const isPdf = (head: Buffer): boolean => /^\s*%PDF-/.test(head.toString('latin1', 0, 64));

/** Rejects binary files. */
export function refuseOtherFiles(head: Buffer): void {
  const start = head.toString('latin1', 0, 16).trimStart();
  const other = OTHER_FILES.find(([, signature]) => start.startsWith(signature));
  if (other) throw new JobFailure('format_not_supported', `The file is ${other[0]}. Import the statement as ${READABLE}.`);
  const isUtf16 = /^(\xff\xfe|\xfe\xff)/.test(start);
  if (!isUtf16 && head.includes(0)) throw unknownFormat();
}

export const unknownFormat = (): JobFailure =>
  new JobFailure('format_unknown', `The format was not recognised. Import the statement as ${READABLE}.`);

/** Detects the format from the content; null if there is no sign of any, as with CSV. */
export function detectFormat(head: string): TextFormat | null {
  const start = head.trimStart();
  if (/^(OFXHEADER\s*:|DATA\s*:\s*OFXSGML|<OFX>)/i.test(start) || /^<\?xml[\s\S]{0,2000}?<\?OFX|^<\?OFX/i.test(start)) return 'ofx';
  if (/^!(Type:|Account|Option:|Clear:)/i.test(start)) return 'qif';
  if (start.startsWith('<')) return xmlFormatOf(start);
  if (/^:(34F|90[CD]):/m.test(head) && !/^:6[02][FM]:/m.test(head)) return 'mt942';
  if (/^:(20|25):/m.test(head) && /^:(60[FM]|61|62[FM]):/m.test(head)) return 'mt940';
  return null;
}

const CAMT_FORMATS: Readonly<Record<string, TextFormat>> = { Stmt: 'camt053', AcctRpt: 'camt052', DbtCdtNtfctn: 'camt054' };

function xmlFormatOf(start: string): TextFormat {
  if (/<!DOCTYPE(?!\s+html)/i.test(start)) throw dtdNotAllowed();
  const [, report] = /<(?:[\w.-]+:)?BkToCstmr(Stmt|AcctRpt|DbtCdtNtfctn)[\s>]/.exec(start) ?? [];
  if (report) return CAMT_FORMATS[report]!;
  if (/<OFX>/i.test(start)) return 'ofx';
  throw unknownFormat();
}

export const dtdNotAllowed = (): JobFailure =>
  new JobFailure('dtd_not_allowed', 'The file has a document type definition (DTD), which is not allowed.');
