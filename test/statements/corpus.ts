import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a file of the corpus must be read as: its lines and the codes of its warnings, or the code of its failure. */
export interface Expected {
  /** The shipped layout by which it is read; absent if its columns are recognised. */
  readonly layout?: string;
  readonly lines?: readonly ExpectedLine[];
  readonly warnings?: readonly string[];
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
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const EXPECTED = '.expected.json';

/** The files of all countries and kinds, each with what is expected of it. People, shops and accounts are invented. */
export function samples(): Sample[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).sort();
  return files
    .filter((file) => file.endsWith(EXPECTED))
    .map((file) => {
      const stem = file.slice(0, -EXPECTED.length);
      const name = files.find((other) => other !== file && other.replace(/\.\w+$/, '') === stem);
      if (!name) throw new Error(`${file} has no statement beside it.`);
      return { name, bytes: readFileSync(FOLDER + name), expected: JSON.parse(readFileSync(FOLDER + file, 'utf8')) as Expected };
    });
}
