/**
 * `npm run laws` runs the laws. `npm run laws -- --extension NAME` runs the tests of one extension and the laws of what it adds, for the
 * inner loop: what they ask of operations of the product is left out, but for those of records that it has fields or hooks for.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chosenExtension } from './chosen-extension.js';

/** What no extension changes: the pages, the tables and the workflows of the product. And what needs a build, as `npm test` makes one. */
const LEFT_OUT = [
  ...[
    'advisories',
    'asvs',
    'extensions-start',
    'facts',
    'final-claims',
    'glossary',
    'loaded-at-start',
    'metrics',
    'order-of-checks',
    'performance',
  ],
  ...['permissions', 'row-security', 'scorecard', 'tenants', 'tests', 'threat-model'],
];
const ALL = ['--project', 'api', '--project', 'system', '--project', 'extended', 'test/laws'];

const extension = chosenExtension();
const given = process.argv.slice(2);
process.exitCode = vitest(...(extension ? ofOne(extension) : [...ALL, ...given]));

function vitest(...args) {
  return spawnSync('vitest', ['run', ...args], { stdio: 'inherit' }).status ?? 1;
}

function ofOne({ folder }) {
  const laws = readdirSync('test/laws').filter((name) => name.endsWith('.test.ts') && !LEFT_OUT.includes(name.replace('.test.ts', '')));
  const files = [...laws.map((name) => `test/laws/${name}`), `${folder}/`];
  return ['--project', 'api', ...files, '--testNamePattern', `^(?!(?:.* )?(?:${othersThan(folder).join('|')})(?: |$))`];
}

/** The operations, tools and events of the product, as tests name them, that the extension has no part in. */
function othersThan(folder) {
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !name.startsWith('test/'),
  );
  const source = texts.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const records = [...source.matchAll(/\bcustomFields\(\s*'(\w+)'/g)].map(([, table]) => table);
  const isItsPart = (id) => source.includes(`'${id}'`) || records.includes(id.split('.')[0]);
  const { paths, webhooks } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const others = operations.filter(({ operationId }) => !isItsPart(operationId));
  const names = others.flatMap((operation) => [operation.operationId, ...(operation['x-tool'] ? [operation['x-tool'].name] : [])]);
  const nouns = records.map((table) => table.replace(/ies$/, 'y').replace(/s$/, ''));
  const events = Object.keys(webhooks).filter((kind) => !nouns.includes(kind.split('.')[0]));
  return [...names, ...events].map((name) => name.replaceAll('.', '\\.'));
}
