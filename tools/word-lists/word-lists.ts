import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface WordLists {
  /** A list, without the comment that it begins with. */
  wordList(this: void, name: string): string;
  /** The sections of a list, by their names in brackets; commas separate the words. */
  wordSections<Name extends string>(this: void, list: string): ReadonlyMap<Name, readonly string[]>;
}

/** The lists of a folder, whose path is that from the folder of the program. They are read when they are asked for. */
export function wordListsIn(path: string): WordLists {
  const folder = folderOf(path);
  const wordList = (name: string): string =>
    readFileSync(join(folder, `${name}.txt`), 'utf8')
      .replace(/^#.*\n/gm, '')
      .trim();
  const wordSections = <Name extends string>(list: string): ReadonlyMap<Name, readonly string[]> =>
    new Map(
      [...wordList(list).matchAll(/^\[(.+)\]\n([^]*?)(?=\n\[.+\]\n|(?![^]))/gm)].map(([, name, words]) => [
        name as Name,
        words!.trim().replace(/\s+/g, ' ').split(/, ?/),
      ]),
    );
  return { wordList, wordSections };
}

/** Looked for upwards: a program that is compiled or bundled runs elsewhere in its folder, and the lists stay where they are. */
function folderOf(path: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const lists = join(folder, path);
    if (existsSync(lists)) return lists;
    if (folder === dirname(folder)) throw new Error(`${path} is missing in the folder of the program.`);
  }
}
