import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as client from '../../client/src/index.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE_MS = 120_000;

it('every TypeScript block of the README compiles in strict mode', { timeout: PATIENCE_MS }, async () => {
  const text = await readFile(join(ROOT, 'client/README.md'), 'utf8');
  const blocks = [...text.matchAll(/```ts\n([^]+?)```/g)].map(([, block]) => block!);
  expect(blocks.length).toBeGreaterThan(5);
  const folder = await mkdtemp(join(tmpdir(), 'claims-readme-'));
  try {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await Promise.all(blocks.map((block, number) => writeFile(join(folder, `block-${number}.ts`), block)));
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      types: ['node'],
      skipLibCheck: true,
      paths: { '@claims-api/client': [join(ROOT, 'client/src/index.ts')] },
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('every mistake and every name of the package that the README states exists', async () => {
  const text = await readFile(join(ROOT, 'client/README.md'), 'utf8');
  const named = [...text.matchAll(/import \{ ([^}]+) \} from '@claims-api\/client'/g)].flatMap(([, names]) => names!.split(', '));
  expect(named.filter((name) => !name.startsWith('type ') && !(name in client))).toEqual([]);
  const resources = /claims\.projects`, ([^.]+)\./.exec(text)![1]!.match(/\w+(?=`)/g)!;
  expect(resources.filter((name) => !(name in new client.Claims({ apiKey: 'pk_test_x' })))).toEqual([]);
});
