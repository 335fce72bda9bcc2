import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { GuideBlocks } from '../../support/guide-blocks.js';
import { programIn } from '../../support/guide-programs.js';

const blocks = new GuideBlocks('audit-log');
const verify = programIn(blocks.take('js'))!;
// A batch, which test/e2e/audit/stream.test.ts compares with one that was sent.
blocks.take('json', '[\n');

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await startApp();
  folder = await mkdtemp(join(tmpdir(), 'claims-audit-'));
  await writeFile(join(folder, verify.file), verify.text);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

/** Runs the documented script on an export, by its command. */
async function verdictOn(events: readonly object[]): Promise<{ code: number; stdout: string }> {
  const file = join(folder, 'events.jsonl');
  await writeFile(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return new Promise((resolve) => {
    execFile('sh', ['-c', verify.command], { cwd: folder }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), stdout: stdout.trim() }),
    );
  });
}

it('the documented script verifies an export, and names the first event that was changed', async () => {
  const { key } = await aTenant(app, { environment: 'live' });
  const api = new Client(app.url, key);
  const metadata = {
    schlüssel: '€ \u2028 \\ " \u0007',
    zahl: [1e21, 0.1, -0, 1e-7, 123456789012345680],
    '\ud83d\ude00': { b: null, a: [true, {}] },
    '': '',
    '10': 1,
    '9': 2,
  };
  for (const name of ['Berlin', 'Grüße 😀', 'A "quoted" \\ name']) {
    expect((await api.post('/v1/claim-projects', { name, periodStart: '2026-01-01', periodEnd: '2026-12-31', metadata })).status).toBe(201);
  }
  const { data } = (await api.get('/v1/audit/events')).body as { data: { sequence: number; hash: string; actor: { name: string } }[] };
  const head = data.at(-1)!;
  expect(await verdictOn(data)).toEqual({ code: 0, stdout: `ok ${head.sequence}:${head.hash}` });
  const altered = data.map((event, index) => (index === 2 ? { ...event, actor: { ...event.actor, name: 'Somebody else' } } : event));
  expect(await verdictOn(altered)).toEqual({ code: 1, stdout: 'bad at sequence 3' });
  expect(await verdictOn(data.filter((_event, index) => index !== 1))).toEqual({ code: 1, stdout: 'bad at sequence 2' });
});

it('every block of the guide was run', () => {
  expect(blocks.left).toEqual([]);
});
