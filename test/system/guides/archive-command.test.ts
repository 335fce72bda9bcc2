import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { archiveCommandInto } from '../../support/recoverable.js';

const SEGMENT = '000000010000000000000001';

it('the command of the guide to backups archives a segment, and does not overwrite one that is there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'claims-archive-'));
  await mkdir(join(folder, 'archive'));
  const [path, archived] = [join(folder, SEGMENT), join(folder, 'archive', SEGMENT)];
  // As Postgres calls it.
  const command = archiveCommandInto(join(folder, 'archive')).replaceAll('%p', path).replaceAll('%f', SEGMENT);
  const archive = () => promisify(execFile)('sh', ['-c', command]);
  await writeFile(path, 'of this server');
  await archive();
  expect(await readFile(archived, 'utf8')).toBe('of this server');
  await writeFile(path, 'of another server with the same archive');
  // Postgres keeps a segment whose command has failed, and tries again.
  await expect(archive()).rejects.toMatchObject({ code: 1 });
  expect(await readFile(archived, 'utf8')).toBe('of this server');
  await rm(folder, { recursive: true });
});
