/** The files that receipts may be, by how they begin, and how their names end in an evidence pack. */
const TYPES: readonly (readonly [mediaType: string, ending: string, begins: RegExp])[] = [
  ['application/pdf', 'pdf', /^(?:\xef\xbb\xbf)?\s{0,9}%PDF-/],
  ['image/jpeg', 'jpg', /^\xff\xd8\xff/],
  ['image/png', 'png', /^\x89PNG\r\n\x1a\n/],
  ['image/heic', 'heic', /^[^]{4}ftyp(?:heic|heix|heim|heis|hevc|mif1|msf1)/],
];
const MAIL = 'message/rfc822';
const ENDINGS: Readonly<Record<string, string>> = Object.fromEntries([
  ...TYPES.map(([mediaType, ending]) => [mediaType, ending] as const),
  [MAIL, 'eml'] as const,
]);
export const RECEIPT_TYPES: readonly string[] = Object.keys(ENDINGS);

const HEAD_BYTES = 64 * 1024;
const HEADER = /^(?:[!-9;-~]{1,76}:|[ \t])/;
/** What every mail has. */
const NEEDED = [/^From:/im, /^(?:Date|Message-ID|Received):/im];

/** By its content, whatever its name says. Undefined if it is none of them. */
export function receiptTypeOf(content: Buffer): string | undefined {
  const head = content.subarray(0, HEAD_BYTES).toString('latin1');
  return TYPES.find(([, , begins]) => begins.test(head))?.[0] ?? (isMail(head) ? MAIL : undefined);
}

export const endingOf = (mediaType: string): string => ENDINGS[mediaType]!;

function isMail(head: string): boolean {
  const [headers] = head.split(/\r?\n\r?\n/, 1) as [string];
  return headers.split(/\r?\n/).every((line) => HEADER.test(line)) && NEEDED.every((needed) => needed.test(headers));
}
