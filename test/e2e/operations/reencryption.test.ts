import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Settings } from '../../../src/kernel/settings/settings.js';
import { Reencryption } from '../../../src/store/secrets/reencryption.js';
import { Secrets } from '../../../src/store/secrets/secrets.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { openSession } from '../../support/session.js';

/** Columns of bytes that hold hashes or files, and nothing that is encrypted. */
const NOT_ENCRYPTED = [
  'api_keys.key_hash',
  'audit_keys.public_key',
  // Under the key of a person.
  'audit_personal_values.sealed',
  'audit_tiles.hashes',
  'audit_tiles.root',
  'claim_report_files.content',
  'confirmations.digest',
  'console_sessions.token_hash',
  // Under each key of its own.
  'encryption_key_checks.canary',
  'idempotency_keys.fingerprint',
  'oauth_applications.previous_secret_hash',
  'oauth_applications.secret_hash',
  'oauth_records.grant_hash',
  'oauth_records.id_hash',
  'oauth_records.uid_hash',
  'sign_in_links.token_hash',
  'upload_links.token_hash',
  'user_invitations.token_hash',
];
const KEYS = { old: randomBytes(32).toString('base64'), next: randomBytes(32).toString('base64') };

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url, ENCRYPTION_KEY: KEYS.old });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const secretsUnder = (key: string): Secrets => new Secrets(Settings.from({ ENCRYPTION_KEY: key }));

interface Report {
  ok: boolean;
  columns: { what: string; moved: number; left: number; unreadable: number }[];
}

async function reencrypt(keys: string): Promise<{ code: number | null; report: Report }> {
  const { code, stdout, stderr } = await runCommand(['secrets', 'reencrypt', '--json'], {
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: keys,
  });
  expect(stderr).toBe('');
  return { code, report: JSON.parse(stdout) as Report };
}

async function doctorSays(keys: string): Promise<string> {
  const { stdout } = await runCommand(['doctor'], { DATABASE_URL: database.url, ENCRYPTION_KEY: keys });
  return stdout.split('\n').find((line) => line.includes(' secrets '))!;
}

it('every column of bytes is known to hold encrypted values, or not to', async () => {
  const rows = await rowsOf<{ path: string }>(
    database.url,
    `SELECT format('%s.%s', table_name, column_name) AS path FROM information_schema.columns
      WHERE table_schema = 'public' AND udt_name = 'bytea' AND table_name !~ '_[0-9]{8}$' ORDER BY 1`,
  );
  const encrypted = app.app.get(Reencryption).columns.map(({ table, column }) => `${table}.${column}`);
  expect(rows.map(({ path }) => path).sort()).toEqual([...NOT_ENCRYPTED, ...encrypted].sort());
});

