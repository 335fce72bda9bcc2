import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { BODY_MAX_BYTES, HEADERS_MAX_BYTES } from '../../src/kernel/product.js';
import { SETTINGS } from '../../src/kernel/settings/settings.js';

const page = await readFile('docs/threat-model.md', 'utf8');
const limits = await readFile('docs/security.md', 'utf8');
/** Those that promise what no block of theirs shows. */
const PROMISING = [
  ...[
    'accessibility',
    'audit-log',
    'authentication',
    'backup',
    'bank-statements',
    'claim-closing',
    'claim-reports',
    'data-protection',
    'environments',
    'idempotency',
  ],
  ...[
    'kubernetes',
    'mcp',
    'mcp-in-detail',
    'oauth',
    'oauth-in-detail',
    'operating',
    'pagination',
    'redaction',
    'releasing',
    'reliability',
    'report-files',
    'runbooks',
    'scaling',
    'versioning',
    'webhooks',
  ],
].map((name) => `docs/${name}.md`);
const guides = await Promise.all(['SECURITY.md', ...PROMISING].map((file) => readFile(file, 'utf8')));
/** The rows of the table, without its head. */
const rows = page.split('\n').filter((line) => /^\| [A-Z]/.test(line) && !line.startsWith('| Who, and where'));
const namedIn = (row: string): [file: string, title: string][] =>
  [...row.matchAll(/`([\w./-]+\.(?:test|spec)\.ts)`: “([^”]+)”/g)].map(([, file, title]) => [file!, title!]);

it('every row of the threat model names a test', () => {
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter((row) => namedIn(row).length === 0)).toEqual([]);
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

it('what operators and integrators are promised names tests', () => {
  expect(guides.filter((guide) => namedIn(guide).length === 0)).toEqual([]);
});

it.each([...rows, limits, ...guides].flatMap(namedIn))('a test that is named exists: %s, %s', async (file, title) => {
  expect(await readFile(file, 'utf8')).toMatch(new RegExp(`\\(\\s*['"\`]${escaped(title)}['"\`],`));
});

it('docs/security.md states the limits of slow and large requests as they are', () => {
  expect(limits).toContain(`| Headers, with the first line | ${HEADERS_MAX_BYTES / 1024} KiB | 431 |`);
  expect(limits).toContain(`| JSON bodies | ${BODY_MAX_BYTES / 1024 ** 2} MiB | 413 |`);
  expect(limits).toContain(`\`REQUEST_TIMEOUT_MS\`, ${SETTINGS.requestTimeoutMs.fallback / 1000} seconds by default`);
});
