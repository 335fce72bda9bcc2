import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KEPT = join(ROOT, 'node_modules/.cache/claims-client');
const PATIENCE_MS = 120_000;
/** The verifier of the audit log is the console's. */
const SOURCES = ['client', 'public'];
const ENVIRONMENT = { ...process.env, NODE_OPTIONS: '', npm_config_offline: 'true' };

const isSource = (path: string): boolean => !/\/(?:dist|node_modules)(?:\/|$)/.test(path.slice(ROOT.length - 1));

async function sourcesHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const entries = await readdir(join(ROOT, source), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    for (const file of files.filter(isSource).sort()) hash.update(`${file.slice(ROOT.length)}\0`).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

async function packed(): Promise<string> {
  const archive = join(KEPT, `${await sourcesHash()}.tgz`);
  if (existsSync(archive)) return archive;
  const folder = await mkdtemp(join(tmpdir(), 'claims-client-'));
  try {
    // A copy, so that the build writes nothing into the repository.
    for (const source of SOURCES) await cp(join(ROOT, source), join(folder, source), { recursive: true, filter: isSource });
    await cp(join(ROOT, 'tsconfig.json'), join(folder, 'tsconfig.json'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await mkdir(join(folder, 'packed'));
    await run('npm', ['pack', '--pack-destination', '../packed'], { cwd: join(folder, 'client'), env: ENVIRONMENT, timeout: PATIENCE_MS });
    const [name] = await readdir(join(folder, 'packed'));
    await mkdir(KEPT, { recursive: true });
    await cp(join(folder, 'packed', name!), `${archive}.${process.pid}`);
    await rename(`${archive}.${process.pid}`, archive);
    return archive;
  } finally {
    await rm(folder, { recursive: true });
  }
}

let archive: Promise<string> | undefined;
/** The archive of the client library, as `npm pack` makes it. It is kept until the sources change. */
export const clientArchive = (): Promise<string> => (archive ??= packed());

/** A bare folder in which the client library is installed, as integrators install it. Whoever makes it removes it. */
export async function folderWithClient(): Promise<string> {
  const file = await clientArchive();
  const folder = await mkdtemp(join(tmpdir(), 'claims-package-'));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await run('npm', ['install', file], { cwd: folder, env: ENVIRONMENT, timeout: PATIENCE_MS });
  return folder;
}
