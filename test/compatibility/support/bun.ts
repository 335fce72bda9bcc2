import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { written } from '../../support/bundles.js';

const run = promisify(execFile);
const BUN = fileURLToPath(new URL('../node_modules/.bin/bun', import.meta.url));

/** A program as the bundler of Bun makes it for browsers. */
export async function bundledByBun(folder: string, program: string, external: string[] = []): Promise<string> {
  const entry = await written(folder, program);
  const options = external.flatMap((name) => ['--external', name]);
  const { stdout } = await run(BUN, ['build', entry, '--minify', '--target', 'browser', ...options], { cwd: folder });
  return stdout;
}
