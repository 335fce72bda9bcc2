import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiKeysService } from '../../../src/modules/api-keys/index.js';
import { makeKey } from '../../../src/modules/api-keys/key-format.js';
import { ThrottledRecorder } from '../../../src/store/audit/audit-recorder.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { anAddress } from '../../support/addresses.js';
import { startApp, type TestApp } from '../../support/app.js';
import { wholeLog, type AuditRow } from '../../support/audit.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { withoutRequestId } from '../../support/law-call.js';
import { inSession } from '../../support/session.js';

// Counts all refusals in the database, so it must not share one with other tests.
let database: { url: string; drop: () => Promise<void> };
let app: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url, TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

type Kind = 'revoked' | 'expired' | 'address';

/** A key that is refused for the given reason, and the refusals that its organization finds in its log. */
async function aRefusedKey(kind: Kind, environment: 'test' | 'live' = 'test') {
  const { organization, key: reading } = await aTenant(app, { environment: 'live' });
  const wanted = {
    environment,
    name: 'Old sync',
    ...(kind === 'expired' && { expiresInMs: 0 }),
    ...(kind === 'address' && { ipAllowlist: ['198.51.100.0/24'] }),
  };
  const { id, key } = await aKey(app, organization.id, wanted);
  if (kind === 'revoked') await app.app.get(ApiKeysService).revoke(OPERATOR, id);
  const reader = new Client(app.url, reading);
  const refusals = async (): Promise<AuditRow[]> => (await wholeLog(reader)).filter(({ action }) => action.endsWith('.refused'));
  return { id, key, organizationId: organization.id, refusals };
}

const callFrom = (address: string, key: string, headers: Record<string, string> = {}) =>
  new Client(app.url, key).get('/v1/claim-projects', { 'X-Forwarded-For': address, ...headers });

/** Counts refusals, sealed or not, after writing those that are still buffered, as the end of the process would. */
async function refusalsWritten(organizationId?: string): Promise<number> {
  await app.app.get(ThrottledRecorder).settled();
  const rows = await rowsOf(
    database.url,
    `SELECT organization_id FROM audit_entries WHERE action = 'api_key.refused'
    UNION ALL SELECT organization_id FROM audit_events WHERE action = 'api_key.refused'`,
  );
  return rows.filter((row) => organizationId === undefined || (row as { organization_id: string }).organization_id === organizationId)
    .length;
}

it.each([
  ['revoked', 'test', 401],
  ['revoked', 'live', 401],
  ['expired', 'test', 401],
  ['expired', 'live', 401],
  ['address', 'test', 403],
  ['address', 'live', 403],
] as const)(
  'a refused key (%s, %s) writes one event with its owner, the reason, the address and the request id',
  async (kind, environment, status) => {
    const { id, key, refusals } = await aRefusedKey(kind, environment);
    const [address, call] = [anAddress(), newId()];
    expect((await callFrom(address, key, { 'X-Request-Id': call })).status).toBe(status);
    const [row, ...more] = await eventually(async () => {
      const rows = await refusals();
      expect(rows).not.toEqual([]);
      return rows;
    });
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      environment,
      action: 'api_key.refused',
      actor: { type: 'api', id, name: 'Old sync' },
      resource: { type: 'api_key', id },
      ipAddress: address,
      requestId: call,
    });
    expect(row!.changes).toEqual({ reason: { from: null, to: kind } });
  },
);

it('an unknown key writes nothing', async () => {
  const before = await refusalsWritten();
  const { key } = await aRefusedKey('revoked');
  const unknown = [makeKey('live'), makeKey('test'), `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`, 'pk_live_', 'x'];
  for (const credential of unknown) expect((await callFrom(anAddress(), credential)).status).toBe(401);
  expect(await refusalsWritten()).toBe(before);
});

it('a refusal that is repeated within a minute is written once for each key, reason and address', async () => {
  const [revoked, foreign, mixed] = [await aRefusedKey('revoked'), await aRefusedKey('address'), await aRefusedKey('address')];
  const [here, there] = [anAddress(), anAddress()];
  for (let times = 0; times < 5; times += 1) {
    for (const { key } of [revoked, foreign]) await Promise.all([callFrom(here, key), callFrom(here, key), callFrom(there, key)]);
  }
  await callFrom(here, mixed.key);
  await app.app.get(ApiKeysService).revoke(OPERATOR, mixed.id);
  await eventually(async () => expect((await callFrom(here, mixed.key)).status).toBe(401));
  for (const { organizationId } of [revoked, foreign, mixed]) expect(await refusalsWritten(organizationId)).toBe(2);
  expect((await mixed.refusals()).map(({ changes }) => changes.reason!.to)).toEqual(['address', 'revoked']);
});

it('refusals from many addresses cannot fill the log: at most twenty a minute are written for a key', async () => {
  const [tried, untried] = [await aRefusedKey('revoked'), await aRefusedKey('revoked')];
  for (let times = 0; times < 30; times += 1) expect((await callFrom(anAddress(), tried.key)).status).toBe(401);
  await callFrom(anAddress(), untried.key);
  expect([await refusalsWritten(tried.organizationId), await refusalsWritten(untried.organizationId)]).toEqual([20, 1]);
});

it('the caller gets the same response for a revoked, an expired and an unknown key', async () => {
  const [revoked, expired] = [await aRefusedKey('revoked'), await aRefusedKey('expired')];
  const answers = await Promise.all(
    [revoked.key, expired.key, makeKey('test'), revoked.key, expired.key].map((key) => callFrom(anAddress(), key)),
  );
  const ofTheCall = ['date', 'x-request-id', 'connection', 'keep-alive'];
  const said = answers.map((answer) => ({
    ...(withoutRequestId(answer) as object),
    headers: Object.entries(answer.headers as Record<string, string>).filter(([name]) => !ofTheCall.includes(name)),
  }));
  expect(said[0]).toMatchObject({ status: 401, body: { code: 'credential_invalid' } });
  for (const other of said) expect(other).toEqual(said[0]);
});

it('the caller does not wait for the entry', async () => {
  const { key, refusals } = await aRefusedKey('revoked');
  // Entries cannot be written while the table is locked; the refusal is returned anyway.
  const answer = await whileLocked(() => callFrom(anAddress(), key));
  expect(answer.status).toBe(401);
  await eventually(async () => expect(await refusals()).toHaveLength(1));
});

async function whileLocked<T>(call: () => Promise<T>): Promise<T> {
  return inSession(database.url, async (client) => {
    await client.query('BEGIN');
    await client.query('LOCK TABLE audit_entries IN SHARE MODE');
    return await call();
  });
}
