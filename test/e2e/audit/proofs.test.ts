import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashOfRow } from '../../../src/modules/audit/audit-chain.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { AuditService } from '../../../src/modules/audit/index.js';
import { Checkpoints } from '../../../src/modules/audit/tree/checkpoints.service.js';
import type { AuditCheckpointDto, AuditConsistencyDto, AuditProofDto } from '../../../src/modules/audit/tree/proofs.dto.js';
import { ErasureService } from '../../../src/modules/organization-data/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aSealedEntry, type AuditRow, wholeLog } from '../../support/audit.js';
import { LogDatabase } from '../../support/audit-log.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';

import { isConsistent, isIncluded, leafOf, openedNote, split } from '../../../tools/transparency-log/fixtures/verify-by-the-book.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
const logs = new LogDatabase(() => app);

async function aLogWithProofs() {
  const { key, organization } = await aTenant(app, { plan: 'enterprise', environment: 'live' });
  const api = new Client(app.url, key);
  await aSealedEntry(app, organization.id);
  return { api, organizationId: organization.id, key };
}

async function checkpointOf(api: Client): Promise<AuditCheckpointDto> {
  const { status, text, body } = await api.get('/v1/audit/checkpoint');
  expect(status, text).toBe(200);
  return body as AuditCheckpointDto;
}

const opened = ({ note, verifierKeys }: AuditCheckpointDto) => openedNote(note, verifierKeys.at(-1)!);

it('a checkpoint is signed by a key that is published, and counts every row', async () => {
  const { api, organizationId } = await aLogWithProofs();
  const checkpoint = await checkpointOf(api);
  const { origin, size } = opened(checkpoint);
  expect({ origin, size }).toEqual({ origin: `${new URL(app.url).host}/audit/${organizationId}`, size: checkpoint.size });
  expect(size).toBe((await wholeLog(api)).at(-1)!.sequence);
  const { body } = await new Client(app.url).get('/.well-known/claims-audit-keys');
  const published = (body as unknown as { keys: { algorithm: string; publicKey: string }[] }).keys.map(({ publicKey }) => publicKey);
  const used = Buffer.from(checkpoint.verifierKeys.at(-1)!.split('+').slice(2).join('+'), 'base64').subarray(1);
  expect(published).toContain(used.toString('base64'));
  // Nothing new: the same one.
  expect(await checkpointOf(api)).toEqual(checkpoint);
});

it('each event is proven by its own content, without the service', async () => {
  const { api, organizationId } = await aLogWithProofs();
  await logs.grow(organizationId, 700);
  const log = await wholeLog(api);
  for (const event of [log[0]!, log[255]!, log[256]!, log[511]!, log.at(-1)!]) {
    const { status, text, body } = await api.get(`/v1/audit/events/${event.id}/proof`);
    expect(status, text).toBe(200);
    const { sequence, hashes, checkpoint } = body as AuditProofDto;
    const { size, root } = opened(checkpoint);
    const leaf = leafOf(Buffer.from(hashOfRow(event), 'hex'));
    expect(isIncluded(leaf, sequence - 1, size, split(hashes), root), `event ${sequence} of ${size}`).toBe(true);
    const renamed: AuditRow = { ...event, action: 'claim_project.deleted' };
    const changed = leafOf(Buffer.from(hashOfRow(renamed), 'hex'));
    expect(isIncluded(changed, sequence - 1, size, split(hashes), root)).toBe(false);
  }
});

it('a later checkpoint is proven to go on from an earlier one', async () => {
  const { api, organizationId } = await aLogWithProofs();
  await logs.grow(organizationId, 300);
  const before = await checkpointOf(api);
  await logs.grow(organizationId, 400);
  const after = await checkpointOf(api);
  expect(after.size).toBe(before.size + 400);
  const { body } = await api.get(`/v1/audit/consistency?from=${before.size}`);
  const { hashes, checkpoint } = body as AuditConsistencyDto;
  expect(checkpoint).toEqual(after);
  const [old, now] = [opened(before), opened(checkpoint)];
  expect(isConsistent([old.size, old.root], [now.size, now.root], split(hashes))).toBe(true);
});

it('a proof from a size that the log does not have yet is refused, and says which it has', async () => {
  const { api } = await aLogWithProofs();
  const { status, body } = await api.get('/v1/audit/consistency?from=1000000');
  expect([status, body.code]).toEqual([400, 'validation_failed']);
  expect(body.errors[0]).toMatchObject({ field: 'from', code: 'too_large' });
});

it('a test credential proves events of the test environment only', async () => {
  const { api, organizationId } = await aLogWithProofs();
  const test = new Client(app.url, (await aKey(app, organizationId, { environment: 'test' })).key);
  await aSealedEntry(app, organizationId, { environment: 'test' });
  const log = await wholeLog(api);
  const statusOf = async (environment: string): Promise<number> =>
    (await test.get(`/v1/audit/events/${log.findLast((event) => event.environment === environment)!.id}/proof`)).status;
  expect([await statusOf('test'), await statusOf('live')]).toEqual([200, 404]);
});

