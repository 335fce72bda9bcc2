import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StartError, type Extension } from '../../src/extension-api.js';
import { extensions } from '../../src/extensions/index.js';
import { createContext } from '../../src/program/app.js';
import { createLog } from '../../src/kernel/log.js';
import { SECRET_SETTINGS, withSecrets } from '../../src/kernel/settings/secret-source.js';
import { Settings, SETTINGS, SettingsError } from '../../src/kernel/settings/settings.js';
import { readSettings } from '../../src/program/read-settings.js';
import { startProcesses } from '../../src/program/start-processes.js';
import { Secrets } from '../../src/store/secrets/secrets.js';
import { runCommand } from '../support/command.js';
import { createDatabase } from '../support/database.js';
import { Kms } from '../support/kms.js';
import { recipesOfPorts, writeRecipes } from '../support/recipes.js';

const KEY = randomBytes(32).toString('base64');
const kms = new Kms();
/** The list of src/extensions/index.ts, as somebody with the recipe has it. */
const list = extensions as Extension[];
let recipes: Awaited<ReturnType<typeof writeRecipes>>;
let acme: Extension;
let kmsUrl: string;
// Doctor looks at all secrets, and others have theirs under other keys.
let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
  kmsUrl = await kms.start();
  recipes = await writeRecipes(await recipesOfPorts());
  const { default: recipe } = await recipes.load<{ default: Extension }>('acme/extension.ts');
  // Its modules and migrations are the business of another test.
  acme = { ...recipe, modules: [], migrations: [] };
  list.push(acme);
});
afterAll(async () => {
  list.splice(0);
  await Promise.all([kms.stop(), recipes.remove(), database.drop()]);
});
beforeEach(() => {
  kms.asked = 0;
  kms.wrongAnswer = undefined;
});

const reached = () => ({ KMS_URL: kmsUrl, KMS_TOKEN: kms.token });
const wrapped = () => ({
  ...reached(),
  DATABASE_URL: kms.wrap('DATABASE_URL', database.url),
  ENCRYPTION_KEY: kms.wrap('ENCRYPTION_KEY', KEY),
  LOG_LEVEL: 'silent',
});
const problemOf = async (env: Record<string, string>): Promise<string> => {
  const error: unknown = await startProcesses(env).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SettingsError);
  return (error as Error).message;
};

describe('a source of secrets', () => {
  it('gives the service its secrets, which then reads what it has stored, and never puts them into the environment', async () => {
    const env = wrapped();
    const settings = await readSettings(env);
    const app = await createContext(settings, createLog(settings));
    const stored = app.get(Secrets).encrypt('a secret', 'its owner');
    await app.close();
    expect(new Secrets(Settings.from({ ENCRYPTION_KEY: KEY })).decrypt(stored, 'its owner')).toBe('a secret');
    expect(JSON.stringify(env)).not.toContain(KEY);
    expect(JSON.stringify(process.env)).not.toContain(KEY);
  });

  it('gives commands their secrets, and is asked once for each secret however often a command reads its settings', async () => {
    const { code, stdout, stderr } = await runCommand(['doctor', '--json'], wrapped());
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('all are under the first key of ENCRYPTION_KEY');
    expect(kms.asked).toBe(2);
    const listed = await runCommand(['org', 'list', '--json'], wrapped());
    expect([listed.code, listed.stderr]).toEqual([0, '']);
    const migrated = await runCommand(['migrate'], wrapped());
    expect([migrated.code, migrated.stdout]).toEqual([0, 'Nothing to do: the database is up to date.\n']);
  });

  it('leaves a secret as it is that is not wrapped', async () => {
    expect(await readSettings({ ENCRYPTION_KEY: KEY })).toEqual(Settings.from({ ENCRYPTION_KEY: KEY }, undefined, [acme.settings!]));
    expect(kms.asked).toBe(0);
  });

  it.each([
    ['says something else than a key', { plaintext: Buffer.from('short').toString('base64url') }, {}, 'no key of 32'],
    ['says another key', { plaintext: randomBytes(32).toString('base64url') }, {}, 'not wrapped with this key'],
    ['refuses', undefined, { KMS_TOKEN: 'another' }, 'the KMS answered 403'],
    ['is not there', undefined, { KMS_URL: 'http://127.0.0.1:1' }, 'TypeError'],
  ])('keeps the process from starting if it %s, naming every setting and no secret', async (_what, answer, settings, why) => {
    kms.wrongAnswer = answer;
    const env: Record<string, string> = wrapped();
    const problem = await problemOf({ ...env, ...settings });
    expect(problem).toMatch(/^DATABASE_URL cannot be read \(.+; ENCRYPTION_KEY cannot be read \(/);
    expect(problem).toContain(why);
    for (const text of [KEY, database.url, kms.token, ...Object.values(env).filter((value) => value.startsWith('kms:'))])
      expect(problem).not.toContain(text);
    // It is asked again.
    kms.wrongAnswer = undefined;
    expect((await readSettings(env)).encryptionKeys).toEqual([Buffer.from(KEY, 'base64')]);
  });

  it('keeps the process from starting if a secret was wrapped for another setting, or is no value for this one', async () => {
    expect(await problemOf({ ...reached(), ENCRYPTION_KEY: kms.wrap('SMTP_URL', KEY) })).toMatch(
      /^ENCRYPTION_KEY cannot be read \(it was not wrapped/,
    );
    const short = await problemOf({ ...reached(), ENCRYPTION_KEY: kms.wrap('ENCRYPTION_KEY', 'c2hvcnQ=') });
    expect(short).toMatch(/^ENCRYPTION_KEY must be 32 bytes/);
    expect(short).not.toContain('c2hvcnQ');
  });

  it('is one: a second extension with a source is refused', async () => {
    list.push({ ...acme, name: 'another' });
    const refused = readSettings(wrapped()).finally(() => list.pop());
    await expect(refused).rejects.toThrow(new StartError('Only one extension can have a source of secrets: acme, another.'));
  });

  it('is not waited for forever', async () => {
    const silent = { read: () => new Promise<string>(() => undefined) };
    await expect(withSecrets({}, silent, 20)).rejects.toThrow(/^DATABASE_URL cannot be read \(the source of secrets took too long\); /);
  });

  it('is asked for settings that there are', () => {
    const names = Object.values(SETTINGS).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...SECRET_SETTINGS]));
  });
});
