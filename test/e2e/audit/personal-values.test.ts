import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { AuditService } from '../../../src/modules/audit/index.js';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { PersonErasure } from '../../../src/modules/users/index.js';
import { hashOfRow } from '../../../public/verify-chain.js';
import { isIncluded, leafOf, openedNote, split } from '../../../tools/transparency-log/fixtures/verify-by-the-book.js';
import { startApp, type TestApp } from '../../support/app.js';
import { type AuditRow, wholeLog } from '../../support/audit.js';
import { LogDatabase } from '../../support/audit-log.js';
import { aKey, anOrganization } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { anAddress, aUser, signIn } from '../../support/users.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
const logs = new LogDatabase(() => app);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** RFC 8785, for the texts and numbers of the log. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

type Json = Record<string, unknown>;

/** Written from docs/audit-log.md alone: the hash of an event, or why it is not what was committed. */
function hashByTheBook(event: AuditRow): string {
  const {
    hash: _hash,
    salts,
    ...rest
  } = JSON.parse(JSON.stringify(event)) as Json & { salts?: Record<string, string>; previousHash: string };
  for (const [place, commitment] of Object.entries((rest.commitments as Record<string, string> | undefined) ?? {})) {
    const path = place.split('.');
    const last = path.pop()!;
    const owner = path.reduce((at, name) => at[name] as Json, rest as Json);
    const salt = salts?.[place];
    if (salt === undefined && owner[last] !== (place === 'ipAddress' ? null : '(forgotten)')) return `${place} is shown without a salt`;
    if (salt !== undefined && sha256(salt + canonical(owner[last])) !== commitment) return `${place} is not what was committed`;
    delete owner[last];
  }
  return sha256(rest.previousHash + canonical(rest));
}

function expectValid(rows: readonly AuditRow[]): void {
  let previous = '0'.repeat(64);
  for (const row of rows) {
    expect([row.sequence, row.previousHash, hashByTheBook(row)]).toEqual([row.sequence, previous, row.hash]);
    previous = row.hash;
  }
}

/** An organization in which somebody has signed in, also in vain. */
async function aLogWithAPerson(name = 'Canary Person') {
  const organization = await anOrganization(app);
  const api = new Client(app.url, (await aKey(app, organization.id, { environment: 'live' })).key);
  await aUser(app, organization.id, { role: 'owner', name: 'Other Owner' });
  const user = await aUser(app, organization.id, { name, role: 'owner' });
  const address = anAddress();
  expect(await signIn(app, user, { address })).toHaveProperty('user');
  await signIn(app, user, { address, password: 'not the right one' });
  const found = async (): Promise<AuditRow[]> => wholeLog(api);
  await expect.poll(async () => (await found()).map(({ action }) => action)).toContain('user.sign_in_failed');
  return { organization, api, user, address, found };
}

const erase = async (organizationId: string, id: string) => {
  const erasure = app.app.get(PersonErasure);
  for (const found of await erasure.find(organizationId, id)) await erasure.erase(OPERATOR, found);
};

