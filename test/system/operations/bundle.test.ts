import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import viteConfig from '../../../vite.config.js';
import { createDatabase } from '../../support/database.js';
import { runClaims, startProcess } from '../../support/process.js';

const PROBE = fileURLToPath(new URL('../../support/loaded-libraries.js', import.meta.url));
const PACKAGE = fileURLToPath(new URL('../../../package.json', import.meta.url));

let database: { url: string; drop: () => Promise<void> };
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** The dependencies in package.json that a process loads from node_modules although they are bundled. */
async function loadedTwice(stderr: string): Promise<string[]> {
  const { dependencies } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { dependencies: Record<string, string> };
  const external = viteConfig.ssr!.external as string[];
  const loaded = /^loaded: (.*)$/m.exec(stderr)![1]!.split(' ');
  expect(loaded, 'the process says what it has loaded').toContain('pino');
  return loaded.filter((name) => name in dependencies && !external.includes(name));
}

// Two copies of a library have different classes, so `instanceof` fails. A taken name was once answered with 503 because of that.
describe('the bundled program', () => {
  it('recognizes errors of the database: a taken slug is refused with that reason', async () => {
    const create = () => runClaims(['org', 'create', '--name', 'Once', '--plan', 'starter'], { DATABASE_URL: database.url });
    expect(await create()).toMatchObject({ code: 0 });
    expect(await create()).toMatchObject({ code: 1, stderr: 'claims: An organization with the slug once already exists.\n' });
  });

  it('loads no second copy of a library', async () => {
    const env = { DATABASE_URL: database.url, ROLE: 'all', NODE_OPTIONS: `--import ${PROBE}` };
    const redisUrl = inject('redisUrl');
    const service = await startProcess(redisUrl ? { ...env, REDIS_URL: redisUrl } : env);
    expect((await fetch(`${service.url}/openapi.json`)).status).toBe(200);
    expect(await loadedTwice((await service.stop()).stderr)).toEqual([]);
  });
});
