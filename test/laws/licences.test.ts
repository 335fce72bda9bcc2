import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Entry {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Ours, and those of extensions that bring packages along. */
const FILE = 'docs/dependencies.md';
const folders = readdirSync('src/extensions', { withFileTypes: true }).filter((entry) => entry.isDirectory());
const pages = [FILE, ...folders.map(({ name }) => `src/extensions/${name}/${FILE}`)].filter((path) => existsSync(path));
const sections = pages.map((path) => /## Licences\n([^]*?)(?=\n## |$)/.exec(readFileSync(path, 'utf8'))?.[1] ?? '');
const rows = sections
  .join('\n')
  .split('\n')
  .filter((line) => /^\| `/.test(line));
const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
const namesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
const lists = cells.filter((row) => row.length === 4);
const anywhere = lists.filter((row) => row[2] === 'Anywhere').flatMap((row) => namesIn(row[1]));
const forDevelopment = [...anywhere, ...lists.flatMap((row) => namesIn(row[1]))];
/** What a person has read, since the lock says something else. */
const looked = new Map(cells.filter((row) => row.length === 5).map((row) => [namesIn(row[1])[0]!, row[2]!]));

/** Packages whose licence is not in the list of the page. */
function unlisted(packages: Readonly<Record<string, Entry>>): string[] {
  return Object.entries(packages).flatMap(([path, { version, license, dev, link }]) => {
    if (path === '' || link === true) return [];
    const name = path.split('node_modules/').pop()!;
    const allowed = dev === true ? forDevelopment : anywhere;
    if (license !== undefined && allowed.includes(license)) return [];
    return looked.get(name) === (license ?? 'nothing') ? [] : [`${name} ${version}: ${license ?? 'no licence'}`];
  });
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Entry> };

it('every package of the lock has a licence that docs/dependencies.md lists', () => {
  expect(anywhere.length).toBeGreaterThan(5);
  expect(Object.keys(packages).length).toBeGreaterThan(300);
  expect(unlisted(packages)).toEqual([]);
});

it('a package that the page names as read is in the lock, and says there what the page says', () => {
  for (const [name, license] of looked) expect(packages[`node_modules/${name}`]?.license ?? 'nothing', name).toBe(license);
});

it('finds another licence, none, and one for development in production', () => {
  const one = (entry: Partial<Entry>) => unlisted({ 'node_modules/x': { version: '1.0.0', ...entry } });
  expect(one({ license: 'MIT' })).toEqual([]);
  expect(one({ license: 'AGPL-3.0-only' })).toEqual(['x 1.0.0: AGPL-3.0-only']);
  expect(one({})).toEqual(['x 1.0.0: no licence']);
  expect(one({ license: 'MPL-2.0' })).toEqual(['x 1.0.0: MPL-2.0']);
  expect(one({ license: 'MPL-2.0', dev: true })).toEqual([]);
  expect(unlisted({ 'node_modules/pause': { version: '2.0.0', license: 'GPL-3.0' } })).toEqual(['pause 2.0.0: GPL-3.0']);
});
