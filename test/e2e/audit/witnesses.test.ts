import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { AuditService, Witnesses } from '../../../src/modules/audit/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aSealedEntry } from '../../support/audit.js';
import { LogDatabase } from '../../support/audit-log.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { createDatabase } from '../../support/database.js';
import { TestWitness } from '../../support/witness.js';

// The job asks the witnesses of all organizations, so each test would wait for those of the others.
let app: TestApp;
let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
});
afterAll(() => app.close().then(database.drop));
const logs = new LogDatabase(() => app);
const witnesses = () => app.app.get(Witnesses);

async function aWitnessedLog() {
  const { key, organization } = await aTenant(app, { plan: 'enterprise', environment: 'live' });
  const witness = await TestWitness.start();
  await witnesses().add(OPERATOR, organization.id, witness.verifierKey, witness.url);
  const api = new Client(app.url, key);
  const checkpoint = async () => (await api.get('/v1/audit/checkpoint')).body as { size: number; note: string };
  const known = async () => (await witnesses().ofOrganization(organization.id))[0]!;
  return { witness, api, organizationId: organization.id, checkpoint, known };
}

it('a witness signs each checkpoint that continues the one before, and verifying the log says of how many rows', async () => {
  const { witness, organizationId, checkpoint, known } = await aWitnessedLog();
  const { size, note } = await checkpoint();
  expect(note).not.toContain(witness.name);
  await witnesses().askAll();
  expect(await known()).toMatchObject({ size, failure: null });
  expect((await checkpoint()).note).toBe(`${note}${(await known()).line}\n`);
  await aSealedEntry(app, organizationId);
  const grown = (await checkpoint()).size;
  expect(grown).toBeGreaterThan(size);
  // Nothing is claimed of the rows behind what was signed.
  const { rows, fault, witnessed } = await app.app.get(AuditService).verify(organizationId);
  expect({ rows, fault, witnessed }).toEqual({
    rows: grown,
    fault: null,
    witnessed: [{ witness: witness.name, rows: size, at: (await known()).cosignedAt }],
  });
  await witnesses().askAll();
  expect(await known()).toMatchObject({ size: grown, failure: null });
  expect(witness.asked.map(({ body }) => body.split('\n')[0])).toEqual(['old 0', `old ${size}`]);
  // What is signed already is asked for no more.
  await witnesses().askAll();
  expect(witness.asked).toHaveLength(2);
  await witness.close();
});

it('a witness that has seen more than is known here is asked again with that', async () => {
  const { witness, organizationId, checkpoint, known } = await aWitnessedLog();
  const { size } = await checkpoint();
  await witnesses().askAll();
  await aSealedEntry(app, organizationId);
  await logs.sql('UPDATE audit_witnesses SET size = 0, line = NULL WHERE organization_id = $1', organizationId);
  const grown = (await checkpoint()).size;
  await witnesses().askAll();
  expect(await known()).toMatchObject({ size: grown, failure: null });
  expect(witness.asked.map(({ body }) => body.split('\n')[0])).toEqual(['old 0', 'old 0', `old ${size}`]);
  await witness.close();
});

it('a log that was made anew, also by us with our key, is not signed, and what was signed of the old one stays visible', async () => {
  const { witness, organizationId, checkpoint, known } = await aWitnessedLog();
  const { size } = await checkpoint();
  await witnesses().askAll();
  const { line } = await known();
  await logs.change(organizationId, 1, `hash = repeat('a', 64)`);
  for (const table of ['audit_tiles', 'audit_checkpoints'])
    await logs.sql(`DELETE FROM ${table} WHERE organization_id = $1`, organizationId);
  await aSealedEntry(app, organizationId);
  await checkpoint();
  await witnesses().askAll();
  expect(await known()).toMatchObject({ size, line, failure: 'status 422' });
  await witness.close();
});

