import { kindOf } from '../../../kernel/file-kinds.js';

const MAIL = 'message/rfc822';
/** The files that receipts may be, and how their names end in an evidence pack. */
const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/heic': 'heic',
  [MAIL]: 'eml',
};
export const RECEIPT_TYPES: readonly string[] = Object.keys(ENDINGS);

const HEAD_BYTES = 64 * 1024;
const HEADER = /^(?:[!-9;-~]{1,76}:|[ \t])/;
/** What every mail has. */
const NEEDED = [/^From:/im, /^(?:Date|Message-ID|Received):/im];

/** By its content. Undefined if it is none of them. */
export function receiptTypeOf(content: Buffer): string | undefined {
  const kind = kindOf(content);
  if (kind !== undefined) return RECEIPT_TYPES.find((type) => type === kind);
  return isMail(content.subarray(0, HEAD_BYTES).toString('latin1')) ? MAIL : undefined;
}

export const endingOf = (mediaType: string): string => ENDINGS[mediaType]!;

function isMail(head: string): boolean {
  const [headers] = head.split(/\r?\n\r?\n/, 1) as [string];
  return headers.split(/\r?\n/).every((line) => HEADER.test(line)) && NEEDED.every((needed) => needed.test(headers));
}