describe('what the log says of people', () => {
  it('is shown as before, with salts that open the commitments of the hash', async () => {
    const { user, address, found } = await aLogWithAPerson();
    const rows = await found();
    expectValid(rows);
    const [created, signedIn, failed] = ['user.created', 'user.signed_in', 'user.sign_in_failed'].map((action) =>
      rows.findLast((row) => row.action === action && row.resource.id === user.id)!,
    );
    expect(created!.changes).toMatchObject({ email: { from: null, to: user.email }, name: { from: null, to: user.name } });
    expect(Object.keys(created!.commitments!).sort()).toEqual(['changes.email.to', 'changes.name.to']);
    expect(signedIn).toMatchObject({ actor: { type: 'user', id: user.id, name: user.name }, ipAddress: address });
    expect(failed).toMatchObject({ actor: { type: 'user', id: null, name: user.email }, ipAddress: address });
    for (const row of [created!, signedIn!, failed!]) expect(Object.keys(row.salts!).sort()).toEqual(Object.keys(row.commitments!).sort());
    expect(rows[0]).not.toHaveProperty('commitments');
  });

  it('is in no row of the log, but encrypted beside it', async () => {
    const { organization, user, address } = await aLogWithAPerson('A name like no other');
    const stored = await rowsOf<{ row: string }>(
      app.databaseUrl,
      `SELECT one::text AS row FROM audit_events one WHERE organization_id = $1
        UNION ALL SELECT encode(sealed, 'escape') FROM audit_personal_values WHERE organization_id = $1`,
      [organization.id],
    );
    expect(stored.length).toBeGreaterThan(4);
    for (const value of [user.name, user.email, address]) expect(stored.map(({ row }) => row).join('\n')).not.toContain(value);
  });

  it('that is changed, or has another salt, is found by every verification', async () => {
    const { organization, found } = await aLogWithAPerson();
    const rows = await found();
    const row = rows.findLast(({ action }) => action === 'user.signed_in')!;
    const salts = row.salts!;
    const changed: AuditRow[] = [
      { ...row, actor: { ...row.actor, name: 'Somebody else' } },
      { ...row, actor: { ...row.actor, name: '(forgotten)' } },
      { ...row, salts: { ...salts, 'actor.name': salts.ipAddress! } },
      { ...row, salts: { 'actor.name': salts['actor.name']! } },
      { ...row, commitments: { ...row.commitments, 'actor.name': sha256('another') } },
      { ...row, commitments: { ...row.commitments, 'resource.id': sha256('another') } },
      { ...row, commitments: {} },
    ];
    for (const one of changed) {
      expect(hashByTheBook(one)).not.toBe(row.hash);
      expect(await hashOfRow(one)).not.toBe(row.hash);
    }
    expect((await logs.verify(organization.id)).fault).toBeNull();
    await logs.change(organization.id, row.sequence, `commitments = commitments || '{"ipAddress":"00"}'`);
    expect((await logs.verify(organization.id)).fault).toMatchObject({ sequence: row.sequence, kind: 'altered' });
  });

  it('is in the rows of an organization of an earlier release, until an owner or the operator wants it beside them', async () => {
    const organization = await anOrganization(app);
    await rowsOf(app.databaseUrl, 'UPDATE organizations SET forgets_people = false WHERE id = $1', [organization.id]);
    const api = new Client(app.url, (await aKey(app, organization.id, { environment: 'live' })).key);
    await aUser(app, organization.id, { name: 'Before' });
    expect((await wholeLog(api)).filter((row) => 'commitments' in row)).toEqual([]);
    await app.app.get(OrganizationService).change(OPERATOR, organization.id, { forgetsPeople: true });
    await aUser(app, organization.id, { name: 'After' });
    const rows = await wholeLog(api);
    expect(rows.filter((row) => row.commitments).map(({ changes }) => changes.name!.to)).toEqual(['After']);
    expectValid(rows);
    expect((await app.app.get(AuditService).verify(organization.id)).fault).toBeNull();
  });
});

describe('a person who was erased', () => {
  it('is in no answer of the log, whose hashes, proofs and checkpoints are what they were; others are as they were', async () => {
    const { organization, api, user, address, found } = await aLogWithAPerson();
    const before = await found();
    const proofs: unknown[] = [];
    for (const { id } of before) proofs.push((await api.get(`/v1/audit/events/${id}/proof`)).body);
    await erase(organization.id, user.id);
    const after = await found();
    expectValid(after);
    expectValid(before);
    expect(after.slice(0, before.length).map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
    expect((await app.app.get(AuditService).verify(organization.id)).fault).toBeNull();
    const text = JSON.stringify(after);
    for (const value of [user.name, user.email, address]) expect(text).not.toContain(value);
    const signedIn = after.findLast(({ action }) => action === 'user.signed_in')!;
    expect(signedIn).toMatchObject({ actor: { id: user.id, name: '(forgotten)' }, ipAddress: null, salts: {} });
    expect(after.at(-1)).toMatchObject({ action: 'person.erased', resource: { type: 'person', id: user.id }, changes: {} });
    expect(text).toContain('Other Owner');
    for (const [index, proof] of (
      proofs as { hashes: string; checkpoint: { note: string; verifierKeys: string[]; size: number } }[]
    ).entries()) {
      const { root, size } = openedNote(proof.checkpoint.note, proof.checkpoint.verifierKeys.at(-1)!);
      const leaf = leafOf(Buffer.from(hashByTheBook(after[index]!), 'hex'));
      expect(isIncluded(leaf, index, size, split(proof.hashes), root)).toBe(true);
    }
  });

  it('leaves nothing of what is said of them afterwards', async () => {
    const { organization, user, found } = await aLogWithAPerson();
    await erase(organization.id, user.id);
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO audit_entries (organization_id, occurred_at, actor_type, actor_id, actor_name, action,
          resource_type, resource_id, changes)
        VALUES ($1, now(), 'user', $2::text, 'Canary Person', 'user.signed_in', 'user', $2::text::uuid, '{}')`,
      [organization.id, user.id],
    );
    const rows = await found();
    expect(rows.at(-1)).toMatchObject({ actor: { name: '(forgotten)' }, salts: {} });
    expectValid(rows);
    expect(
      await logs.sql('SELECT 1 AS one FROM audit_personal_values WHERE organization_id = $1 AND person_id = $2', organization.id, user.id),
    ).toEqual([]);
  });
});
