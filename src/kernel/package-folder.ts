import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with `docs/`, `public/`, `words/`, `forms/` and others: in a checkout and in the image, it is that of package.json. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** A file of such a folder. */
export const packageJson = <T>(path: string): T => JSON.parse(readFileSync(join(packageFolder(), path), 'utf8')) as T;

/** A list of `words/`, without the comment that it begins with. */
export const wordList = (name: string): string =>
  readFileSync(join(packageFolder(), 'words', `${name}.txt`), 'utf8')
    .replace(/^#.*\n/gm, '')
    .trim();

/** The sections of such a list, by their names in brackets; commas separate the words. */
export const wordSections = <Name extends string>(list: string): ReadonlyMap<Name, readonly string[]> =>
  new Map(
    [...wordList(list).matchAll(/^\[(.+)\]\n([^]*?)(?=\n\[.+\]\n|(?![^]))/gm)].map(([, name, words]) => [
      name as Name,
      words!.trim().replace(/\s+/g, ' ').split(/, ?/),
    ]),
  );
