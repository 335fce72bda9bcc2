import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wordListsIn } from '../../tools/word-lists/index.js';

/** The folder with `docs/`, `public/`, `words/`, `forms/` and others: in a checkout and in the image, it is that of package.json. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** A file of such a folder. */
export const packageJson = <T>(path: string): T => JSON.parse(readFileSync(join(packageFolder(), path), 'utf8')) as T;

/** The lists of `words/`. */
export const { wordList, wordSections } = wordListsIn('words');
