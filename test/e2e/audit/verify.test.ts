import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOfRow } from '../../../src/modules/audit/audit-chain.js';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aLog, anEntry, aSealedEntry } from '../../support/audit.js';
import { at, LogDatabase, START } from '../../support/audit-log.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
const logs = new LogDatabase(() => app);

describe('an unchanged log is valid', () => {
  it('and its head is its last row', async () => {
    const id = await aLog(app, 5);
    expect(await logs.verify(id)).toEqual({ rows: 5, head: await logs.headAt(id, 5), fault: null, checkpoints: 0, witnessed: [] });
  });

  it('even if it is empty', async () => {
    expect(await logs.verify(newId())).toEqual({ rows: 0, head: START, fault: null, checkpoints: 0, witnessed: [] });
  });

  it('including entries that were not sealed yet', async () => {
    const id = await aLog(app, 2);
    for (let count = 0; count < 3; count += 1) await anEntry(app, id);
    expect(await logs.verify(id)).toMatchObject({ rows: 5, fault: null });
  });

  it('even with more unsealed entries than a batch holds', async () => {
    const id = await aLog(app, 1);
    const facts =
      'organization_id, environment, occurred_at, actor_type, actor_id, actor_name, action, resource_type, resource_id, ' +
      'ip_address, request_id, changes';
    await logs.sql(
      `INSERT INTO audit_entries (${facts}) SELECT ${facts} FROM audit_events, generate_series(1, 4500) WHERE organization_id = $1`,
      id,
    );
    expect(await logs.verify(id)).toMatchObject({ rows: 4501, head: { sequence: 4501 }, fault: null });
  });

  it('against every earlier head, also as it grows', async () => {
    const id = await aLog(app, 3);
    const heads = [START, await logs.headAt(id, 1), await logs.headAt(id, 2), (await logs.verify(id)).head];
    for (let count = 0; count < 3; count += 1) await aSealedEntry(app, id);
    for (const head of heads) expect(await logs.verify(id, head)).toMatchObject({ rows: 6, head: { sequence: 6 }, fault: null });
  });

  it('while entries are written and sealed', async () => {
    const id = await aLog(app, 3);
    const writing = Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let count = 0; count < 15; count += 1) await aSealedEntry(app, id);
      }),
    );
    let isDone = false;
    void writing.then(
      () => (isDone = true),
      () => (isDone = true),
    );
    while (!isDone) expect((await logs.verify(id)).fault).toBeNull();
    await writing;
    expect(await logs.verify(id)).toMatchObject({ rows: 63, fault: null });
  });
});

/** Another value for each type of column. Times and sequences change so little that the row keeps its position. */
const OTHER: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `coalesce(${column}, '') || 'x'`,
  uuid: () => `'${newId()}'::uuid`,
  'timestamp with time zone': (column) => `(${column} AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC'`,
  bigint: (column) => `${column} + 1`,
  jsonb: () => `'{"actor.name":"00"}'`,
  json: () => `'{"name":{"from":"Name 0","to":"Name 9"}}'`,
};

