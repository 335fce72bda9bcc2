import { JobFailure } from '../../../kernel/failure.js';
import { isBai2, utf16Of, isCoda, isNorma43, dtdNotAllowed, isSerbianXml } from '../../../../tools/bank-files/index.js';
import { isFeed } from './feed/read-feed.js';
import type { TextFormat } from './statement-reading.js';

/** Kinds of files that people import by mistake, by their first bytes. */
const OTHER_FILES: readonly (readonly [kind: string, signature: string])[] = [
  ['an old or encrypted Excel workbook', '\xd0\xcf\x11\xe0'],
  ['a GZIP archive', '\x1f\x8b'],
  ['a rich text document', '{\\rtf'],
];

const READABLE = 'CSV, XLSX, PDF, OFX, QIF, MT940, CAMT, CODA, BAI2, Norma 43 or the XML of banks in Serbia';

/** Whether the file starts as ZIP archives do, such as Excel workbooks. */
export const isZip = (head: Buffer): boolean => head.subarray(0, 4).equals(ZIP_START);
const ZIP_START = Buffer.from('PK\x03\x04');

export const isPdf = (head: Buffer): boolean => /^\s*%PDF-/.test(head.toString('latin1', 0, 64));

export function refuseOtherFiles(head: Buffer): void {
  const start = head.toString('latin1', 0, 16).trimStart();
  const other = OTHER_FILES.find(([, signature]) => start.startsWith(signature));
  if (other) throw new JobFailure('format_not_supported', `The file is ${other[0]}. Import the statement as ${READABLE}.`);
  if (head.includes(0) && utf16Of(head) === null) throw unknownFormat();
}

export const unknownFormat = (): JobFailure =>
  new JobFailure(
    'format_unknown',
    'The file does not begin as any format that is read, and is no table with columns for date and amount. ' +
      `Import the statement as ${READABLE}.`,
  );

/** Detects the format from the content; null if there is no sign of any, as with CSV. */
export function detectFormat(head: string): TextFormat | null {
  const start = head.trimStart();
  if (/^(OFXHEADER\s*:|DATA\s*:\s*OFXSGML|<OFX\s*>)/i.test(start) || /^<\?xml[\s\S]{0,2000}?<\?OFX|^<\?OFX/i.test(start)) return 'ofx';
  if (/^!(Type:|Account|Option:|Clear:)/i.test(start)) return 'qif';
  if (start.startsWith('<')) return xmlFormatOf(start);
  if (isFeed(start)) return 'feed';
  if (isCoda(start)) return 'coda';
  if (isBai2(start)) return 'bai2';
  if (isNorma43(start)) return 'norma43';
  if (/^:(34F|90[CD]):/m.test(head) && !/^:6[02][FM]:/m.test(head)) return 'mt942';
  if (/^:(20|25):/m.test(head) && /^:(60[FM]|61|62[FM]):/m.test(head)) return 'mt940';
  return null;
}

const CAMT_FORMATS: Readonly<Record<string, TextFormat>> = { Stmt: 'camt053', AcctRpt: 'camt052', DbtCdtNtfctn: 'camt054' };

function xmlFormatOf(start: string): TextFormat {
  if (/<!DOCTYPE(?!\s+html)/i.test(start)) throw dtdNotAllowed();
  const [, report] = /<(?:[\w.-]+:)?BkToCstmr(Stmt|AcctRpt|DbtCdtNtfctn)[\s>]/.exec(start) ?? [];
  if (report) return CAMT_FORMATS[report]!;
  if (/<OFX\s*>/i.test(start)) return 'ofx';
  if (isSerbianXml(start)) return 'serbian_xml';
  throw unknownFormat();
}
