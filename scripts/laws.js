/**
 * `npm run laws` runs the laws. `npm run laws -- --extension NAME` runs the tests of one extension and the laws of what it adds, for the
 * inner loop: what they ask of operations of the product is left out, but for those of records that it has fields or hooks for.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chosenExtension } from './chosen-extension.js';

/**
 * What no extension changes: pages, tables and workflows of the product, and how calls are let in, which is the same for each operation.
 * And what needs a build. `npm test` asks all of it.
 */
const OF_PRODUCT = [
  ...[
    'access',
    'advisories',
    'asvs',
    'changing-tables',
    'credentials',
    'doors',
    'event-readers',
    'extension-api',
    'extensions-start',
    'facts',
  ],
  ...['final-claims', 'floors', 'glossary', 'growing-lists', 'loaded-at-start', 'metrics', 'open-routes', 'order-of-checks', 'performance'],
  ...['permissions', 'row-security', 'scorecard', 'sensitive-reads', 'tenants', 'test-environment', 'tests', 'threat-model', 'wording'],
].map((name) => `${name}.test.ts`);
/** The forms of a key are the same for each operation, too. */
const OF_EACH = ['an Idempotency-Key of'];
const ALL = ['--project', 'api', '--project', 'system', '--project', 'extended', 'test/laws'];

const extension = chosenExtension();
const given = process.argv.slice(2);
process.exitCode = vitest(...(extension ? ofOne(extension) : [...ALL, ...given]));

function vitest(...args) {
  // Each worker imports all sources, which would take longer than the few tests of one extension.
  const env = extension ? { VITEST_MAX_WORKERS: '2', ...process.env } : process.env;
  return spawnSync('vitest', ['run', ...args], { stdio: 'inherit', env }).status ?? 1;
}

function ofOne({ folder }) {
  const laws = readdirSync('test/laws').filter((name) => name.endsWith('.test.ts') && !OF_PRODUCT.includes(name));
  const files = [...laws.map((name) => `test/laws/${name}`), `${folder}/`];
  const leftOut = [...othersThan(folder), ...OF_EACH].join('|');
  return ['--project', 'api', ...files, '--testNamePattern', `^(?!(?:.* )?(?:${leftOut})(?: |$))`];
}

/** The operations, tools, scopes and events of the product, as tests name them, that the extension has no part in. */
function othersThan(folder) {
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !name.startsWith('test/'),
  );
  const source = texts.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const tables = [...source.matchAll(/\b(?:custom|computed)Fields\(\s*'(\w+)'/g)].map(([, table]) => table);
  const records = tables.map((table) => (table === 'webhook_endpoints' ? 'webhooks' : table));
  const isItsPart = (id) => source.includes(`'${id}'`) || records.includes(id.split('.')[0]);
  const { paths, webhooks } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const others = operations.filter(({ operationId }) => !isItsPart(operationId));
  const ofRecords = new Set(operations.filter((one) => !others.includes(one)).map((one) => one['x-scope']));
  const names = others.flatMap((one) => [one.operationId, one['x-tool']?.name, ofRecords.has(one['x-scope']) ? undefined : one['x-scope']]);
  const nouns = records.map((table) => table.replace(/ies$/, 'y').replace(/s$/, ''));
  const events = Object.keys(webhooks).filter((kind) => !nouns.includes(kind.split('.')[0]));
  return [...new Set([...names, ...events])].filter(Boolean).map((name) => name.replaceAll('.', '\\.'));
}