describe('a change of a row is found at that row:', () => {
  // Listed for the names of the tests; a test compares the list with the table.
  const columns = [
    'environment',
    'occurred_at',
    'actor_type',
    'actor_id',
    'actor_name',
    'action',
    'resource_type',
    'resource_id',
    'ip_address',
    'request_id',
    'changes',
    'created_at',
    'id',
    'sequence',
    'previous_hash',
    'hash',
    'commitments',
  ];

  it.each(columns)('%s', async (column) => {
    const [type] = await logs.sql(
      `SELECT data_type AS name FROM information_schema.columns WHERE table_name = 'audit_events' AND column_name = $1`,
      column,
    );
    for (const sequence of [1, 3, 5]) {
      const id = await aLog(app, 5);
      await logs.change(id, sequence, `${column} = ${OTHER[type!.name!]!(column)}`);
      const verdict = await logs.verify(id);
      expect(verdict, `row ${sequence}`).toMatchObject(
        at(sequence, column === 'sequence' ? 'missing' : 'altered', (await logs.rows(id))[sequence - 1]!.id),
      );
      expect(verdict.head).toEqual(sequence === 1 ? START : await logs.headAt(id, sequence - 1));
      expect(verdict.fault!.message).toContain(`ow ${sequence} `);
    }
  });

  it('(the list contains every column)', async () => {
    const found = await logs.sql(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'audit_events' AND column_name <> 'organization_id'`,
    );
    expect(found.map(({ name }) => name).sort()).toEqual([...columns].sort());
  });

  it.each([
    ['environment', 'NULL'],
    ['actor_id', 'NULL'],
    ['ip_address', 'NULL'],
    ['request_id', 'NULL'],
    ['action', "'claim_project.Updated'"],
    ['changes', `'{"name":{"from":"Name 2","to":"Name 3","by":null}}'`],
    ['changes', `'{}'`],
  ])('%s, to %s', async (column, value) => {
    const id = await aLog(app, 4);
    await logs.change(id, 3, `${column} = ${value}`);
    expect(await logs.verify(id)).toMatchObject(at(3, 'altered', await logs.idAt(id, 3)));
  });

  it('content with a matching hash, found at the next row', async () => {
    const id = await aLog(app, 4);
    const forged = { ...(await logs.rows(id))[1]!, action: 'claim_project.created' };
    await logs.change(id, 2, 'action = $3, hash = $4', forged.action, hashOfRow(forged));
    expect(await logs.verify(id)).toMatchObject(at(3, 'altered', await logs.idAt(id, 3)));
  });
});

describe('a change of the log is found:', () => {
  it.each([1, 3])('row %i deleted', async (sequence) => {
    const id = await aLog(app, 5);
    await logs.sql('DELETE FROM audit_events WHERE organization_id = $1 AND sequence = $2', id, sequence);
    expect(await logs.verify(id)).toMatchObject(at(sequence, 'missing', await logs.idAt(id, sequence + 1)));
  });

  it.each([
    [5, /Row 5 is missing/],
    [4, /Rows 4 to 5 are missing/],
    [1, /Rows 1 to 5 are missing/],
  ])('all rows from %i on deleted', async (first, message) => {
    const id = await aLog(app, 5);
    await logs.sql('DELETE FROM audit_events WHERE organization_id = $1 AND sequence >= $2', id, first);
    const verdict = await logs.verify(id);
    expect(verdict).toMatchObject(at(first, 'missing', null));
    expect(verdict.fault!.message).toMatch(message);
  });

  it.each([
    ['sequence', 'missing', 2],
    ['created_at', 'missing', 4],
    // Swaps the contents of the two rows.
    ['created_at, sequence, previous_hash, hash', 'altered', 4],
  ] as const)('two rows with their %s swapped', async (columns, kind, found) => {
    const id = await aLog(app, 5);
    const row = await logs.idAt(id, found);
    const pairs = columns
      .split(', ')
      .map((column) => `${column} = other.${column}`)
      .join(', ');
    await logs.sql(
      `UPDATE audit_events row SET ${pairs} FROM audit_events other
      WHERE row.organization_id = $1 AND other.organization_id = $1 AND row.sequence = ANY ('{2,4}') AND other.sequence = 6 - row.sequence`,
      id,
    );
    expect(await logs.verify(id)).toMatchObject(at(2, kind, row));
  });

  const COPY =
    'environment, occurred_at, actor_type, actor_id, actor_name, action, resource_type, resource_id, ip_address, request_id, ' +
    'changes, previous_hash, hash';
  const copy = (id: string, sequence: number, to: number, later: number, into = id, rowId = newId()) =>
    logs.sql(
      `INSERT INTO audit_events (organization_id, ${COPY}, created_at, id, sequence)
      SELECT $5::uuid, ${COPY}, created_at + make_interval(secs => $4::int / 1000.0), $6::uuid, $3
      FROM audit_events WHERE organization_id = $1 AND sequence = $2`,
      id,
      sequence,
      to,
      later,
      into,
      rowId,
    );

  it('a copy of a row with the same sequence', async () => {
    const id = await aLog(app, 4);
    await copy(id, 2, 2, 0);
    const [, , second] = await logs.rows(id);
    expect(await logs.verify(id)).toMatchObject({ rows: 2, fault: { sequence: 2, kind: 'out_of_order', id: second!.id } });
  });

  it('a copy of the last row after it, with the next sequence', async () => {
    const id = await aLog(app, 4);
    await copy(id, 4, 5, 1);
    expect(await logs.verify(id)).toMatchObject(at(5, 'altered', (await logs.rows(id))[4]!.id));
  });

  it('a forged row with valid hashes after the last one', async () => {
    const id = await aLog(app, 4);
    await copy(id, 4, 5, 1);
    const { hash: previousHash } = await logs.headAt(id, 4);
    const forged = { ...(await logs.rows(id))[4]!, previousHash };
    await logs.change(id, 5, 'previous_hash = $3, hash = $4', previousHash, hashOfRow(forged));
    expect(await logs.verify(id)).toMatchObject({ rows: 5, fault: { sequence: 5, kind: 'out_of_order', id: null } });
  });

  it('a row that was moved to another organization, in both logs', async () => {
    const [from, to] = [await aLog(app, 4), await aLog(app, 4)];
    const moved = await logs.idAt(from, 2);
    await copy(from, 2, 2, 0, to, moved);
    await logs.sql('DELETE FROM audit_events WHERE organization_id = $1 AND sequence = 2', from);
    expect(await logs.verify(from)).toMatchObject(at(2, 'missing', await logs.idAt(from, 3)));
    expect(await logs.verify(to)).toMatchObject({ rows: 0, fault: { sequence: 1, kind: 'missing', id: moved } });
  });
});
