/** How files of a kind begin, and how their names end. */
const KINDS: readonly (readonly [mediaType: string, begins: RegExp, endings: readonly string[]])[] = [
  ['application/pdf', /^(?:\xef\xbb\xbf)?\s{0,9}%PDF-/, ['pdf']],
  ['image/jpeg', /^\xff\xd8\xff/, ['jpg', 'jpeg']],
  ['image/png', /^\x89PNG\r\n\x1a\n/, ['png']],
  ['image/heic', /^[^]{4}ftyp(?:heic|heix|heim|heis|hevc|mif1|msf1)/, ['heic', 'heif']],
  // An encrypted workbook is no ZIP archive.
  ['application/zip', /^(?:PK\x03\x04|\xd0\xcf\x11\xe0)/, ['zip', 'xlsx', 'docx']],
];
const OF_TEXT = new Set(['csv', 'tsv', 'txt', 'xml', 'ofx', 'qfx', 'qif', 'mt940', 'eml', 'json']);
const NEVER = new Set(['exe', 'dll', 'msi', 'js', 'bat', 'cmd', 'ps1', 'sh', 'html', 'htm', 'svg']);
const HEAD_BYTES = 64;

/** By its content alone. Undefined for text, and for kinds that are not listed. */
export function kindOf(content: Buffer): string | undefined {
  const head = content.subarray(0, HEAD_BYTES).toString('latin1');
  return KINDS.find(([, begins]) => begins.test(head))?.[0];
}

/** Whether the name says something else than the content, whose kind is given. Other endings say nothing: banks use many. */
export function isMisnamed(name: string, kind: string | undefined): boolean {
  const ending = /\.([a-z0-9]+)\s*$/i.exec(name)?.[1]!.toLowerCase() ?? '';
  const named = KINDS.find(([, , endings]) => endings.includes(ending))?.[0];
  // Phones name pictures of one form like those of another.
  const isPicture = (one: string | undefined): boolean => one?.startsWith('image/') ?? false;
  if (named !== undefined) return kind !== named && !(isPicture(kind) && isPicture(named));
  return NEVER.has(ending) || (OF_TEXT.has(ending) && KINDS.some(([other]) => other === kind));
}
