import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makePdf, type PdfLine } from '../../src/modules/statements/formats/fixtures/pdf.js';
import type { Certainty } from '../../src/modules/statements/formats/certainty.js';
import { bookOf, rowsOf, type Cell } from '../../src/modules/statements/formats/fixtures/xlsx.js';

/** What a file of the corpus must be read as: its lines, the codes of its warnings and its certainty, or the code of its failure. */
export interface Expected {
  /** The shipped layout by which it is read; absent if its columns are recognised. */
  readonly layout?: string;
  readonly lines?: readonly ExpectedLine[];
  readonly warnings?: readonly string[];
  readonly certainty?: Certainty;
  readonly failure?: string;
  /** What it must be read as if a shipped layout is named, as files without a header need. */
  readonly withLayout?: Expected;
}

interface ExpectedLine {
  readonly date: string;
  readonly amount: string;
  readonly currency: string | null;
  /** Text within the description. */
  readonly says?: string;
  readonly counterparty?: string;
}

export interface Sample {
  /** Such as `de/dkb.csv`. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly expected: Expected;
  /** Of a workbook or PDF: its rows, and how a file is built from others. */
  readonly built?: Built;
}

interface Built {
  readonly rows: readonly Row[];
  readonly from: (rows: readonly Row[]) => Promise<Buffer>;
}

/** Of a workbook its cells, of a PDF the texts and their places. */
type Row = readonly unknown[] | null;

/** The text of a file that is one, in its encoding: that in its name, or Western if its words are. */
export function textOf({ name, bytes }: Sample): string {
  const [named] = /windows-\d+/.exec(name) ?? [];
  const western = /Account Name|Skapad/.test(bytes.toString('latin1')) ? 'latin1' : 'utf-8';
  return new TextDecoder(named ?? western).decode(bytes);
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const EXPECTED = '.expected.json';
/** Workbooks and PDFs are built from sources that people can read, such as `pages.pdf.json`. */
const BUILT = /\.(pdf|xlsx)\.json$/;

/** The files of all countries and kinds, each with what is expected of it. People, shops and accounts are invented. */
export function samples(): Promise<Sample[]> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).sort();
  return Promise.all(files.filter((file) => file.endsWith(EXPECTED)).map((file) => sampleOf(file, files)));
}

async function sampleOf(expectedFile: string, files: readonly string[]): Promise<Sample> {
  const stem = expectedFile.slice(0, -EXPECTED.length);
  const name = files.find((file) => file !== expectedFile && file.replace(BUILT, '').replace(/\.\w+$/, '') === stem);
  if (!name) throw new Error(`${expectedFile} has no statement beside it.`);
  const expected = JSON.parse(readFileSync(FOLDER + expectedFile, 'utf8')) as Expected;
  const content = readFileSync(FOLDER + name);
  const built = builtOf(name, content.toString());
  const bytes = built ? await built.from(built.rows) : content;
  return { name: name.replace(/\.json$/, ''), bytes, expected, ...(built && { built }) };
}

interface Sheet {
  readonly formats: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

function builtOf(name: string, source: string): Built | undefined {
  const [, kind] = BUILT.exec(name) ?? [];
  if (kind === 'pdf') {
    const [rows = [], ...others] = JSON.parse(source) as PdfLine[][];
    return { rows, from: (changed) => makePdf([changed as PdfLine[], ...others]) };
  }
  if (kind !== 'xlsx') return undefined;
  const { formats, rows } = JSON.parse(source) as Sheet;
  return { rows, from: (changed) => Promise.resolve(bookOf({ formats, sheets: [rowsOf(...(changed as Cell[][]))] })) };
}