/** As somebody who may write to the database, and knows how the chain is made. */
async function rewrite(organizationId: string, from: number): Promise<void> {
  let previousHash = from === 1 ? '0'.repeat(64) : (await logs.headAt(organizationId, from - 1)).hash;
  const rows = await logs.rows(organizationId);
  for (const row of rows.slice(from - 1)) {
    const changed = { ...row, previousHash, actor: { ...row.actor, name: 'Nobody at all' } };
    const hash = hashOfRow(changed);
    await logs.change(organizationId, row.sequence, 'actor_name = $3, previous_hash = $4, hash = $5', 'Nobody at all', previousHash, hash);
    previousHash = hash;
  }
  await logs.setHead(organizationId, { sequence: rows.length, hash: previousHash });
}

it('a log whose chain was made anew is found by the checkpoints that were signed of it', async () => {
  const { api, organizationId } = await aLogWithProofs();
  for (let count = 0; count < 5; count += 1) await aSealedEntry(app, organizationId);
  const { size } = await checkpointOf(api);
  expect(await logs.verify(organizationId)).toMatchObject({ rows: size, fault: null, checkpoints: 1 });
  await rewrite(organizationId, 2);
  expect((await logs.verify(organizationId)).fault).toMatchObject({ kind: 'altered', sequence: size });
});

it('… also if those were removed, when one was kept elsewhere', async () => {
  const { api, organizationId } = await aLogWithProofs();
  for (let count = 0; count < 5; count += 1) await aSealedEntry(app, organizationId);
  const { note, size } = await checkpointOf(api);
  const verify = () => app.app.get(AuditService).verify(organizationId, undefined, note);
  expect(await verify()).toMatchObject({ fault: null, checkpoints: 2 });
  await rewrite(organizationId, 2);
  await logs.sql('DELETE FROM audit_checkpoints WHERE organization_id = $1', organizationId);
  await logs.sql('DELETE FROM audit_tiles WHERE organization_id = $1', organizationId);
  expect((await logs.verify(organizationId)).fault).toBeNull();
  expect((await verify()).fault).toMatchObject({ kind: 'altered', sequence: size });
  await logs.sql('DELETE FROM audit_events WHERE organization_id = $1 AND sequence > 3', organizationId);
  await logs.setHead(organizationId, await logs.headAt(organizationId, 3));
  expect((await verify()).fault).toMatchObject({ kind: 'missing', sequence: 4 });
});

it('no event of a log whose end was removed is proven, and nothing waits for that end', async () => {
  const { api, organizationId } = await aLogWithProofs();
  for (let count = 0; count < 3; count += 1) await aSealedEntry(app, organizationId);
  const { size } = await checkpointOf(api);
  const [first] = await logs.rows(organizationId);
  await logs.sql('DELETE FROM audit_events WHERE organization_id = $1 AND sequence > $2', organizationId, size - 2);
  expect((await api.get(`/v1/audit/events/${first!.id}/proof`)).status).toBe(500);
});

it('a checkpoint of another log, or without a signature of ours, is refused before anything is compared', async () => {
  const [one, other] = [await aLogWithProofs(), await aLogWithProofs()];
  const { note } = await checkpointOf(other.api);
  const audit = app.app.get(AuditService);
  await expect(audit.verify(one.organizationId, undefined, note)).rejects.toThrow('no checkpoint of this log');
  const forged = note.replace(/\n\d+\n/, '\n1\n');
  await expect(audit.verify(other.organizationId, undefined, forged)).rejects.toThrow('no key of this service has signed it');
});

it('two processes that sign at the same moment say the same', async () => {
  const { organizationId } = await aLogWithProofs();
  await logs.grow(organizationId, 600);
  const checkpoints = app.app.get(Checkpoints);
  const signed = await Promise.all(Array.from({ length: 4 }, () => checkpoints.current(organizationId)));
  expect(new Set(signed.map((checkpoint) => checkpoint!.note)).size).toBe(1);
  expect(await logs.verify(organizationId)).toMatchObject({ fault: null, checkpoints: 1 });
});

it('the erasure of an organization takes its tiles and checkpoints with it', async () => {
  const { api, organizationId } = await aLogWithProofs();
  await logs.grow(organizationId, 600);
  await checkpointOf(api);
  const left = async (table: string): Promise<number> =>
    (await logs.sql(`SELECT 1 FROM ${table} WHERE organization_id = $1`, organizationId)).length;
  expect([await left('audit_tiles'), await left('audit_checkpoints')]).toEqual([2, 1]);
  await app.app.get(ErasureService).erase(OPERATOR, organizationId);
  expect([await left('audit_tiles'), await left('audit_checkpoints')]).toEqual([0, 0]);
});
