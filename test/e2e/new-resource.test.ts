import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const PATIENCE_MS = 300_000;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NEEDED = [
  'src',
  'migrations',
  'scripts',
  'tools',
  'test/support',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'eslint.config.js',
  '.dependency-cruiser.cjs',
];

/** A copy of the project, in which a resource may be made that this one does not have. */
let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'claims-copy-'));
  for (const path of NEEDED) await cp(join(ROOT, path), join(copy, path), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** Runs a program of the project in the copy; its tests use the database server of these. */
function run(script: string, ...args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', TEST_DATABASE_URL: inject('templateUrl') };
  const child = spawn(process.execPath, [script, ...args], { cwd: copy, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: PATIENCE_MS });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

const generate = (...args: readonly string[]) => run('scripts/new-resource.js', ...args);
const expectDone = ({ code, output }: { code: number | null; output: string }) => expect(code, output).toBe(0);
const LISTS = ['src/app.module.ts', 'migrations/index.ts', '.dependency-cruiser.cjs'];
const listsNow = () => Promise.all(LISTS.map((path) => readFile(join(copy, path), 'utf8')));

describe('npm run new:resource', () => {
  it('explains itself, and is a script of the project', async () => {
    const { code, output } = await generate('--help');
    expect([code, output]).toEqual([0, expect.stringMatching(/NAME[^]*--singular[^]*--path[^]*--capability[^]*--event/)]);
    const { scripts } = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    expect(scripts['new:resource']).toBe('node scripts/new-resource.js');
  });

  it.each([
    ['no name', [], 'One NAME is needed'],
    ['two names', ['notes', 'tasks'], 'One NAME is needed'],
    ['an option that it does not have', ['notes', '--nope'], "Unknown option '--nope'"],
    ['capitals', ['Notes'], 'is to be written like claim-notes'],
    ['an underscore', ['claim_notes'], 'is to be written like claim-notes'],
    ['a path', ['../notes'], 'is to be written like claim-notes'],
    ['what is no plural', ['address'], 'is no plural that is understood here'],
    ['a capability in kebab case', ['notes', '--capability', 'claim-notes'], '--capability is to be written like claim_notes'],
    ['a name longer than its indexes can be', [`${'long'.repeat(12)}-notes`], 'has more than 48 characters'],
    ['a folder that exists', ['projects'], 'src/modules/projects exists already'],
    ['an address that exists', ['notes', '--path', 'claim-projects'], 'stands in src/modules'],
    ['a capability that exists', ['notes', '--capability', 'claim_projects'], 'stands in src/modules'],
    ['an event that exists', ['notes', '--event', 'claim_project'], 'stands in src/modules'],
    ['the name of a class that every resource uses', ['problems'], 'Problem is the name of something'],
  ])('refuses %s in one line, and writes nothing', async (_what, args, reason) => {
    const before = await listsNow();
    const { code, output } = await generate(...args);
    expect([code, output.trim().split('\n')]).toEqual([1, [expect.stringContaining(reason)]]);
    expect(await listsNow()).toEqual(before);
  });

  it(
    'makes a resource that compiles, keeps to the arrows, and does what describeResource promises',
    async () => {
      const made = await generate('office-supplies', '--capability', 'expense_office_supplies');
      expectDone(made);
      expect(made.output).toContain('What to do next');
      // What else is tested of the project is tested where it stands: here only what was made, and what that needs.
      await writeFile(
        join(copy, 'tsconfig.made.json'),
        JSON.stringify({
          extends: './tsconfig.json',
          compilerOptions: { incremental: false },
          include: ['src/app.module.ts', 'migrations', 'test/e2e', 'test/support/global-setup.ts'],
        }),
      );
      const [tests, ...checks] = await Promise.all([
        run('node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', '--cache=false', 'test/e2e/office-supplies.test.ts'),
        run('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.made.json'),
        run('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', 'src', 'migrations', '--output-type', 'err'),
      ]);
      for (const check of checks) expectDone(check);
      expectDone(tests);
      expect(tests.output).toMatch(/\b(1\d|2\d) passed, 0 failed/);
    },
    PATIENCE_MS,
  );
});
