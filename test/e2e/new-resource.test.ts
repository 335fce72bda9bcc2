import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const TIMEOUT_MS = 300_000;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = [
  'src',
  'migrations',
  'scripts',
  'tools',
  'test/support',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'eslint.config.js',
  '.prettierrc.json',
  '.dependency-cruiser.cjs',
];

/** A copy of the project, in which the test generates a resource. */
let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'claims-copy-'));
  for (const path of COPIED) await cp(join(ROOT, path), join(copy, path), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** Executes a program in the copy. Its tests use the database server of these tests. */
function execute(script: string, ...args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', TEST_DATABASE_URL: inject('templateUrl') };
  const child = spawn(process.execPath, [script, ...args], { cwd: copy, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

const generate = (...args: readonly string[]) => execute('scripts/new-resource.js', ...args);
const expectSuccess = ({ code, output }: { code: number | null; output: string }) => expect(code, output).toBe(0);
const LISTS = ['src/app.module.ts', 'migrations/index.ts', '.dependency-cruiser.cjs'];
const listsNow = () => Promise.all(LISTS.map((path) => readFile(join(copy, path), 'utf8')));

describe('npm run new:resource', () => {
  it('prints help, and is a script in package.json', async () => {
    const { code, output } = await generate('--help');
    expect([code, output]).toEqual([0, expect.stringMatching(/NAME[^]*--singular[^]*--path[^]*--capability[^]*--event/)]);
    const { scripts } = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    expect(scripts['new:resource']).toBe('node scripts/new-resource.js');
  });

  it.each([
    ['no name', [], 'Give one NAME'],
    ['two names', ['notes', 'tasks'], 'Give one NAME'],
    ['an unknown option', ['notes', '--nope'], "Unknown option '--nope'"],
    ['capitals', ['Notes'], 'must look like claim-notes'],
    ['an underscore', ['claim_notes'], 'must look like claim-notes'],
    ['a path', ['../notes'], 'must look like claim-notes'],
    ['a name that is not a plural', ['address'], 'does not look like a plural'],
    ['a capability in kebab case', ['notes', '--capability', 'claim-notes'], '--capability must look like claim_notes'],
    ['a name that is too long for its indexes', [`${'long'.repeat(12)}-notes`], 'is longer than 48 characters'],
    ['a folder that exists', ['projects'], 'src/modules/projects already exists'],
    ['a path that exists', ['notes', '--path', 'claim-projects'], 'is already used in src/modules'],
    ['a capability that exists', ['notes', '--capability', 'claim_projects'], 'is already used in src/modules'],
    ['an event that exists', ['notes', '--event', 'claim_project'], 'is already used in src/modules'],
    ['the name of a class that every resource uses', ['problems'], 'Problem is the name of a class'],
  ])('refuses %s in one line, and writes nothing', async (_what, args, reason) => {
    const before = await listsNow();
    const { code, output } = await generate(...args);
    expect([code, output.trim().split('\n')]).toEqual([1, [expect.stringContaining(reason)]]);
    expect(await listsNow()).toEqual(before);
  });

  it(
    'generates a resource that compiles, passes prettier, eslint and dependency-cruiser, and keeps what describeResource promises',
    async () => {
      const generated = await generate('office-supplies', '--capability', 'expense_office_supplies');
      expectSuccess(generated);
      expect(generated.output).toContain('What to do next');
      const written = [...generated.output.matchAll(/^ {2}(\S+\.c?[jt]s)$/gm)].map(([, path]) => path!);
      expect(written).toEqual(expect.arrayContaining([...LISTS, 'src/modules/office-supplies/office-supplies.service.ts']));
      // Only the generated files and what they need: everything else is checked in the project itself.
      await writeFile(
        join(copy, 'tsconfig.generated.json'),
        JSON.stringify({
          extends: './tsconfig.json',
          compilerOptions: { incremental: false },
          include: ['src/app.module.ts', 'migrations', 'test/e2e', 'test/support/global-setup.ts'],
        }),
      );
      const [tests, ...checks] = await Promise.all([
        execute('node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', '--cache=false', 'test/e2e/office-supplies.test.ts'),
        execute('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.generated.json'),
        execute('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', 'src', 'migrations', '--output-type', 'err'),
        execute('node_modules/prettier/bin/prettier.cjs', '--check', ...written),
        execute('node_modules/eslint/bin/eslint.js', ...written),
      ]);
      for (const check of checks) expectSuccess(check);
      expectSuccess(tests);
      expect(tests.output).toMatch(/\b(1\d|2\d) passed, 0 failed/);
    },
    TIMEOUT_MS,
  );
});