it('claims secrets reencrypt moves everything to the first key, in batches, and the old key can be removed', async () => {
  const { key, organization } = await aTenant(app);
  const api = new Client(app.url, key);
  // Makes the key that signs it.
  expect((await api.get('/v1/audit/checkpoint')).status).toBe(200);
  const webhook = {
    name: 'Hook',
    targetUrl: 'https://receiver.example/hook',
    subscribedEvents: ['claim_project.created'],
    headers: { Authorization: 'Bearer abc' },
  };
  const created = await api.post('/v1/webhooks', webhook, { 'Idempotency-Key': 'hook' });
  expect(created.status).toBe(201);
  const values: Record<string, { sql: string; owner: string }> = {
    'users.totp_secret': {
      sql: `INSERT INTO users (id, account_id, organization_id, email, email_key, name, role, status, totp_secret, created_at, updated_at)
        VALUES ($1, $1, $2, 'a@b.example', 'a@b.example', 'A', 'owner', 'active', $3, now(), now())`,
      owner: `second factor of user ${organization.id}`,
    },
    'identity_providers.client_secret': {
      sql: `INSERT INTO identity_providers (id, organization_id, issuer, client_id, client_secret, email_domains, default_role,
          admin_values, member_values, passwords_allowed, created_at, updated_at)
        VALUES ($1, $2, 'https://id.example', 'claims', $3, '{}', 'member', '{}', '{}', true, now(), now())`,
      owner: `client secret of identity provider ${organization.id}`,
    },
    'audit_person_keys.secret': {
      sql: 'INSERT INTO audit_person_keys (organization_id, person_id, secret) VALUES ($2, $1, $3)',
      owner: `person ${organization.id} of ${organization.id}`,
    },
    'audit_destinations.secret': {
      sql: `INSERT INTO audit_destinations (id, organization_id, kind, url, name, secret, sequence, due_at, created_at)
        VALUES ($1, $2, 'https', 'https://logs.example', 'Authorization', $3, 0, now(), now())`,
      owner: `audit destination ${organization.id}`,
    },
    'confirmations.shown': {
      sql: `INSERT INTO confirmations (id, organization_id, environment, credential_id, asked_by, operation, digest, shown, rule,
          created_at, expires_at) VALUES ($1, $2, 'live', $2, '', '', '', $3, 'person', now(), now())`,
      owner: `confirmation ${organization.id} ${organization.id}`,
    },
    'stored_files.data_key': {
      sql: `INSERT INTO stored_files (id, organization_id, environment, kind, owner_id, name, status, data_key, bytes, attempts, created_at)
        VALUES ($1, $2, 'test', 'statement_originals', $1, '', 'kept', $3, 1, 0, now())`,
      owner: `file ${organization.id} ${organization.id}`,
    },
    'statement_names.names': {
      sql: `INSERT INTO statement_names (statement_id, organization_id, environment, names) VALUES ($1, $2, 'test', $3)`,
      owner: `names of bank statement ${organization.id}`,
    },
    'signing_keys.secret': {
      sql: `INSERT INTO signing_keys (organization_id, environment, secret, created_at)
        SELECT $2, 'test', $3, now() WHERE $1::uuid IS NOT NULL`,
      owner: `signing key ${organization.id} test`,
    },
    'signing_keys.certificate_key': {
      sql: 'UPDATE signing_keys SET certificate_key = $3 WHERE organization_id = $2 AND $1::uuid IS NOT NULL',
      owner: `certificate key ${organization.id} test`,
    },
    'receipt_files.content': {
      sql: `INSERT INTO receipt_files (receipt_id, part, organization_id, environment, content) VALUES ($1, 0, $2, 'test', $3)`,
      owner: `receipt ${organization.id} part 0`,
    },
    'redaction_keys.secret': {
      sql: `INSERT INTO redaction_keys (organization_id, environment, secret, created_at)
        SELECT $2, 'test', $3, now() WHERE $1::uuid IS NOT NULL`,
      owner: `redaction key ${organization.id} test`,
    },
  };
  const old = secretsUnder(KEYS.old);
  for (const { sql, owner } of Object.values(values))
    await rowsOf(database.url, sql, [organization.id, organization.id, old.encrypt('kept', owner)]);
  // Five parts: more than are taken at once.
  for (let part = 0; part < 5; part += 1)
    await rowsOf(
      database.url,
      `INSERT INTO statement_originals (statement_id, part, organization_id, environment, content) VALUES ($1, $2, $1, 'test', $3)`,
      [organization.id, part, old.encrypt(`part ${part}`, `bank statement ${organization.id} part ${part}`)],
    );
  const both = `${KEYS.next},${KEYS.old}`;
  expect(await doctorSays(both)).toMatch(/WARN +secrets +20 are under an older key/);
  expect(await doctorSays(KEYS.next)).toMatch(/FAILED +secrets +20 secrets are under a key that ENCRYPTION_KEY does not have/);
  // Without the old key nothing can be moved, and nothing is harmed.
  const alone = await reencrypt(KEYS.next);
  expect([alone.code, alone.report.columns.map(({ unreadable }) => unreadable).reduce((a, b) => a + b)]).toEqual([1, 20]);

  const { code, report } = await reencrypt(both);
  expect([code, report.ok]).toEqual([0, true]);
  expect(Object.fromEntries(report.columns.map(({ what, moved, left }) => [what, [moved, left]]))).toEqual({
    'audit_destinations.secret': [1, 0],
    'confirmations.shown': [1, 0],
    'audit_keys.secret': [1, 0],
    'audit_person_keys.secret': [1, 0],
    'webhook_endpoints.secret': [1, 0],
    'webhook_endpoints.previous_secret': [0, 0],
    'webhook_endpoints.own_headers': [1, 0],
    'users.totp_secret': [1, 0],
    'identity_providers.client_secret': [1, 0],
    'receipt_files.content': [1, 0],
    'redaction_keys.secret': [1, 0],
    'signing_keys.certificate_key': [1, 0],
    'signing_keys.secret': [1, 0],
    'statement_names.names': [1, 0],
    'statement_names.doubtful': [0, 0],
    'statement_originals.content': [5, 0],
    'idempotency_keys.sealed_answer': [1, 0],
    'stored_files.data_key': [1, 0],
  });
  const again = await reencrypt(both);
  expect(again.report.columns.every(({ moved, left }) => moved === 0 && left === 0)).toBe(true);
  expect(await doctorSays(KEYS.next)).toMatch(/ok +secrets +all are under the first key/);

  const next = secretsUnder(KEYS.next);
  for (const [path, { owner }] of Object.entries(values)) {
    const [table, column] = path.split('.');
    const [row] = await rowsOf<{ stored: Buffer }>(database.url, `SELECT ${column} AS stored FROM ${table} WHERE organization_id = $1`, [
      organization.id,
    ]);
    expect(next.decrypt(row!.stored, owner)).toBe('kept');
  }
  const parts = await rowsOf<{ part: number; content: Buffer }>(
    database.url,
    'SELECT part, content FROM statement_originals ORDER BY part',
  );
  expect(parts.map(({ part, content }) => next.decrypt(content, `bank statement ${organization.id} part ${part}`))).toEqual(
    [0, 1, 2, 3, 4].map((part) => `part ${part}`),
  );
  await app.close();
  app = await startApp({ DATABASE_URL: database.url, ENCRYPTION_KEY: KEYS.next });
  const replayed = await new Client(app.url, key).post('/v1/webhooks', webhook, { 'Idempotency-Key': 'hook' });
  expect([replayed.status, replayed.headers['idempotent-replayed'], replayed.body.secret]).toEqual([201, 'true', created.body.secret]);
});

it('a value that someone holds locked is skipped and reported, and moved by the next run', async () => {
  const { key, organization } = await aTenant(app);
  const webhook = {
    name: 'Hook',
    targetUrl: 'https://receiver.example/hook',
    subscribedEvents: ['claim_project.created'],
    headers: { Authorization: 'Bearer abc' },
  };
  const { id } = (await new Client(app.url, key).post('/v1/webhooks', webhook)).body;
  const third = randomBytes(32).toString('base64');
  const holder = await openSession(database.url);
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM webhook_endpoints WHERE organization_id = $1 AND id = $2 FOR UPDATE', [organization.id, id]);
  const first = await reencrypt(`${third},${KEYS.next}`);
  expect([first.code, first.report.columns.find(({ what }) => what === 'webhook_endpoints.secret')!.left]).toEqual([1, 1]);
  await holder.end();
  expect((await reencrypt(`${third},${KEYS.next}`)).code).toBe(0);
});
