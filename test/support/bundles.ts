import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';

let programs = 0;

/** A program as a file of a folder. */
export async function written(folder: string, program: string): Promise<string> {
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
