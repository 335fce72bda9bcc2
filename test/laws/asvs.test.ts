import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { expect, it } from 'vitest';

const STATES = ['Met', 'Operator', 'Not applicable', 'Not met'];

const page = await readFile('docs/asvs.md', 'utf8');
/** The ids of the standard by level, as OWASP publishes them. */
const standard = JSON.parse(await readFile('test/data/asvs-5.0.json', 'utf8')) as Record<string, readonly string[]>;
const rows = page
  .split('\n')
  .filter((line) => /^\| V\d/.test(line))
  .map((line) => {
    const [id = '', level = '', what = '', state = '', how = '', shown = '', ...others] = line.slice(2, -2).split(' | ');
    return { id, level, what, state, how, shown, others };
  });
type Row = (typeof rows)[number];
const idsOf = (chosen: readonly Row[]): string[] => chosen.map(({ id }) => id);
const withState = (...states: string[]): Row[] => rows.filter(({ state }) => states.includes(state));

const testsOf = ({ shown }: Row): [file: string, title: string][] =>
  [...shown.matchAll(/`([\w./-]+\.(?:test|spec)\.ts)`: “([^”]+)”/g)].map(([, file, title]) => [file!, title!]);
const documentsOf = ({ shown }: Row): string[] => [...shown.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, file]) => posix.join('docs', file!));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const isEmpty = (text: string): boolean => text === '' || text === '–';

it('every requirement of level 1 and 2 has one row, and no row has an id that the standard does not have', () => {
  const known = new Map(Object.entries(standard).flatMap(([level, ids]) => ids.map((id) => [id, level])));
  const twice = idsOf(rows).filter((id, at, ids) => ids.indexOf(id) !== at);
  const unknown = rows.filter(({ id, level }) => known.get(id) !== level);
  expect([twice, idsOf(unknown)]).toEqual([[], []]);
  const listed = new Set(idsOf(rows));
  expect([...standard['1']!, ...standard['2']!].filter((id) => !listed.has(id))).toEqual([]);
});

it('the list of ids is whole: 70 of level 1, 183 of level 2, 92 of level 3', () => {
  expect(Object.values(standard).map((ids) => new Set(ids).size)).toEqual([70, 183, 92]);
});

it('every row says what is asked for and whether it is met, in the words that the page explains', () => {
  expect(idsOf(rows.filter(({ what, state, others }) => isEmpty(what) || !STATES.includes(state) || others.length > 0))).toEqual([]);
});

it('what is met, or left to the operator, is shown by a test or a document', () => {
  const unshown = withState('Met', 'Operator').filter((row) => testsOf(row).length + documentsOf(row).length === 0);
  expect(idsOf(unshown)).toEqual([]);
});

it('what does not apply has a reason, and what is not met says what would be needed', () => {
  expect(idsOf(withState('Not applicable').filter(({ how }) => isEmpty(how)))).toEqual([]);
  expect(idsOf(withState('Not met').filter(({ how }) => !/Needed: \S|As V[\d.]+/.test(how)))).toEqual([]);
});

it('of level 3 only what is met is listed', () => {
  expect(idsOf(rows.filter(({ level, state }) => level === '3' && state !== 'Met'))).toEqual([]);
});

it('every test and document that a row names exists', async () => {
  const missing = rows.flatMap(documentsOf).filter((file) => !existsSync(file));
  const texts = new Map<string, string>();
  for (const [file, title] of rows.flatMap(testsOf)) {
    if (!texts.has(file)) texts.set(file, existsSync(file) ? await readFile(file, 'utf8') : '');
    if (!new RegExp(`\\(\\s*['"\`]${escaped(title)}['"\`],`).test(texts.get(file)!)) missing.push(`${file}: “${title}”`);
  }
  expect(missing).toEqual([]);
});

it('a row names nothing in a form that is not checked', () => {
  const quotes = (text: string): number => text.split('“').length - 1;
  expect(idsOf(rows.filter((row) => quotes(row.shown) !== testsOf(row).length))).toEqual([]);
});

it('the head of the page counts the rows, and lists what is not met', () => {
  for (const state of STATES) {
    const counts = Object.keys(standard).map((level) => withState(state).filter((row) => row.level === level).length);
    expect(page).toContain(`| ${state} | ${counts.join(' | ')} |\n`);
  }
  const [, list = ''] = /^Not met: ([^.]*(?:\.\d[^.]*)*)\.\n/m.exec(page) ?? [];
  expect(list.split(/,\s+/)).toEqual(idsOf(withState('Not met')));
});

const ALGORITHMS: Readonly<Record<string, string>> = {
  sha256: 'SHA-256',
  sha1: 'HMAC-SHA-1',
  'aes-256-gcm': 'AES-256-GCM',
  ed25519: 'Ed25519',
  ec: 'ECDSA',
  'P-256': 'P-256',
};
const NAMED_ALGORITHM = /(?:create(?:Hash|Hmac)|hkdfSync|generateKeyPairSync|\bsign)\('([\w-]+)'|(?:namedCurve:|\bCIPHER =) '([\w-]+)'/g;

it('docs/security.md names every algorithm and purpose of a key in the code, and SHA-1 is for one-time codes alone', async () => {
  const names = ['src', 'tools'].map(async (folder) => (await readdir(folder, { recursive: true })).map((name) => `${folder}/${name}`));
  const files = (await Promise.all(names)).flat().filter((file) => /(?<!\.spec)\.tsx?$/.test(file) && !file.includes('/fixtures/'));
  const inventory = (await readFile('docs/security.md', 'utf8')).split('## Keys and algorithms')[1]!;
  const [found, purposes]: [Map<string, string[]>, string[]] = [new Map(), []];
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    for (const [, a, b] of text.matchAll(NAMED_ALGORITHM)) found.set((a ?? b)!, [...(found.get((a ?? b)!) ?? []), file]);
    purposes.push(...[...text.matchAll(/keysFor\('([^']+)'/g)].map(([, purpose]) => purpose!));
  }
  expect([...found.keys()].filter((name) => !inventory.includes(ALGORITHMS[name] ?? `no word for ${name}`))).toEqual([]);
  expect(purposes.length).toBeGreaterThan(4);
  expect(purposes.filter((purpose) => !inventory.includes(`\`${purpose}\``))).toEqual([]);
  expect(found.get('sha1')).toEqual(['tools/one-time-codes/one-time-codes.ts']);
});
