import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { commitOf } from '../support/releases.js';
import { surfaceOf } from '../support/extension-surface.js';

/** What threads import has names of its own, some of which the other file has, too. */
const COMPUTATIONS = 'computations.';

const surface = () =>
  new Map([
    ...surfaceOf('src/extension-api.ts'),
    ...[...surfaceOf('src/extension-computations.ts')].map(([name, text]) => [`${COMPUTATIONS}${name}`, text] as const),
  ]);

const FILE = 'docs/extension-api.md';

/** The version on top of the changelog, and what `changes/` says of what came after it. */
async function latest(): Promise<{ version: string; pending: string }> {
  const [, version] = /^## (\S+) \(/m.exec(await readFile('CHANGELOG.md', 'utf8'))!;
  const names = (await readdir('changes')).filter((name) => name !== 'README.md');
  const texts = await Promise.all(names.map((name) => readFile(`changes/${name}`, 'utf8')));
  return { version: version!, pending: texts.join('\n') };
}

const byName = (surface: ReadonlyMap<string, string>) => [...surface].sort(([a], [b]) => (a < b ? -1 : 1));

const pageOf = (version: string, surface: ReadonlyMap<string, string>): string => `# What extensions may import

Generated from the code by \`npm run contracts\`. This is the surface of version ${version}: all that \`src/extension-api.ts\` and
(\`computations.…\`) \`src/extension-computations.ts\` export, as TypeScript declares it.
It is kept within a major version; [extending.md](extending.md) is the guide.

${byName(surface)
  .map(([name, text]) => `## ${name}\n\n\`\`\`ts\n${text}\n\`\`\`\n`)
  .join('\n')}`;

const surfaceIn = (page: string): Map<string, string> =>
  new Map([...page.matchAll(/^## (\S+)\n\n```ts\n([^]*?)\n```$/gm)].map(([, name, text]) => [name!, text!]));

/** What is otherwise than in the last release, and not said in `changes/`. */
function unsaid(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>, said: string): string[] {
  const differences = [
    ...byName(before).flatMap(([name, text]) =>
      now.has(name) ? (now.get(name) === text ? [] : [[name, 'has another shape']]) : [[name, 'is gone']],
    ),
    ...byName(now).flatMap(([name]) => (before.has(name) ? [] : [[name, 'is new']])),
  ];
  return differences
    .filter(([name]) => !said.includes(`\`${name!.replace(COMPUTATIONS, '')}\``))
    .map(([name, what]) => `${name} ${what}: say so in a file of changes/, with the name as \`${name}\`, and what users must do.`);
}

it('src/extension-api.ts changes nothing since the last release that no file of changes/ names', async () => {
  const [now, page, { version, pending }] = [surface(), await readFile(FILE, 'utf8').catch(() => ''), await latest()];
  expect(now.size).toBeGreaterThan(100);
  expect([...now].filter(([, declaration]) => declaration === '')).toEqual([]);
  // An inferred type is not followed, so what is exported says its type.
  expect([...now].filter(([, declaration]) => /\bany\b/.test(declaration)).map(([name]) => name)).toEqual([]);
  const documented = /version (\S+):/.exec(page)?.[1];
  // Between two releases the page is that of the last one. A copy without the history knows that by what waits to be released.
  const isBetween = documented === version && (pending !== '' || (await commitOf(version)) !== undefined);
  if (isBetween) expect(unsaid(surfaceIn(page), now, pending)).toEqual([]);
  else await expect(pageOf(version, now)).toMatchFileSnapshot(`../../${FILE}`);
});

it('exports only classes as both value and type: of others, the build and the tests would inject different things', () => {
  const isBoth = (name: string, text: string) =>
    [/(?:type|interface)/, /const/].every((kind) => new RegExp(`^${kind.source} ${name}\\b`, 'm').test(text));
  expect([...surface()].filter(([name, text]) => isBoth(name, text)).map(([name]) => name)).toEqual([]);
});

it('notices what is removed, changed or added, and says what to write', () => {
  const before = new Map([
    ['gone', 'const gone: 1;'],
    ['kept', 'const kept: 1;'],
    ['other', 'const other: 1;'],
    ['said', 'const said: 1;'],
  ]);
  const now = new Map([
    ['kept', 'const kept: 1;'],
    ['other', 'const other: 2;'],
    ['fresh', 'const fresh: 1;'],
  ]);
  expect(surfaceIn(pageOf('1.0.0', before))).toEqual(before);
  expect(unsaid(before, now, '- `said` has ended: use `kept`.')).toEqual([
    expect.stringContaining('gone is gone: say so in a file of changes/'),
    expect.stringContaining('other has another shape'),
    expect.stringContaining('fresh is new'),
  ]);
});
