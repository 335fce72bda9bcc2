import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditService } from '../../src/modules/audit/index.js';
import { NewOrganizations } from '../../src/modules/organization/index.js';
import { changeContext, OPERATOR } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import { UnitOfWork } from '../../src/store/database/unit-of-work.js';
import { Ports } from '../../src/store/discovery/ports.js';
import { EncryptedColumns, Secrets } from '../../src/store/secrets/secrets.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { anInstallation, aMove, contentOf, done, envOf, HERE, type Installation, OTHER_ENCRYPTION_KEY, THERE } from '../support/moves.js';
import { StatementProxy } from '../support/postgres-statements.js';
import { runClaims, startClaims } from '../support/process.js';
import { Receiver } from '../support/receiver.js';
import { aNote, aWholeOrganization, KEEPING, startKeepingNotes } from '../support/whole-organization.js';
import { aProject, aWebhook } from '../support/webhooks.js';

let app: TestApp;
let other: Installation;
beforeAll(async () => {
  app = await startKeepingNotes();
  other = await anInstallation();
  await rowsOf(other.url, 'CREATE TABLE extension_notes (id uuid PRIMARY KEY, organization_id uuid NOT NULL, note text)');
});
afterAll(async () => {
  await app.close();
  await other.drop();
});

/** The other installation with a process, until the work is done. */
async function there<T>(work: (moved: TestApp) => Promise<T>, env: Record<string, string> = {}): Promise<T> {
  const moved = await startApp({ ...KEEPING, DATABASE_URL: other.url, ENCRYPTION_KEY: OTHER_ENCRYPTION_KEY, ...env });
  try {
    return await work(moved);
  } finally {
    await moved.close();
  }
}

async function anOrganizationWithKey() {
  const { organization, key } = await aTenant(app, { plan: 'enterprise' });
  return { organizationId: organization.id, key, api: new Client(app.url, key) };
}

/** How many rows of an organization the other installation has. */
async function rowsThere(organizationId: string): Promise<number> {
  const content = await contentOf(other.url, organizationId, {});
  return Object.values(content).reduce((sum, rows) => sum + rows.length, 0);
}

/** Tables that do not move: sessions and tokens end, files of a store move as rows of other tables, and the entry of the move is new. */
const NOT_MOVED = ['audit_chains', 'audit_entries', 'console_sessions', 'organization_erasures', 'stored_files'];

/** What is encrypted in a database, in clear. */
async function secretsOf({ app: { app: nest }, url, secrets }: { app: TestApp; url: string; secrets: Secrets }, organizationId: string) {
  const found: Record<string, string[]> = {};
  for (const { table, column, key, owner } of nest
    .get(Ports)
    .all(EncryptedColumns)
    .flatMap((port) => port.encrypted)) {
    if (table === 'stored_files') continue;
    const keys = key.map((name) => `${name}::text`).join(', ');
    const rows = await rowsOf<{ stored: Buffer; key: string[] }>(
      url,
      `SELECT ${column} AS stored, ARRAY[${keys}] AS key FROM ${table} WHERE organization_id = $1 AND ${column} IS NOT NULL ORDER BY 2`,
      [organizationId],
    );
    found[`${table}.${column}`] = rows.map((row) => secrets.decryptBytes(row.stored, owner(...row.key)).toString('hex'));
  }
  return found;
}

describe('a whole organization', () => {
  it('has the same rows in every table after its move, with the same secrets under another key, and is answered the same', async () => {
    const whole = await aWholeOrganization(app);
    const { organizationId, key, report, statement } = whole;
    await aNote(app, organizationId);
    const reports = ['json', 'csv'].map((format) => `/v1/claim-reports/${report.id}/outputs/${format}`);
    const lists = ['organization', 'claim-projects', 'claim-reports', 'webhooks', 'bank-statements', 'claim-items', 'receipts'];
    const paths = [...lists.map((name) => `/v1/${name}`), `/v1/bank-statements/${statement.id}`, ...reports];
    const answersOf = (url: string) => Promise.all(paths.map(async (path) => (await new Client(url, key).get(path)).text));
    const before = await answersOf(app.url);
    const move = aMove(app, other, organizationId);
    await move.export();
    const imported = await move.import();
    const columns = app.app
      .get(Ports)
      .all(EncryptedColumns)
      .flatMap((port) => port.encrypted);
    const without: Record<string, string[]> = { organizations: ['status'] };
    for (const { table, column } of columns) (without[table] ??= []).push(column);
    const [here, elsewhere] = [
      await contentOf(app.databaseUrl, organizationId, without),
      await contentOf(other.url, organizationId, without),
    ];
    for (const name of NOT_MOVED) for (const content of [here, elsewhere]) delete content[name];
    elsewhere.audit_events = elsewhere.audit_events!.filter((row) => !row.includes('organization.moved_in'));
    expect(Object.values(elsewhere).filter((rows) => rows.length > 0).length).toBeGreaterThan(25);
    for (const name of Object.keys(here)) expect(elsewhere[name], name).toEqual(here[name]);
    const unusual = Object.entries(elsewhere).filter(([, rows]) => rows.length === 0);
    expect(unusual).toEqual([]);
    expect(imported.rows).toBe(Object.values(here).reduce((sum, rows) => sum + rows.length, 0) + 1);
    await there(async (moved) => {
      expect(await answersOf(moved.url)).toEqual(before);
      const secrets = await secretsOf({ app, url: app.databaseUrl, secrets: new Secrets(app.settings) }, organizationId);
      expect(await secretsOf({ app, url: other.url, secrets: new Secrets(moved.settings) }, organizationId)).toEqual(secrets);
      expect(Object.values(secrets).flat().length).toBeGreaterThan(8);
    });
    const archive = readFileSync(move.archive).toString('latin1');
    for (const text of [organizationId, 'Jane', 'claims-move', ...whole.secrets]) expect(archive.includes(text), text).toBe(false);
  });
});
