import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditService, type ChainedRow } from '../../../src/modules/audit/index.js';
import { ExportService } from '../../../src/modules/organization-data/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { runCommand } from '../../support/command.js';
import { eventually } from '../../support/eventually.js';
import { rowsOf } from '../../support/database.js';
import { openSession } from '../../support/session.js';
import { JANUARY } from '../../support/statements.js';
import { aWholeOrganization, emptyTables, rowsByTable, startKeeping } from '../../support/whole-organization.js';

/** Tables of which nothing is exported. */
const OF_THE_LOG = ['audit_checkpoints', 'audit_destinations', 'audit_tiles', 'audit_witnesses'];
const NOT_EXPORTED = [...OF_THE_LOG, 'confirmations', 'organization_erasures', 'oauth_records', 'stored_files'];

let app: TestApp;
let folder: string;
let whole: Awaited<ReturnType<typeof aWholeOrganization>>;
beforeAll(async () => {
  app = await startKeeping();
  folder = await mkdtemp(join(tmpdir(), 'claims-export-'));
  await rowsOf(
    app.databaseUrl,
    'CREATE TABLE extension_notes (id uuid PRIMARY KEY, organization_id uuid NOT NULL, written_on date, amount numeric, proof_token bytea)',
  );
  whole = await aWholeOrganization(app);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const exportTo = (file: string, organizationId: string) =>
  runCommand(['org', 'export', organizationId, '--out', file, '--json'], {
    DATABASE_URL: app.databaseUrl,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
  });

type Row = Record<string, unknown>;

/** Reads an export: its heading, its rows by table, and its end. */
function read(text: string) {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  const tables: Record<string, Row[]> = {};
  for (const { table, row } of lines.slice(1, -1)) (tables[table as string] ??= []).push(row as Row);
  return { heading: lines[0]!, tables, end: lines.at(-1)! as { end: true; rows: Record<string, number> } };
}

async function exported(organizationId: string) {
  const file = join(folder, `${newId()}.ndjson`);
  const { code, stdout, stderr } = await exportTo(file, organizationId);
  expect([code, stderr]).toEqual([0, '']);
  const text = await readFile(file, 'utf8');
  return { file, text, printed: JSON.parse(stdout) as Row, ...read(text) };
}

describe('claims org export', () => {
  it('writes every row of every table that belongs to the organization, in a file that only its owner can read', async () => {
    await rowsOf(app.databaseUrl, 'DELETE FROM extension_notes');
    await rowsOf(app.databaseUrl, 'INSERT INTO extension_notes VALUES ($1, $2, $3, $4, $5), ($6, $7, NULL, NULL, NULL)', [
      newId(),
      whole.organizationId,
      '2026-02-01',
      '12345678901234567890.10',
      Buffer.from('a secret'),
      newId(),
      newId(),
    ]);
    // Calls are still being noted and mails sent: an export that is older than the count is made again.
    const { file, heading, tables, end, text, printed, counts } = await eventually(async () => {
      const made = await exported(whole.organizationId);
      // Audit entries are being sealed meanwhile, so these two are compared by their sum. Usage is still being counted.
      const {
        audit_entries: entries,
        audit_events: sealed,
        usage_credentials: _counted,
        usage_days: _counting,
        ...counted
      } = await rowsByTable(app.databaseUrl, whole.organizationId);
      const { audit_entries: e, audit_events: s, usage_days: __, usage_credentials: ___, organizations, ...written } = made.end.rows;
      for (const name of NOT_EXPORTED) delete counted[name];
      expect(written).toEqual(counted);
      expect([organizations, e! + s!]).toEqual([1, entries! + sealed!]);
      return { ...made, counts: counted };
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(printed).toEqual({ id: whole.organizationId, file, bytes: Buffer.byteLength(text) });
    expect(heading).toMatchObject({ format: 'claims-organization/1', organizationId: whole.organizationId });
    expect(await emptyTables(counts)).toEqual([]);
    for (const [name, count] of Object.entries(end.rows)) expect(tables[name] ?? [], name).toHaveLength(count);
    expect(tables.extension_notes).toEqual([
      { id: expect.any(String), organizationId: whole.organizationId, writtenOn: '2026-02-01', amount: expect.any(Number) },
    ]);
    expect(text).toContain('"amount":12345678901234567890.10');
  });

  it('contains the imported files and the files of reports as they are, and records as the API returns them', async () => {
    const { tables } = await exported(whole.organizationId);
    const parts = tables.statement_originals!.filter(({ statementId }) => statementId === whole.statement.id);
    expect(Buffer.concat(parts.map(({ content }) => Buffer.from(content as string, 'base64'))).toString()).toBe(JANUARY);
    const json = tables.claim_report_files!.find(({ format }) => format === 'json')!;
    expect(json.gzipped).toBe(true);
    expect(JSON.parse(gunzipSync(Buffer.from(json.content as string, 'base64')).toString())).toMatchObject({ schema: 'claim-report/1' });
    const { data } = (await whole.api.get('/v1/claim-projects')).body;
    // Fields of extensions that are not set are null in answers alone.
    for (const { customFields: _own, ...project } of data)
      expect(tables.claim_projects).toContainEqual(expect.objectContaining(project as object));
    expect(tables.statement_lines!.map(({ lineNumber }) => lineNumber)).toEqual([1, 2, 3, 4, 5]);
  });

  it('contains no secret: neither as it is, nor encrypted, nor its hash', async () => {
    const { text, tables } = await exported(whole.organizationId);
    for (const secret of whole.secrets) expect(text.includes(secret), secret).toBe(false);
    const stored = await rowsOf<{ secret: Buffer | string }>(
      app.databaseUrl,
      `SELECT key_hash AS secret FROM api_keys UNION ALL SELECT secret FROM webhook_endpoints UNION ALL SELECT secret FROM redaction_keys
        UNION ALL SELECT totp_secret FROM users UNION ALL SELECT secret_hash FROM oauth_applications
        UNION ALL SELECT token_hash FROM user_invitations UNION ALL SELECT sealed_answer FROM idempotency_keys
        UNION ALL SELECT id_hash FROM oauth_records UNION ALL SELECT convert_to(password_hash, 'UTF8') FROM users`,
    );
    const found = stored.filter(({ secret }) => secret !== null).map(({ secret }) => secret as Buffer);
    expect(found.length).toBeGreaterThan(8);
    for (const secret of found) {
      for (const form of ['hex', 'base64', 'utf8'] as const) expect(text.includes(secret.toString(form))).toBe(false);
    }
    const names = [...new Set(Object.values(tables).flatMap((rows) => rows.flatMap((row) => Object.keys(row))))];
    const suspicious = names.filter((name) => /secret|hash|token|password|lease$|totp/i.test(name));
    expect(suspicious.sort()).toEqual([
      ...['dailyTokens', 'hash', 'inputsHash', 'passwordsAllowed'],
      ...['previousHash', 'previousSecretExpiresAt', 'secretHint'],
    ]);
  });

  it('contains the audit log with its hash chain, and is itself in the log', async () => {
    const file = await exported(whole.organizationId);
    await app.app.get(AuditService).sealedHead(whole.organizationId);
    const second = await exported(whole.organizationId);
    expect(file.heading.exportedAt! < second.heading.exportedAt!).toBe(true);
    const log = second.tables.audit_events! as unknown as (ChainedRow & { action: string })[];
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_row, index) => index + 1));
    expect(log.map(({ previousHash }) => previousHash).slice(1)).toEqual(log.map(({ hash }) => hash).slice(0, -1));
    expect(log.map(({ action }) => action)).toContain('organization.exported');
  });

  it('has all rows as they were at one moment, also when they change while it is written', async () => {
    const lines = app.app.get(ExportService).export(OPERATOR, whole.organizationId);
    await lines.next();
    const before = await rowsByTable(app.databaseUrl, whole.organizationId);
    await lines.next();
    await whole.api.post('/v1/claim-projects', { name: newId(), periodStart: '2026-01-01', periodEnd: '2026-12-31' });
    await rowsOf(app.databaseUrl, 'DELETE FROM statement_lines WHERE statement_id = $1 AND line_number = 5', [whole.statement.id]);
    const rest: string[] = [];
    for await (const line of lines) rest.push(line);
    const { rows } = JSON.parse(rest.at(-1)!) as { rows: Record<string, number> };
    expect([rows.claim_projects, rows.statement_lines, rows.events]).toEqual([
      before.claim_projects,
      before.statement_lines,
      before.events,
    ]);
  });

  it('holds few rows in memory: it reads the next ones when the last were written', async () => {
    const { organizationId, take } = whole;
    const many = Array.from({ length: 3000 }, (_, index) => `2026-01-05,Ticket ${index},-1.00,EUR\n`).join('');
    await take({ file: `Date,Description,Amount,Currency\n${many}`, isRedacted: true });
    const statements: string[] = [];
    const lines = app.app.get(ExportService).export(OPERATOR, organizationId);
    let sawLines = 0;
    const watcher = await openSession(app.databaseUrl);
    for await (const line of lines) {
      if (!line.startsWith('{"table":"statement_lines"')) continue;
      sawLines += 1;
      if (sawLines % 1000 !== 1) continue;
      const { rows } = await watcher.query<{ query: string }>(
        `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'FETCH%'`,
      );
      statements.push(...rows.map(({ query }) => query));
    }
    await watcher.end();
    expect(sawLines).toBeGreaterThan(3000);
    expect(new Set(statements)).toEqual(new Set(['FETCH 500 FROM read']));
  });

  it('leaves no file behind when it fails, and replaces an older one only when it is whole', async () => {
    const file = join(folder, 'kept.ndjson');
    expect((await exportTo(file, whole.organizationId)).code).toBe(0);
    const before = await readFile(file, 'utf8');
    const failing = await runCommand(['org', 'export', whole.organizationId, '--out', file], {
      DATABASE_URL: app.databaseUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 'another key').toString('base64'),
    });
    expect(failing.code).toBe(1);
    expect(failing.stderr).toMatch(/^claims: Nothing was exported: The secret of (?:bank statement|receipt|person) [^\n]+\n$/);
    expect(await readFile(file, 'utf8')).toBe(before);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
    const nowhere = await exportTo(join(folder, 'missing', 'export.ndjson'), whole.organizationId);
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('cannot be written (ENOENT)')]);
  });

  it('knows no organization that does not exist', async () => {
    const { code, stderr } = await exportTo(join(folder, 'nothing.ndjson'), 'no-such-organization');
    expect([code, stderr]).toEqual([1, 'claims: There is no organization no-such-organization.\n']);
    expect((await readdir(folder)).filter((name) => name.startsWith('nothing'))).toEqual([]);
  });
});
