import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../support/database.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = ['bin', 'dist', 'docs', 'package.json', 'package-lock.json', '.npmrc', 'client/package.json'];

let folder: string;
let database: Awaited<ReturnType<typeof createDatabase>>;
// Outside the repository: inside it, Node would find the packages that the image lacks.
beforeAll(async () => {
  [folder, database] = await Promise.all([mkdtemp(join(tmpdir(), 'claims-image-')), createDatabase()]);
});
afterAll(() => Promise.all([rm(folder, { recursive: true }), database.drop()]));

const inFolder = (command: string, env: Readonly<Record<string, string>> = {}) =>
  run('sh', ['-c', command], { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env } });

it('the whole service can be loaded with the packages that the Dockerfile keeps', async () => {
  const dockerfile = await readFile(join(ROOT, 'docker/Dockerfile'), 'utf8');
  const pruning = /^RUN npm run build && (.+)$/m.exec(dockerfile)![1]!;
  await Promise.all(COPIED.map((name) => cp(join(ROOT, name), join(folder, name), { recursive: true })));
  // Hard links, unless the folder is on another disk.
  await inFolder(`cp -al "${ROOT}node_modules" . 2>/dev/null || cp -a "${ROOT}node_modules" .`);
  await inFolder(pruning);
  const { stdout } = await inFolder('node bin/claims.js org create --name Image --plan starter --json', { DATABASE_URL: database.url });
  expect(JSON.parse(stdout)).toMatchObject({ slug: 'image' });
});
