import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Claims } from '../../client/src/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { aKey, anOrganization } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { anExample } from '../support/running-examples.js';
import { startFaultyProxy } from '../support/faulty-proxy.js';

const PATIENCE_MS = 120_000;
const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let app: TestApp;
let example: Awaited<ReturnType<typeof anExample>>;
beforeAll(async () => {
  app = await startApp();
  example = await anExample('audit-export');
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await example.remove();
});

/** An organization with a log, and files of its own. */
async function anExport() {
  const { id } = await anOrganization(app);
  const { key } = await aKey(app, id, { environment: 'live' });
  const claims = new Claims({ apiKey: key, baseUrl: app.url });
  const write = async (count: number, name: string) => {
    for (let number = 0; number < count; number += 1) await claims.projects.create({ name: `${name} ${number}`, ...PERIOD });
  };
  const path = join(example.folder, `${id}.jsonl`);
  const headPath = join(example.folder, `${id}.txt`);
  const start = (url = app.url) => example.start(['export.js', path, headPath], { CLAIMS_BASE_URL: url, CLAIMS_API_KEY: key });
  const sequences = async () => {
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    return lines.map((line) => (JSON.parse(line) as { sequence: number }).sequence);
  };
  return { path, headPath, write, start, sequences };
}
const upTo = (count: number): number[] => Array.from({ length: count }, (_none, number) => number + 1);

it('adds only what is new, and keeps the head', async () => {
  const { headPath, write, start, sequences } = await anExport();
  await write(3, 'First');
  const first = await start().ended;
  const { length } = await sequences();
  expect(first).toMatchObject({ code: 0, stdout: `${length} new events, unchanged up to ${await readFile(headPath, 'utf8')}` });
  expect((await start().ended).stdout).toMatch(/^0 new events/);
  await write(2, 'Second');
  expect((await start().ended).stdout).toMatch(/^2 new events/);
  expect(await sequences()).toEqual(upTo(length + 2));
  expect(await readFile(headPath, 'utf8')).toMatch(new RegExp(`^${length + 2}:[0-9a-f]{64}\n$`));
});

it('continues after it was killed, also in the middle of a line', async () => {
  const { path, write, start, sequences } = await anExport();
  await write(110, 'Many');
  // The first page, of 100 events, is answered, and the second never.
  const network = await startFaultyProxy(app.url, (number) => (number === 1 ? 'silence' : undefined));
  const running = start(network.url);
  await eventually(() => expect(network.made.silence).toBe(1));
  expect((await running.kill()).code).toBeNull();
  await network.close();
  const { length } = await sequences();
  await appendFile(path, '{"id":"half a li');
  const { code, stdout } = await start().ended;
  const all = await sequences();
  expect(all).toEqual(upTo(all.length));
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${all.length - length} new events`)]);
  expect(length).toBe(100);
  expect(all.length).toBeGreaterThan(110);
});

it('says which event was changed, ends with 1, and keeps the head of the last good file', async () => {
  const { path, headPath, write, start } = await anExport();
  await write(3, 'First');
  await start().ended;
  const head = await readFile(headPath, 'utf8');
  await writeFile(path, (await readFile(path, 'utf8')).replace('First 1', 'Other 1'));
  const { code, stderr } = await start().ended;
  expect([code, stderr]).toEqual([1, expect.stringMatching(/is not the log as it was written: .*\d/)]);
  expect(await readFile(headPath, 'utf8')).toBe(head);
});

it('notices that the log ends before the head that was kept', async () => {
  const { path, headPath, write, start } = await anExport();
  await write(3, 'First');
  await start().ended;
  const [sequence] = (await readFile(headPath, 'utf8')).split(':');
  await writeFile(headPath, `${Number(sequence) + 5}:${'0'.repeat(64)}\n`);
  expect(await start().ended).toMatchObject({ code: 1, stderr: expect.stringContaining(path) });
});
