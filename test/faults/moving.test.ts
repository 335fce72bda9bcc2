import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditService } from '../../src/modules/audit/index.js';
import { EncryptedColumns, Secrets } from '../../src/store/secrets/secrets.js';
import { Ports } from '../../src/store/discovery/ports.js';
import { startApp, type TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { anInstallation, aMove, contentOf, type Installation, OTHER_ENCRYPTION_KEY } from '../support/moves.js';
import { aNote, aWholeOrganization, KEEPING, startKeepingNotes } from '../support/whole-organization.js';

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

/** Tables that do not move, each with why: sessions and tokens end, the files of a store move as rows, and an entry is about the move. */
const NOT_MOVED = ['audit_entries', 'console_sessions', 'oauth_records', 'organization_erasures', 'sign_in_links', 'stored_files'];

describe('a whole organization', () => {
  it('has the same rows in every table after its move, and is answered the same', async () => {
    const whole = await aWholeOrganization(app);
    const { organizationId, key, report } = whole;
    await aNote(app, organizationId);
    const paths = ['/v1/organization', '/v1/claim-projects', '/v1/claim-reports', '/v1/webhooks', `/v1/claim-reports/${report.id}/files/csv`];
    const answersOf = (url: string) => Promise.all(paths.map(async (path) => (await new Client(url, key).get(path)).text));
    const before = await answersOf(app.url);
    const move = aMove(app, other, organizationId);
    await move.makeKey();
    await move.export();
    const imported = JSON.parse((await move.import()).stdout);
    expect(imported).toMatchObject({ organizationId, rows: expect.any(Number) });
    const encrypted = app.app.get(Ports).all(EncryptedColumns).flatMap((port) => port.encrypted);
    const without: Record<string, string[]> = { organizations: ['status'] };
    for (const { table, column } of encrypted) (without[table] ??= []).push(column);
    const [here, there] = [await contentOf(app.databaseUrl, organizationId, without), await contentOf(other.url, organizationId, without)];
    for (const name of NOT_MOVED) [delete here[name], delete there[name]];
    // The entry about the move was sealed there.
    expect(there.audit_events!.length).toBe(here.audit_events!.length + 1);
    there.audit_events = there.audit_events!.filter((row) => !row.includes('organization.moved_in'));
    delete here.audit_chains, delete there.audit_chains;
    expect(Object.values(there).filter((rows) => rows.length > 0).length).toBeGreaterThan(25);
    for (const name of Object.keys(here)) expect(there[name], name).toEqual(here[name]);
    const secrets = [new Secrets(app.settings), new Secrets(app.settings.with({ encryptionKeys: [Buffer.from(OTHER_ENCRYPTION_KEY, 'base64')] }))];
    expect(secrets.length).toBe(2);
    const moved = await startApp({ ...KEEPING, DATABASE_URL: other.url, ENCRYPTION_KEY: OTHER_ENCRYPTION_KEY });
    try {
      expect(await answersOf(moved.url)).toEqual(before);
      expect((await moved.app.get(AuditService).verify(organizationId)).fault).toBeNull();
    } finally {
      await moved.close();
    }
  });
});
