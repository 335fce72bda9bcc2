import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startApp, TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { Client } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { COMMITS } from '../../support/releases.js';
import { openSession } from '../../support/session.js';
import { aWholeOrganization, KEEPING, rowsByTable, startKeeping } from '../../support/whole-organization.js';

const FOLDER = 'test/data/releases';
const TIMEOUT_MS = 240_000;

/** What belongs to the data of a release, and is not in the database. */
interface Kept {
  readonly organizationId: string;
  readonly key: string;
  readonly reportId: string;
  readonly claimable: string;
  /** Of the files of the run, by format. */
  readonly sha256: Readonly<Record<string, string>>;
  readonly auditRows: number;
  /** What the organization has in each table. */
  readonly rows: Readonly<Record<string, number>>;
}

/** The data of the version that is about to be released: `KEEP_RELEASE=1.0.0`, see docs/releasing.md. */
const { KEEP_RELEASE } = process.env;
async function keep(release: string): Promise<void> {
  const app = await startKeeping();
  const { organizationId, key, report } = await aWholeOrganization(app);
  const { rows: auditRows } = await verified(app.databaseUrl, organizationId);
  const sha256 = Object.fromEntries((report.result?.outputs ?? []).map(({ format, sha256: hash }) => [format, hash]));
  const claimable = report.result!.totals.claimable;
  const kept: Kept = {
    organizationId,
    key,
    reportId: report.id,
    claimable,
    sha256,
    auditRows,
    rows: await rowsByTable(app.databaseUrl, organizationId),
  };
  const options = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=100'];
  const dump = execFileSync('pg_dump', [...options, app.databaseUrl], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  await app.close();
  mkdirSync(FOLDER, { recursive: true });
  // Lines that begin with a backslash are for psql alone.
  writeFileSync(join(FOLDER, `${release}.sql.gz`), gzipSync(dump.replaceAll(/^\\.*\n/gm, ''), { level: 9 }));
  writeFileSync(join(FOLDER, `${release}.json`), `${JSON.stringify(kept, null, 2)}\n`);
}
if (KEEP_RELEASE) it('the data of a release is kept', { timeout: TIMEOUT_MS }, () => keep(KEEP_RELEASE));

const releases = readdirSync(FOLDER).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);

it('each release of the changelog has its data kept', () => {
  const released = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d\S+) \(\d/gm)].map(([, version]) => version!);
  expect(released.length).toBeGreaterThan(0);
  // Mends of a minor version change no tables that matter here.
  expect(releases).toEqual(expect.arrayContaining(released.filter((version) => version.endsWith('.0'))));
  // The commit of the newest is known only once it is made.
  expect(Object.keys(COMMITS)).toEqual(expect.arrayContaining(released.slice(1)));
});

describe.each(releases)('the data of release %s', (release) => {
  it('is migrated, and all that it has can be read, verified and gone on with', { timeout: TIMEOUT_MS }, async () => {
    const kept = JSON.parse(readFileSync(join(FOLDER, `${release}.json`), 'utf8')) as Kept;
    const database = await restored(release);
    try {
      const migrated = await runCommand(['migrate'], { DATABASE_URL: database.url });
      expect(migrated).toMatchObject({ code: 0 });
      const rows = await rowsByTable(database.url, kept.organizationId);
      expect(Object.fromEntries(Object.keys(kept.rows).map((table) => [table, rows[table]]))).toEqual(kept.rows);
      const doctor = await runCommand(['doctor'], { DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
      expect(doctor.stdout).toMatch(/^ok +secrets/m);
      const { rows: sealed, ok } = await verified(database.url, kept.organizationId);
      expect([ok, sealed >= kept.auditRows]).toEqual([true, true]);
      const app = await startApp({ ...KEEPING, DATABASE_URL: database.url, ROLE: 'all' });
      await goOnWith(app, kept);
      await app.close();
    } finally {
      await database.drop();
    }
  });
});

/** Reads every list, the files of a run, and makes the run again: over the same inputs it claims the same. */
async function goOnWith(app: TestApp, { key, reportId, claimable, sha256 }: Kept): Promise<void> {
  const api = new Client(app.url, key);
  for (const path of [
    'claim-projects',
    'expense-categories',
    'report-configurations',
    'bank-statements',
    'claim-items',
    'receipts',
    'webhooks',
  ])
    expect((await api.get(`/v1/${path}`)).body, path).toMatchObject({ data: expect.arrayContaining([expect.anything()]) });
  for (const [format, hash] of Object.entries(sha256)) {
    const answer = await fetch(`${app.url}/v1/claim-reports/${reportId}/outputs/${format}`, { headers: { 'X-API-Key': key } });
    expect(
      createHash('sha256')
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest('hex'),
      format,
    ).toBe(hash);
  }
  const { reportConfigurationId } = (await api.get(`/v1/claim-reports/${reportId}`)).body as { reportConfigurationId: string };
  const queued = await api.post('/v1/claim-reports', { reportConfigurationId });
  expect(queued.status, queued.text).toBe(201);
  await eventually(async () => {
    const { body } = await api.get(`/v1/claim-reports/${(queued.body as { id: string }).id}`);
    expect(body).toMatchObject({ status: 'succeeded' });
    // What was decided about a line since then counts.
    expect(Number((body as { result: { totals: { claimable: string } } }).result.totals.claimable)).toBeLessThanOrEqual(Number(claimable));
  }, TIMEOUT_MS);
}

async function verified(url: string, organizationId: string): Promise<{ rows: number; ok: boolean }> {
  const { stdout } = await runCommand(['audit', 'verify', '--org', organizationId, '--json'], {
    DATABASE_URL: url,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
  });
  return JSON.parse(stdout) as { rows: number; ok: boolean };
}

/** A database with what the release had made. */
async function restored(release: string) {
  const database = await createDatabase();
  await rowsOf(database.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const client = await openSession(database.url);
  // A dump says that the schema is made; here it is there.
  const dump = gunzipSync(readFileSync(join(FOLDER, `${release}.sql.gz`))).toString();
  await client.query(dump.replace(/^CREATE SCHEMA public;$/m, ''));
  await client.end();
  return database;
}
