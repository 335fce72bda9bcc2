import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, type Rolldown } from 'vite';

const run = promisify(execFile);
const BUN = fileURLToPath(new URL('../../node_modules/.bin/bun', import.meta.url));
let programs = 0;

async function written(folder: string, program: string): Promise<string> {
  programs += 1;
  const entry = join(folder, `entry-${programs}.js`);
  await writeFile(entry, program);
  return entry;
}

/** A program as a bundler makes it for browsers. */
export async function bundledByRolldown(folder: string, program: string, external: string[] = []): Promise<string> {
  const entry = await written(folder, program);
  const made = (await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: entry, external, preserveEntrySignatures: 'strict' },
    },
  })) as Rolldown.RolldownOutput;
  return made.output[0].code;
}

/** The same with the bundler of Bun. */
export async function bundledByBun(folder: string, program: string, external: string[] = []): Promise<string> {
  const entry = await written(folder, program);
  const options = external.flatMap((name) => ['--external', name]);
  const { stdout } = await run(BUN, ['build', entry, '--minify', '--target', 'browser', ...options], { cwd: folder });
  return stdout;
}
