/**
 * `npm run pack:client` packs the client library as integrators install it: with what extensions add to the API, if
 * there are some. `node scripts/pack-client.js FOLDER` leaves it in another folder than the repository.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** A copy, in which generated files can be replaced. It is below the repository, so that it finds the tools. */
const COPY = join(ROOT, 'dist/packed-client');
/** The verifier of the audit log is the console's. */
const COPIED = ['client', 'public', 'tsconfig.json'];
/** What `npm run contracts` has generated. */
const OF_EXTENSIONS = ['src/extensions', 'extensions'].map((folder) => join(ROOT, folder, 'documents/client'));

rmSync(COPY, { recursive: true, force: true });
mkdirSync(COPY, { recursive: true });
const isSource = (path) => !/\/(dist|node_modules)$/.test(path.slice(ROOT.length));
for (const name of COPIED) cpSync(join(ROOT, name), join(COPY, name), { recursive: true, filter: isSource });
for (const folder of OF_EXTENSIONS) if (existsSync(folder)) cpSync(folder, join(COPY, 'client'), { recursive: true });
execFileSync('npm', ['pack', ...(process.argv[2] ? ['--silent'] : []), '--pack-destination', process.argv[2] ?? ROOT], {
  cwd: join(COPY, 'client'),
  stdio: 'inherit',
});
rmSync(COPY, { recursive: true });
