/**
 * `npm run compatibility` runs the tests in test/compatibility. What only they need, such as runtimes, frameworks, generators and linters
 * of others, is a package of its own, which is installed when it is needed. Arguments go to Vitest.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('../test/compatibility/', import.meta.url));
const INSTALLED = `${PACKAGE}node_modules/.installed`;

const run = (command, args, cwd) => spawnSync(command, args, { cwd, stdio: 'inherit' }).status ?? 1;

function install() {
  const hash = createHash('sha256')
    .update(readFileSync(`${PACKAGE}package-lock.json`))
    .digest('hex');
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === hash) return 0;
  console.log('Installing what the tests of compatibility need: about 1.3 GB, from the npm registry.');
  const status = run('npm', ['ci'], PACKAGE);
  if (status === 0) writeFileSync(INSTALLED, hash);
  else console.error('It could not be installed, so these tests cannot run. Without a network, run `npm test`: it needs none of this.');
  return status;
}

process.exitCode =
  install() || run('tsc', ['-p', 'test/compatibility']) || run('vitest', ['run', '--project', 'compatibility', ...process.argv.slice(2)]);
