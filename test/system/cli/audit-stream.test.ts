import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { anOrganization } from '../../support/builders.js';
import { runCommand } from '../../support/command.js';
import { createDatabase } from '../../support/database.js';

const COMMAND = fileURLToPath(new URL('../../../bin/claims.js', import.meta.url));
const TOKEN = 'Splunk 0f0f0f0f-secret-token';

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createDatabase();
  env = { DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
  app = await startApp(env);
}, 300_000);
afterAll(() => app.close().then(database.drop));

it('adds a destination of the log with its token on standard input, lists it without the token, and removes it', async () => {
  const { id: org } = await anOrganization(app, { plan: 'enterprise' });
  const url = 'https://logs.example/ingest';
  const args = ['audit', 'stream', 'add', '--org', org, '--url', url, '--name', 'Authorization', '--secret-stdin', '--json'];
  const options = { cwd: tmpdir(), env: { PATH: process.env.PATH, ...env }, input: `${TOKEN}\n`, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], options);
  expect(status, stderr).toBe(0);
  const { id } = JSON.parse(stdout) as { id: string };
  const listed = await runCommand(['audit', 'stream', 'list', '--org', org], env);
  expect(listed.stdout).toMatch(new RegExp(`^${id}  ${url}  \\d+ behind\n$`));
  const asJson = await runCommand(['audit', 'stream', 'list', '--org', org, '--json'], env);
  for (const said of [stdout, stderr, asJson.stdout]) expect(said).not.toMatch(/secret/);
  expect((await runCommand(['audit', 'stream', 'remove', '--org', org, '--id', id], env)).code).toBe(0);
  expect((await runCommand(['audit', 'stream', 'list', '--org', org, '--json'], env)).stdout).toBe('[]\n');
});