it.each([
  ['an answer without a signature', 200, '', 'not_signed'],
  ['a signature of another witness', 200, 'other', 'not_signed'],
  ['a signature of another checkpoint', 200, 'moved', 'not_signed'],
  ['a refusal', 403, '', 'status 403'],
  ['a size that the log does not have yet', 409, '999999\n', 'status 409'],
  ['more than a cosignature takes', 200, 'x'.repeat(10_000), 'too_large'],
])('%s is no cosignature: it is noted why', async (_name, status, body, failure) => {
  const { witness, checkpoint, known } = await aWitnessedLog();
  const { note } = await checkpoint();
  const other = await TestWitness.start(witness.name);
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const bodies: Record<string, string> = { other: other.cosignature(text), moved: witness.cosignature(text.replace(/\n\d+\n/, '\n1\n')) };
  witness.instead = { status, body: bodies[body] ?? body };
  await witnesses().askAll();
  expect(await known()).toMatchObject({ size: 0, line: null, failure });
  await Promise.all([witness.close(), other.close()]);
});

it('a witness that is away delays no other', async () => {
  const away = await aWitnessedLog();
  await away.checkpoint();
  await away.witness.close();
  const there = await aWitnessedLog();
  const { size } = await there.checkpoint();
  await witnesses().askAll();
  expect(await away.known()).toMatchObject({ size: 0, failure: 'unreachable' });
  expect(await there.known()).toMatchObject({ size, failure: null });
  await there.witness.close();
});

it('a witness is shown nothing while the organization lacks the plan, and what there is once it has it', async () => {
  const { witness, organizationId, checkpoint, known } = await aWitnessedLog();
  const { size } = await checkpoint();
  const plan = (name: string) => logs.sql('UPDATE organizations SET plan = $2 WHERE id = $1', organizationId, name);
  await plan('starter');
  await witnesses().askAll();
  expect(witness.asked).toEqual([]);
  await plan('enterprise');
  await witnesses().askAll();
  expect(await known()).toMatchObject({ size, failure: null });
  await witness.close();
});

it('a log whose tree was damaged fails the job, blames no witness, and delays no other log', async () => {
  const [damaged, whole] = [await aWitnessedLog(), await aWitnessedLog()];
  await damaged.checkpoint();
  await witnesses().askAll();
  const before = await damaged.known();
  await logs.grow(damaged.organizationId, 600);
  await damaged.checkpoint();
  await logs.sql('DELETE FROM audit_tiles WHERE organization_id = $1 AND tile = 0', damaged.organizationId);
  await aSealedEntry(app, whole.organizationId);
  const { size } = await whole.checkpoint();
  await expect(witnesses().askAll()).rejects.toThrow();
  expect(await damaged.known()).toEqual(before);
  expect(await whole.known()).toMatchObject({ size, failure: null });
  await logs.sql('DELETE FROM audit_witnesses WHERE organization_id = $1', damaged.organizationId);
  await Promise.all([damaged.witness.close(), whole.witness.close()]);
});

it('only keys of witnesses at public addresses are taken, each once and at most five, and what was taken can be removed', async () => {
  const { witness, organizationId, known } = await aWitnessedLog();
  const add = (key: string, url: string) => witnesses().add(OPERATOR, organizationId, key, url);
  const { verifierKey } = witness;
  for (const key of ['', 'notary', verifierKey.replace(/\+[\da-f]{8}\+/, '+00000000+'), verifierKey.replace('notary', 'another')])
    await expect(add(key, witness.url), key).rejects.toThrow(/key of a witness/);
  for (const url of ['http://witness.example', 'https://a:b@witness.example', 'https://witness.example/?x=1', 'ftp://witness.example', 'x'])
    await expect(add((await TestWitness.start('other')).verifierKey, url), url).rejects.toThrow(/https/);
  await expect(add(verifierKey, witness.url)).rejects.toThrow(/already/);
  for (const name of ['b', 'c', 'd', 'e']) await add((await TestWitness.start(name)).verifierKey, witness.url);
  await expect(add((await TestWitness.start('f')).verifierKey, witness.url)).rejects.toThrow(/at most 5/);
  await witnesses().remove(OPERATOR, organizationId, verifierKey);
  expect((await known()).verifierKey).not.toBe(verifierKey);
  await expect(witnesses().remove(OPERATOR, organizationId, verifierKey)).rejects.toMatchObject({ code: 'not_found' });
  await witness.close();
});
