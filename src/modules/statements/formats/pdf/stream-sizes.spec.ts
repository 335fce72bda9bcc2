import { describe, expect, it } from 'vitest';
import { deflatedCopies, ENCODED, inflatingPage, PAGE_TEXT, pageWith, repeatedInCodes, type PdfObject } from '../fixtures/pdf-streams.js';
import { bookingsOf, readAll } from '../fixtures/reading.js';
import { FILTERS, TooLarge } from '../../../../../tools/bank-files/pdf/stream-sizes.js';

const MIB = 1024 * 1024;
const BOOKINGS = ['2026-01-02 -3.50 GBP', '2026-01-02 -89.90 GBP', '2026-01-15 1200.00 GBP'];
const BLANKS = Buffer.alloc(MIB, ' ');
type Filter = keyof typeof ENCODED;
const ALL = Object.keys(ENCODED) as Filter[];

/** A page whose text went through filters, the last one first. */
const encoded = (filters: readonly Filter[]): PdfObject => [
  `/Filter [${filters.map((name) => `/${name}`).join(' ')}]`,
  filters.toReversed().reduce<Buffer>((bytes, name) => ENCODED[name](bytes), PAGE_TEXT),
];

async function refusalOf(pdf: Buffer): Promise<unknown> {
  const since = performance.now();
  const error: unknown = await readAll(pdf).catch((thrown: unknown) => thrown);
  // Seconds on a machine that does much else; without the bound, minutes.
  expect(performance.now() - since).toBeLessThan(5000);
  return error;
}
const PART = { code: 'file_too_large', message: 'A part of the PDF is larger than 20 MiB when it is unpacked.' };

describe('a PDF whose streams become large', () => {
  it('is refused before a reader unpacks it: a page of 620 MB in a file of 1.8 MB', async () => {
    const pdf = await inflatingPage(620);
    expect(pdf.length).toBeLessThan(1.9e6);
    expect(await refusalOf(pdf)).toMatchObject(PART);
  }, 60_000);

  const small = deflatedCopies(BLANKS, 30);
  it.each<[string, () => Promise<Buffer>]>([
    ['deflated twice', async () => pageWith(['/Filter [/FlateDecode /FlateDecode]', ENCODED.FlateDecode(await small)])],
    ['deflated, and written as text', async () => pageWith(['/Filter [/ASCII85Decode /FlateDecode]', ENCODED.ASCII85Decode(await small)])],
    ['deflated, and written in hex', async () => pageWith(['/Filter [/AHx /Fl]', ENCODED.ASCIIHexDecode(await small)])],
    ['in LZW codes', () => Promise.resolve(pageWith(['/Filter /LZWDecode', repeatedInCodes(32, 4)]))],
    ['in runs', () => Promise.resolve(pageWith(['/Filter /RunLengthDecode', ENCODED.RunLengthDecode(Buffer.alloc(21 * MIB, ' '))]))],
    ['with a filter whose name is escaped', async () => pageWith(['/Filter /Fl#61teDecode', await small])],
    ['with a filter in another object', async () => pageWith(['/Filter 6 0 R', await small], '', '/FlateDecode')],
    [
      'with a wrong checksum',
      async () => pageWith(['/Filter /FlateDecode', Buffer.concat([(await small).subarray(0, -4), Buffer.alloc(4)])]),
    ],
    ['that seem to end early', async () => pageWith(['/Filter /FlateDecode /Length 9', await small])],
    ['of objects', async () => pageWith(['', PAGE_TEXT], '', ['/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', await small])],
    ['of a table of objects', async () => pageWith(['', PAGE_TEXT], '', ['/Type /XRef /W [1 2 1] /Filter /FlateDecode', await small])],
    ['of a font', async () => pageWith(['', PAGE_TEXT], '', ['/Length1 9 /Filter /FlateDecode', await small])],
    ['of a form', async () => pageWith(['', PAGE_TEXT], '/XObject << /X 6 0 R >>', ['/Subtype /Form /Filter /FlateDecode', await small])],
  ])('is refused, also %s', async (_kind, pdf) => {
    expect(await refusalOf(await pdf())).toMatchObject(PART);
  });

  it('is refused when many streams are large together', async () => {
    const stream: PdfObject = ['/Filter /FlateDecode', await deflatedCopies(BLANKS, 15)];
    expect(await refusalOf(pageWith(['', PAGE_TEXT], '', ...Array.from({ length: 7 }, () => stream)))).toMatchObject({
      code: 'file_too_large',
      message: 'The PDF is larger than 100 MiB when it is unpacked.',
    });
  });
});

describe('a PDF', () => {
  const chains: readonly (readonly Filter[])[] = [...ALL.map((name) => [name] as const), ['ASCII85Decode', 'LZWDecode']];
  it.each(chains.map((filters) => ({ filters })))('is read through its filters: $filters', async ({ filters }) => {
    expect(bookingsOf(await readAll(pageWith(encoded(filters))))).toEqual(BOOKINGS);
  });

  it('may have large pictures and attachments: nothing unpacks them', async () => {
    const bytes = await deflatedCopies(BLANKS, 200);
    const picture: PdfObject = ['/Subtype /Image /Width 8192 /Height 8192 /ColorSpace /DeviceRGB /Filter /FlateDecode', bytes];
    const attachment: PdfObject = ['/Type /EmbeddedFile /Filter /FlateDecode', bytes];
    const content = Buffer.concat([Buffer.from('/X Do\n'), PAGE_TEXT]);
    expect(bookingsOf(await readAll(pageWith(['', content], '/XObject << /X 6 0 R >>', picture, attachment)))).toEqual(BOOKINGS);
  });

  it('shows nothing of a page that says that it is a picture, and unpacks nothing of it', async () => {
    const page = pageWith(['/Subtype /Image /Filter /FlateDecode', await deflatedCopies(BLANKS, 200)]);
    expect(await refusalOf(page)).toMatchObject({ code: 'pdf_is_scan' });
  });
});

describe('the filters', () => {
  it.each(ALL)('give back what was written: %s', (name) => {
    const bytes = Buffer.from(Array.from({ length: 20_001 }, (_byte, index) => (index % 7 === 0 ? 65 : (index * 31) % 256)));
    expect(Buffer.from(FILTERS[name]!(ENCODED[name](bytes), MIB, '')).equals(bytes)).toBe(true);
  });

  it('know long LZW codes, also where one begins in its own text', () => {
    expect(Buffer.from(FILTERS.LZWDecode!(repeatedInCodes(65, 1), 8 * MIB, '')).equals(Buffer.alloc((3801 * 3802) / 2, 'A'))).toBe(true);
  });

  it.each<Filter>(['FlateDecode', 'RunLengthDecode', 'LZWDecode', 'ASCII85Decode'])('stop at the limit: %s', (name) => {
    expect(() => FILTERS[name]!(ENCODED[name](Buffer.alloc(4096, 'ab')), 4095, '')).toThrow(TooLarge);
  });
});
