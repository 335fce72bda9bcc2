import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { packageFolder, packageJson } from '../../kernel/package-folder.js';

export const GUIDES_PATH = '/guides';

/** In the groups and the order in which people read them. The other files of `docs/` are for operators and for our own work. */
const GROUPS = packageJson<Record<string, Record<string, string>>>('docs/guides.json');

/** Pages whose file is not `docs/NAME.md`. */
const ELSEWHERE: Readonly<Record<string, string>> = { changelog: 'CHANGELOG.md', 'client-library': 'client/README.md' };

export interface Guide {
  readonly name: string;
  readonly file: string;
  /** `name.md`: links between guides work for readers of the repository and of the service alike. */
  readonly path: string;
  readonly page: string;
  readonly group: string;
  readonly title: string;
  readonly about: string;
}

export interface GuideText extends Guide {
  readonly text: string;
}

export const LISTED = Object.entries(GROUPS).flatMap(([group, named]) =>
  Object.entries(named).map(([name, about]) => ({ name, file: ELSEWHERE[name] ?? `docs/${name}.md`, group, about })),
);

export const groupsOf = (all: readonly Guide[]): (readonly [group: string, members: readonly Guide[]])[] =>
  [...new Set(all.map(({ group }) => group))].map((group) => [group, all.filter((guide) => guide.group === group)]);

/** So much of the changelog, which grows with each change, is on its page. */
const CHANGES_SHOWN = 24 * 1024;

/** What a page shows of its guide: of the changelog the newest changes. As Markdown, it is whole. */
export function shownOf({ name, path, text }: GuideText): string {
  if (name !== 'changelog' || text.length <= CHANGES_SHOWN) return text;
  const newest = text.slice(0, text.lastIndexOf('\n- ', CHANGES_SHOWN));
  return `${newest}\n\nThese are the newest changes. The [changelog as Markdown](${path}) has all.\n`;
}

let kept: Promise<readonly GuideText[]> | undefined;

export const guides = (): Promise<readonly GuideText[]> => (kept ??= Promise.all(LISTED.map(read)));

async function read({ name, file, group, about }: (typeof LISTED)[number]): Promise<GuideText> {
  const text = forSite(await readFile(join(packageFolder(), file), 'utf8'), file);
  const title = /^# (.+)$/m.exec(text)![1]!;
  const page = `${GUIDES_PATH}/${name}`;
  return { name, file, path: `${page}.md`, page, group, title, about, text };
}

const forSite = (text: string, file: string): string => withoutTests(withoutPictures(withLinksOfSite(text, posix.dirname(file))));

/** A link to a file leads to its page. One to a file that is no page becomes the words that it stands under. */
const withLinksOfSite = (text: string, folder: string): string =>
  text.replace(/\[([^\]]+)\]\((?![a-z]+:|[/#])([^)#\s]+)(#[\w-]+)?\)/g, (_link, words: string, path: string, anchor = '') => {
    const target = LISTED.find(({ file }) => file === posix.join(folder, path));
    return target ? `[${words}](${target.name}.md${anchor})` : words;
  });

/** The service has no images: people see the pages themselves. */
const withoutPictures = (text: string): string => text.replace(/\n## Pictures\n[^]*<!-- end of the pictures -->\n/, '');

/** Which tests show what a guide promises is for those who change it. */
const withoutTests = (text: string): string => text.replace(/(\n<!-- shown by [^\n]+ -->)+\n/g, '');
