import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditService } from '../../src/modules/audit/index.js';
import { NewOrganizations } from '../../src/modules/organization/index.js';
import { changeContext, OPERATOR } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import { UnitOfWork } from '../../src/store/database/unit-of-work.js';
import { Ports } from '../../src/store/discovery/ports.js';
import { EncryptedColumns, Secrets } from '../../src/store/secrets/secrets.js';
import { startApp, type TestApp } from '../support/app.js';
import { anOrganization, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { anInstallation, aMove, contentOf, done, envOf, HERE, type Installation, OTHER_ENCRYPTION_KEY, THERE } from '../support/moves.js';
import { StatementProxy } from '../support/postgres-statements.js';
import { runClaims, startClaims } from '../support/process.js';
import { Receiver } from '../support/receiver.js';
import { aNote, aWholeOrganization, KEEPING, startKeepingNotes } from '../support/whole-organization.js';
import { aUser } from '../support/users.js';
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
const NOT_MOVED = [
  ...['audit_chains', 'audit_checkpoints', 'audit_destinations', 'audit_entries', 'audit_tiles', 'audit_witnesses'],
  ...['confirmations', 'console_sessions', 'organization_erasures', 'stored_files'],
];

/** What is encrypted in a database, in clear. */
async function secretsOf({ app: { app: nest }, url, secrets }: { app: TestApp; url: string; secrets: Secrets }, organizationId: string) {
  const found: Record<string, string[]> = {};
  for (const { table, column, key, owner } of nest
    .get(Ports)
    .all(EncryptedColumns)
    .flatMap((port) => port.encrypted)) {
    // Keys that sign checkpoints are those of an installation.
    if ([...NOT_MOVED, 'audit_keys'].includes(table)) continue;
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

describe('a write during a move', () => {
  it('is at the other installation, or was refused with 503 and Retry-After', async () => {
    const { organizationId, key, api } = await anOrganizationWithKey();
    const move = aMove(app, other, organizationId);
    const [done, refused, codes]: [string[], string[], Set<string>] = [[], [], new Set()];
    let isOver = false;
    const write = async (): Promise<void> => {
      while (!isOver) {
        const name = newId();
        const { status, body, headers } = await api.post('/v1/claim-projects', {
          name,
          periodStart: '2026-01-01',
          periodEnd: '2026-06-30',
        });
        (status === 201 ? done : refused).push(name);
        if (status !== 201) codes.add(`${status} ${body.code} ${String(headers['retry-after'])}`);
      }
    };
    const writers = Array.from({ length: 8 }, write);
    await move.export();
    isOver = true;
    await Promise.all(writers);
    expect(done.length).toBeGreaterThan(50);
    expect([...codes]).toEqual(['503 organization_moving 30']);
    await move.import();
    const names = await rowsOf<{ name: string }>(other.url, 'SELECT name FROM claim_projects WHERE organization_id = $1', [organizationId]);
    expect(names.map(({ name }) => name).sort()).toEqual(done.sort());
    expect(refused.length).toBeGreaterThan(50);
    // Calls are answered there, and here it is said that it moved.
    await there(async ({ url }) => expect((await aProject(new Client(url, key))).id).toEqual(expect.any(String)));
    expect((await api.get('/v1/organization')).body.code).toBe('organization_moving');
    await move.done();
    await eventually(async () =>
      expect((await api.get('/v1/organization')).body).toMatchObject({ code: 'organization_moved', status: 403 }),
    );
  });

  it('is waited for when its transaction began before, and refused when it begins later, by whatever door it came', async () => {
    const { organizationId } = await anOrganizationWithKey();
    const units = app.app.get(UnitOfWork);
    const ctx = changeContext(organizationId, OPERATOR);
    const insert = (unit: { client: { query(text: string, values: unknown[]): Promise<unknown> } }) =>
      unit.client.query('INSERT INTO extension_notes VALUES ($1, $2, $3)', [newId(), organizationId, 'written late']);
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    const early = units.run(ctx, async ({ unit }) => {
      await unit.client.query('SET LOCAL idle_in_transaction_session_timeout = 0', []);
      await held;
      await insert(unit);
    });
    const move = aMove(app, other, organizationId);
    let isExported = false;
    const exporting = move.export().then(() => (isExported = true));
    const isMoving = async () =>
      (await rowsOf(app.databaseUrl, `SELECT 1 FROM organizations WHERE id = $1 AND status = 'moving'`, [organizationId])).length;
    await eventually(async () => expect(await isMoving()).toBe(1), 20_000);
    const late = await units.run(ctx, ({ unit }) => insert(unit)).catch((error: unknown) => error);
    // Longer than the export waits for what was counted.
    await new Promise((resolve) => setTimeout(resolve, 9000));
    expect(isExported).toBe(false);
    end();
    await Promise.all([early, exporting]);
    expect(late).toMatchObject({ code: 'organization_moving' });
    await move.import();
    const notes = await rowsOf(other.url, 'SELECT note FROM extension_notes WHERE organization_id = $1', [organizationId]);
    expect(notes).toEqual([{ note: 'written late' }]);
  });

  it('can be made here again when the move is given up', async () => {
    const { organizationId, api } = await anOrganizationWithKey();
    const move = aMove(app, other, organizationId);
    await move.export();
    expect((await api.get('/v1/organization')).status).toBe(503);
    const unknowing = await runClaims(['org', 'move', 'abort', organizationId], envOf(app));
    expect([unknowing.code, unknowing.stderr]).toEqual([2, expect.stringContaining('--not-imported')]);
    await move.abort();
    await eventually(async () => expect((await api.get('/v1/organization')).status).toBe(200));
    expect((await aProject(api)).id).toEqual(expect.any(String));
  });
});

describe('deliveries', () => {
  it('that were not made here are made there: each once, and none is lost', async () => {
    const { organizationId, api } = await anOrganizationWithKey();
    const receiver = await Receiver.start();
    receiver.answer = (_received, response) => void setTimeout(() => response.writeHead(200).end(), 20);
    await aWebhook(api, { targetUrl: `${receiver.url}/hook`, rateLimit: 600 });
    const projects = await Promise.all(Array.from({ length: 150 }, () => aProject(api)));
    const move = aMove(app, other, organizationId);
    await move.export();
    const here = receiver.received.length;
    await move.import();
    await there(async () => eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(150), 60_000), { ROLE: 'all' });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([150, 150]);
    const about = receiver.received.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
    expect(about.sort()).toEqual(projects.map(({ id }) => id).sort());
    expect([here > 0, here < 150]).toEqual([true, true]);
    await receiver.close();
  });
});

describe('an import', () => {
  /** Where it is killed: before it sends the statement, or after that but before it gets the result. */
  const POINTS = [
    ['INSERT INTO "organizations"', 'before', ''],
    ['INSERT INTO "claim_projects"', 'after', ''],
    ['INSERT INTO "statement_originals"', 'before', ''],
    ['UPDATE users moved', 'after', ''],
    ['COMMIT', 'before', 'UPDATE organizations'],
  ] as const;

  it('that is killed at any point leaves nothing, and is whole when it is repeated', async () => {
    const { organizationId } = await aWholeOrganization(app);
    const move = aMove(app, other, organizationId);
    await move.export();
    const killedAt = async ([wanted, moment, behind]: (typeof POINTS)[number] | readonly [string, string, string]): Promise<boolean> => {
      const proxy = await StatementProxy.to(other.url);
      const command = startClaims(move.importArgs, { ...other.env, DATABASE_URL: proxy.tcp.url });
      let [killed, isBehind] = [false, behind === ''];
      proxy.handle = (text, link, pass) => {
        if (killed) return;
        isBehind ||= text.includes(behind);
        if (!isBehind || !text.includes(wanted)) return pass();
        killed = true;
        link.muted = true;
        if (moment === 'after') pass();
        void command.kill();
      };
      await command.ended;
      // The database ends the transaction before the connection.
      await eventually(() => expect(proxy.tcp.connections).toBe(0));
      await proxy.tcp.close();
      return killed;
    };
    for (const point of POINTS) {
      expect(await killedAt(point), point.join(' ')).toBe(true);
      expect(await rowsThere(organizationId), point.join(' ')).toBe(0);
    }
    expect(await killedAt(['COMMIT', 'after', 'UPDATE organizations'])).toBe(true);
    const repeated = await move.tryImport();
    expect([repeated.code, repeated.stderr]).toEqual([
      1,
      expect.stringContaining(`Nothing was imported: there is already the organization`),
    ]);
    await there(async (moved) => expect((await moved.app.get(AuditService).verify(organizationId)).fault).toBeNull());
    expect(await rowsThere(organizationId)).toBeGreaterThan(100);
  });

  it('is refused, with nothing written, when a byte was changed, the end is missing or the key is another', async () => {
    const { organizationId } = await anOrganizationWithKey();
    const move = aMove(app, other, organizationId);
    await move.export();
    const whole = readFileSync(move.archive);
    const refuses = async (): Promise<void> => {
      const { code, stderr } = await move.tryImport();
      expect([code, stderr]).toEqual([1, expect.stringContaining('the archive cannot be read')]);
      expect(await rowsThere(organizationId)).toBe(0);
    };
    for (const place of [3, 20, Math.floor(whole.length / 2), whole.length - 1]) {
      const changed = Buffer.from(whole);
      changed[place]! ^= 1;
      writeFileSync(move.archive, changed);
      await refuses();
    }
    writeFileSync(move.archive, whole.subarray(0, whole.length - 200));
    await refuses();
    writeFileSync(move.archive, whole);
    const key = readFileSync(move.key);
    writeFileSync(move.key, Buffer.alloc(32, 'no key').toString('base64'));
    await refuses();
    writeFileSync(move.key, key);
    await move.import();
  });

  it('is refused, with the place, when something of the same name or id is there, or the migrations differ', async () => {
    const { organizationId, key } = await anOrganizationWithKey();
    const move = aMove(app, other, organizationId);
    await move.export();
    const refusal = async () => {
      const { code, stderr } = await move.tryImport();
      expect(code).toBe(1);
      return stderr;
    };
    const [{ slug }] = (await rowsOf<{ slug: string }>(app.databaseUrl, 'SELECT slug FROM organizations WHERE id = $1', [
      organizationId,
    ])) as [{ slug: string }];
    await rowsOf(other.url, `INSERT INTO migrations (timestamp, name) VALUES (1, 'Unknown1')`);
    expect(await refusal()).toContain('only one of the installations has the migration Unknown1');
    await rowsOf(other.url, `DELETE FROM migrations WHERE name = 'Unknown1'`);
    await there(async (moved) => {
      const taken = await moved.app.get(NewOrganizations).create(OPERATOR, { name: 'Taken', slug });
      expect(await refusal()).toContain(`there is already an organization with the slug ${slug}`);
      await rowsOf(other.url, `UPDATE organizations SET slug = 'free' WHERE id = $1`, [taken.id]);
      await rowsOf(
        other.url,
        `INSERT INTO api_keys (id, organization_id, environment, name, key_hash, last4, scopes, ip_allowlist, created_at, updated_at)
          VALUES ($1, $2, 'test', 'k', sha256($3), 'last', '{}', '{}', now(), now())`,
        [newId(), taken.id, Buffer.from(key)],
      );
      expect(await refusal()).toContain('a row of api_keys is here already (api_keys_key_hash_unique)');
      expect(await rowsThere(organizationId)).toBe(0);
      await rowsOf(other.url, 'DELETE FROM api_keys WHERE organization_id = $1', [taken.id]);
    });
    await move.import();
  });
});

it('an export that is killed can be repeated, and both logs name the move and who made it', async () => {
  const { organizationId, api } = await anOrganizationWithKey();
  const move = aMove(app, other, organizationId);
  const first = startClaims(move.exportArgs, envOf(app));
  await eventually(async () => expect((await api.get('/v1/organization')).status).toBe(503), 20_000);
  await first.kill();
  const before = await rowsOf(app.databaseUrl, 'SELECT 1 FROM claim_projects WHERE organization_id = $1', [organizationId]);
  expect(before).toEqual([]);
  await move.export();
  await move.import();
  await move.done();
  for (const [url, actions] of [
    [app.databaseUrl, ['organization.move_begun', 'organization.moved_out']],
    [other.url, ['organization.move_begun', 'organization.moved_in']],
  ] as const) {
    const found = () =>
      rowsOf<{ action: string; actor: string; changes: object }>(
        url,
        `SELECT action, actor_name AS actor, changes FROM audit_events
          WHERE organization_id = $1 AND action LIKE 'organization.move%' ORDER BY sequence`,
        [organizationId],
      );
    await eventually(async () => expect((await found()).map(({ action }) => action)).toEqual(actions));
    const [begun] = await found();
    expect(begun).toMatchObject({
      actor: expect.stringContaining('(claims command)'),
      changes: { installation: { from: HERE, to: THERE } },
    });
  }
  const verified = await done(runClaims(['audit', 'verify', '--org', organizationId], other.env));
  expect(verified).toMatch(/\nok\n/);
  // What is left here can be erased.
  await done(runClaims(['org', 'erase', organizationId, '--confirm', organizationId], envOf(app)));
});

it('a person who is in the other installation already has one account there, with the credentials of there', async () => {
  const { organizationId } = await anOrganizationWithKey();
  const user = await aUser(app, organizationId);
  const [{ account }] = (await rowsOf<{ account: string }>(app.databaseUrl, 'SELECT account_id AS account FROM users WHERE id = $1', [
    user.id,
  ])) as [{ account: string }];
  const move = aMove(app, other, organizationId);
  await move.export();
  await there(async (moved) => {
    const known = await anOrganization(moved);
    const same = await aUser(moved, known.id, { email: user.email });
    await rowsOf(other.url, `UPDATE users SET account_id = $2, password_hash = 'of there' WHERE id = $1`, [same.id, account]);
    await move.import();
    const hashes = await rowsOf(other.url, 'SELECT DISTINCT password_hash AS hash FROM users WHERE account_id = $1', [account]);
    expect(hashes).toEqual([{ hash: 'of there' }]);
  });
});

/** Set it to see how long a move takes: `MOVE_ROWS=100000 npx vitest run --project faults test/faults/moving.test.ts -t "many rows"`. */
const { MOVE_ROWS = '3000' } = process.env;

it('many rows move in little memory: neither command holds them all', async () => {
  const { organizationId, api } = await anOrganizationWithKey();
  const { id } = await aProject(api);
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO claim_items SELECT (json_populate_record(item, json_build_object('id', gen_random_uuid()))).*
      FROM claim_items item, generate_series(1, $2) WHERE organization_id = $1`,
    [await anItem(api, id), Number(MOVE_ROWS)],
  );
  const move = aMove(app, other, organizationId);
  const measured = async (work: () => Promise<unknown>): Promise<number> => {
    const begin = performance.now();
    await work();
    return Math.round(performance.now() - begin) / 1000;
  };
  const little = { NODE_OPTIONS: '--max-old-space-size=120' };
  const exported = await measured(() => done(runClaims(move.exportArgs, { ...envOf(app), ...little })));
  const imported = await measured(() => done(runClaims(move.importArgs, { ...other.env, ...little })));
  expect(await rowsThere(organizationId)).toBeGreaterThan(Number(MOVE_ROWS));
  if (process.env.MOVE_ROWS) console.log({ rows: MOVE_ROWS, exported, imported, bytes: statSync(move.archive).size });
});

/** Returns the id of the organization. */
async function anItem(api: Client, projectId: string): Promise<string> {
  const { body } = await api.post('/v1/expense-categories', { code: 'TRAVEL', name: 'Travel' });
  const item = { projectId, categoryId: body.id, name: 'Drive', incurredOn: '2026-01-15', rate: '36.00', currency: 'EUR' };
  expect((await api.post('/v1/claim-items', item)).status).toBe(201);
  return (await api.get('/v1/organization')).body.id as string;
}
