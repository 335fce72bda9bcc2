import { execFile } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { exampleNames, folderOfExample } from '../support/examples.js';

const run = promisify(execFile);
const TSC = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));

const compilerOptions = {
  strict: true,
  allowJs: true,
  checkJs: true,
  noEmit: true,
  module: 'nodenext',
  target: 'es2023',
  types: ['node'],
  skipLibCheck: true,
};

const scriptsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((file) => /^(?!node_modules).*\.js$/.test(file));

it.each(await exampleNames())('the types of %s are right, in strict mode', async (name) => {
  const folder = await folderOfExample(name);
  try {
    const files = await scriptsIn(folder);
    // One in TypeScript is compiled by its framework.
    if (files.length === 0) return;
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const { stdout } = await run(TSC, ['-p', folder]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true });
  }
});
