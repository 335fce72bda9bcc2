import { execFile } from 'node:child_process';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Settings } from '../../../src/kernel/settings/settings.js';
import { prepareDatabase } from '../../../src/program/start.js';
import { TEST_ENCRYPTION_KEY } from '../../support/app.js';
import { runClaims } from '../../support/process.js';
import { inSession } from '../../support/session.js';

const run = promisify(execFile);
const SCRIPT = 'docker/helm/claims-api/files/restore-drill.sh';
const VERIFY = 'docker/helm/claims-api/files/verify-audit-logs.mjs';
/** A server that the installed pg_dump can read: the embedded one is newer than that of Debian. */
const SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const HOUR_MS = 3_600_000;
const name = `claims_${process.pid}_source`;
const scratch = `claims_${process.pid}_drill`;

const urlOf = (database: string): string => Object.assign(new URL(SERVER), { pathname: `/${database}` }).href;

async function query(database: string, sql: string): Promise<Record<string, unknown>[]> {
  return inSession({ connectionString: urlOf(database) }, async (client) => (await client.query(sql)).rows as Record<string, unknown>[]);
}

/** Whether a server answers, and pg_dump is not older than it. */
async function canDump(): Promise<boolean> {
  try {
    const [{ major }] = (await query('postgres', "SELECT current_setting('server_version_num')::int / 10000 AS major")) as [
      { major: number },
    ];
    const { stdout } = await run('pg_dump', ['--version']);
    return Number(/ (\d+)/.exec(stdout)![1]) >= major;
  } catch {
    return false;
  }
}

interface Ended {
  readonly code: number;
  readonly said: string;
}

describe.runIf(await canDump())('the drill of a restore', () => {
  let dumps: string;
  beforeAll(async () => {
    await query('postgres', `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
    const env = { DATABASE_URL: urlOf(name), ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
    expect(await runClaims(['migrate'], env)).toMatchObject({ code: 0 });
    for (const organization of ['Drill One', 'Drill Two'])
      expect(await runClaims(['org', 'create', '--name', organization, '--plan', 'enterprise'], env)).toMatchObject({ code: 0 });
    // What a process does at its start, such as noting its key.
    await prepareDatabase(Settings.from(env));
    // The log is sealed when it is verified.
    // Of a service that runs, each log is signed as well: a line for where logs are kept.
    const { stdout } = await run(process.execPath, [VERIFY], { env: { ...env, PATH: process.env.PATH } });
    expect(stdout).toMatch(/^checkpoint \{"organization":"[^"]+","size":\d+,"note":"/m);
  });
  afterAll(async () => {
    for (const database of [name, scratch]) await query('postgres', `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  });
  beforeEach(async () => {
    dumps = await mkdtemp(join(tmpdir(), 'claims-dumps-'));
    return () => rm(dumps, { recursive: true });
  });

  async function drill(step: string, more: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const env = {
      PATH: process.env.PATH,
      HOME: dumps,
      DATA_DIR: dumps,
      NODE_ENV: 'development',
      DUMPS: dumps,
      SCRATCH_DATABASE_URL: urlOf(scratch),
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      ...more,
    };
    const ended = await run('sh', [SCRIPT, step], { env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    return { code: ended.code, said: ended.stdout + ended.stderr };
  }

  const dump = (file = 'claims.dump'): Promise<unknown> => run('pg_dump', ['--format', 'custom', '--file', join(dumps, file), urlOf(name)]);

  const exists = async (database: string): Promise<boolean> =>
    (await query('postgres', `SELECT 1 FROM pg_database WHERE datname = '${database}'`)).length > 0;

  it('restores the newest dump, verifies the audit log of every organization, and removes the copy', async () => {
    await writeFile(join(dumps, 'older.dump'), 'not a dump');
    await utimes(join(dumps, 'older.dump'), new Date(), new Date(Date.now() - HOUR_MS));
    await dump();
    expect(await drill('restore')).toMatchObject({ code: 0, said: expect.stringContaining('claims.dump') as string });
    const verified = await drill('verify');
    expect(verified, verified.said).toMatchObject({ code: 0 });
    expect(verified.said).toMatch(/^ok {2}\S+ drill-one head [1-9]\d*:[\da-f]{64}$/m);
    expect(verified.said).toContain('2 audit logs, 0 bad');
    expect(await exists(scratch)).toBe(true);
    expect(await drill('remove')).toMatchObject({ code: 0 });
    expect(await exists(scratch)).toBe(false);
    expect(await exists(name)).toBe(true);
  });

  it('fails, and names the organization, if its audit log in the dump is not as it was sealed', async () => {
    await dump();
    await drill('restore');
    const one = "SELECT id FROM organizations WHERE slug = 'drill-one'";
    await query(
      scratch,
      `SET session_replication_role = replica; UPDATE audit_events SET actor_name = 'Other' WHERE organization_id = (${one})`,
    );
    const { code, said } = await drill('verify');
    expect(code).toBe(1);
    expect(said).toMatch(/^BAD \S+ drill-one /m);
    expect(said).toContain('2 audit logs, 1 bad');
  });

  it('fails if the key does not fit what the dump has', async () => {
    await dump();
    await drill('restore');
    const { code, said } = await drill('verify', { ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') });
    expect(code).toBe(1);
    expect(said).toMatch(/FAILED +keys +ENCRYPTION_KEY/);
  });

  it('fails if there is no dump, if the newest is too old, and if it cannot be restored', async () => {
    expect(await drill('restore')).toEqual({ code: 1, said: `restore drill: there is no dump in ${dumps}\n` });
    await writeFile(join(dumps, 'claims.dump'), 'not a dump');
    const broken = await drill('restore');
    expect(broken.code).toBe(1);
    expect(broken.said).toContain('pg_restore');
    await utimes(join(dumps, 'claims.dump'), new Date(), new Date(Date.now() - 27 * HOUR_MS));
    expect(await drill('restore')).toMatchObject({ code: 1, said: expect.stringContaining('is older than 26 hours') as string });
    expect((await drill('restore', { MAX_AGE_HOURS: '28' })).said).not.toContain('older');
  });

  it.each([name, 'claims', 'a b_drill', '_drill'])('drops no database with the name “%s”', async (database) => {
    await dump();
    for (const step of ['restore', 'remove'])
      expect(await drill(step, { SCRATCH_DATABASE_URL: `${urlOf('')}${database}` })).toMatchObject({
        code: 1,
        said: expect.stringContaining('_drill') as string,
      });
    expect(await exists(name)).toBe(true);
  });

  it('fails with a dump of a service that has no organization', async () => {
    await dump();
    await drill('restore');
    const env = { PATH: process.env.PATH, DATA_DIR: dumps, DATABASE_URL: urlOf(scratch), ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
    await query(scratch, 'TRUNCATE organizations CASCADE');
    await expect(run(process.execPath, [VERIFY], { env })).resolves.toMatchObject({ stdout: '0 audit logs, 0 bad\n' });
    await expect(run(process.execPath, [VERIFY, '--some'], { env })).rejects.toMatchObject({ code: 1 });
  });
});
