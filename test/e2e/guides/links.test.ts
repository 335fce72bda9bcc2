import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { lexer, walkTokens, type Token, type Tokens } from 'marked';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Registry } from '../../../src/api/operation/registry.js';
import { startApp, type TestApp } from '../../support/app.js';

/** Where the service is, in documents that are read elsewhere. */
const EXAMPLE_URL = 'https://api.claims.example';
const OF_ROOT = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'changes/README.md', 'client/README.md'];
/** Pages for somebody who is signed in or has a credential. */
const CLOSED = [303, 401];

interface Page {
  readonly file: string;
  readonly links: readonly string[];
  readonly anchors: readonly string[];
}

let app: TestApp;
let pages: ReadonlyMap<string, Page>;
beforeAll(async () => {
  app = await startApp();
  const below = (await readdir('docs', { recursive: true })).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  const read = await Promise.all([...OF_ROOT, ...below].map(async (file) => pageOf(file, await readFile(file, 'utf8'))));
  pages = new Map(read.map((page) => [page.file, page]));
});
afterAll(() => app.close());

function pageOf(file: string, text: string): Page {
  const [links, anchors]: [string[], string[]] = [[], []];
  void walkTokens(lexer(text), (token: Token) => {
    if (token.type === 'link' || token.type === 'image') links.push((token as Tokens.Link).href);
    if (token.type === 'html') links.push(...[...token.raw.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!));
    if (token.type !== 'heading') return;
    const anchor = anchorOf((token as Tokens.Heading).text);
    const before = anchors.filter((other) => other.replace(/-\d+$/, '') === anchor).length;
    anchors.push(before === 0 ? anchor : `${anchor}-${before}`);
  });
  return { file, links, anchors };
}

/** As GitHub makes it, read in another way than the site does. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const targetsOf = (wanted: (link: string) => boolean): [string, string][] =>
  [...pages.values()].flatMap(({ file, links }) => links.filter(wanted).map((link): [string, string] => [file, link]));

it('every link between the documents of the repository leads to a file and a section that exist', async () => {
  const links = targetsOf((link) => !/^(?:[a-z]+:|\/)/.test(link));
  const broken: string[] = [];
  for (const [from, link] of links) {
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? from : posix.join(posix.dirname(from), path);
    if (!existsSync(file)) broken.push(`${from}: ${link}`);
    else if (anchor !== undefined && !pages.get(file)?.anchors.includes(anchor)) broken.push(`${from}: ${link}`);
    if (path.endsWith('/') && existsSync(file)) expect((await stat(file)).isDirectory(), link).toBe(true);
  }
  expect(links.length).toBeGreaterThan(200);
  expect(broken).toEqual([]);
});

it('every link to the service leads to something that it answers', async () => {
  const links = targetsOf((link) => link.startsWith('/') || link.startsWith(EXAMPLE_URL)).map(([file, link]) => [
    file,
    link.replace(EXAMPLE_URL, ''),
  ]);
  expect(links.length).toBeGreaterThan(20);
  const operations = app.app.get(Registry).operations.map(({ capability, id }) => `#/${capability}/${id}`);
  const broken: string[] = [];
  for (const [file, link] of links) {
    const { pathname, hash } = new URL(link!, app.url);
    const { status } = await fetch(new URL(pathname, app.url), { redirect: 'manual', headers: { accept: 'text/html' } });
    const isThere = status === 200 || CLOSED.includes(status);
    if (!isThere || (pathname === '/docs' && hash !== '' && !operations.includes(hash))) broken.push(`${file}: ${link}`);
  }
  expect(broken).toEqual([]);
});

it('every page that the documents of the API name exists', async () => {
  const named = await Promise.all(
    ['/openapi.json', '/asyncapi.json', '/collection.json', '/llms.txt'].map(async (path) => (await fetch(new URL(path, app.url))).text()),
  );
  const addresses = named.flatMap((text) => text.match(/https?:\/\/[\w.:-]+\/(?:guides|problems|docs|console|llms)[\w./-]*\w/g) ?? []);
  const paths = new Set(
    addresses
      .map((address) => new URL(address))
      .filter(({ origin }) => origin === app.url)
      .map(({ pathname }) => pathname),
  );
  expect(paths.size).toBeGreaterThan(20);
  for (const path of paths)
    expect(CLOSED.concat(200), path).toContain((await fetch(new URL(path, app.url), { redirect: 'manual' })).status);
});
