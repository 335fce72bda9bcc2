import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, afterEach, expect, it } from 'vitest';
import { Settings } from '../../../src/kernel/settings/settings.js';
import { prepareDatabase } from '../../../src/program/start.js';
import { startApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { runClaims, startProcess } from '../../support/process.js';

const aKey = (): string => randomBytes(32).toString('base64');
const [old, next, other] = [aKey(), aKey(), aKey()];
const LACKS =
  /ENCRYPTION_KEY \([\da-f]{8}\) lacks the key [\da-f]{8}, which has encrypted secrets of this database: set it, after the new one/;

let database: Awaited<ReturnType<typeof createDatabase>>;
const dropped: Promise<void>[] = [];
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => void dropped.push(database.drop()));
afterAll(() => Promise.all(dropped));

const withKeys = (keys: string) => ({ DATABASE_URL: database.url, ENCRYPTION_KEY: keys });
/** What happens to the database at the start of a process. */
const start = (keys: string): Promise<void> => prepareDatabase(Settings.from(withKeys(keys)));
const reencrypt = (keys: string) => runCommand(['secrets', 'reencrypt'], withKeys(keys));

it('a process with a wrong ENCRYPTION_KEY was ready and delivered nothing: now it ends with one line that names the key', async () => {
  const first = await startProcess({ ...withKeys(old), ROLE: 'worker' });
  await first.stop();
  const wrong = await runClaims(['start'], { ...withKeys(other), ROLE: 'worker' });
  expect([wrong.code, wrong.stderr.trim().split('\n').length]).toEqual([1, 1]);
  expect(wrong.stderr).toMatch(LACKS);
  expect(wrong.stderr).not.toContain(other);
  const examined = await runCommand(['doctor'], withKeys(other));
  expect([examined.code, examined.stdout]).toEqual([1, expect.stringMatching(new RegExp(`FAILED +keys +${LACKS.source}`))]);
  expect((await runCommand(['doctor'], withKeys(old))).stdout).toMatch(/ok +keys /);
  await (await startProcess({ ...withKeys(old), ROLE: 'worker' })).stop();
});

it('a key is retired: both are set, everything is encrypted again, and then the old one alone is refused', async () => {
  await start(old);
  const app = await startApp(withKeys(old));
  const webhook = { name: 'Hook', targetUrl: 'https://receiver.example/hook', subscribedEvents: ['claim_project.created'] };
  expect((await new Client(app.url, (await aTenant(app)).key).post('/v1/webhooks', webhook)).status).toBe(201);
  await app.close();
  await start(`${next},${old}`);
  // From now on there may be secrets under the new key.
  await expect(start(old)).rejects.toThrow(LACKS);
  // Not all of them are under it.
  await expect(start(next)).rejects.toThrow(LACKS);
  expect((await reencrypt(next)).code).toBe(1);
  await expect(start(next)).rejects.toThrow(LACKS);
  expect((await reencrypt(`${next},${old}`)).code).toBe(0);
  await start(next);
  await start(`${next},${old}`);
  await start(next);
  await expect(start(old)).rejects.toThrow(LACKS);
});

it('two processes that start at once with different keys: one of them is refused', async () => {
  const results = await Promise.allSettled([start(old), start(other)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await rowsOf(database.url, 'SELECT key_id FROM encryption_key_checks')).toHaveLength(1);
});

it('a key with the same id that is another one is refused as well', async () => {
  await start(old);
  await rowsOf(database.url, `UPDATE encryption_key_checks SET canary = set_byte(canary, 40, get_byte(canary, 40) # 1)`);
  await expect(start(old)).rejects.toThrow(LACKS);
});
