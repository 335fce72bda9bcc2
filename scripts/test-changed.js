/**
 * `npm run test:changed`: what the files that differ from main can break, for the inner loop. Checks, the unit tests that import a changed
 * file, the tests of the modules that have changed, the changed tests, and where only documents have changed those that read documents.
 * `npm test` is what a change must pass.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { changedFiles } from './changed-files.js';

const files = changedFiles();
const sources = files.filter((file) => /^(src|migrations|tools|codes|words|layouts|wording)\//.test(file));

/** A module has a folder of tests with its name; what all modules share has the laws of the order of a call. */
function testsOf(file) {
  const module = /^src\/modules\/([^/]+)\//.exec(file)?.[1];
  if (module !== undefined) return [`test/e2e/${module}/`].filter((folder) => existsSync(folder));
  const extension = /^src\/extensions\/[^/]+\//.exec(file)?.[0];
  if (extension !== undefined) return existsSync(`${extension}test`) ? [`${extension}test/`] : [];
  // Read from the disk, so no import leads to them.
  if (/^(layouts|words|tools\/(?:bank-tables|personal-data)\/words)\//.test(file)) return ['test/statements/'];
  if (/^wording\//.test(file)) return ['src/api/wording/', 'src/modules/reports/outputs/', 'test/laws/wording.test.ts'];
  if (/^codes\//.test(file)) return ['src/kernel/', 'test/laws/documents.test.ts', 'test/laws/openapi.test.ts'];
  if (/^src\/cli/.test(file)) return ['test/system/cli/'];
  if (/^src\/(api|store|kernel|program)\//.test(file)) return ['test/laws/order-of-checks.test.ts', 'test/laws/answers.test.ts'];
  if (/^test\/.*\.test\.ts$/.test(file)) return [file];
  return file.endsWith('.md') ? ['test/e2e/guides/links.test.ts', 'test/laws/documents.test.ts'] : [];
}

const run = (command, ...args) => spawnSync(command, args, { stdio: 'inherit' }).status ?? 1;
const api = [...new Set(files.flatMap(testsOf))];
const steps = [
  () => run('node', 'scripts/check.js', '--changed'),
  ...(sources.length > 0 ? [() => run('npm', 'run', '--silent', 'build')] : []),
  ...(sources.length > 0 ? [() => run('vitest', 'related', '--run', '--passWithNoTests', '--project', 'unit', ...sources)] : []),
  ...(api.length > 0
    ? [
        () =>
          run(
            'vitest',
            'run',
            '--passWithNoTests',
            '--project',
            'unit',
            '--project',
            'product',
            '--project',
            'api',
            '--project',
            'system',
            ...api,
          ),
      ]
    : []),
];
if (files.length === 0) console.log('Nothing differs from main.');
process.exitCode = files.length === 0 ? 0 : steps.reduce((status, step) => status || step(), 0);
