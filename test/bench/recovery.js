// `npm run bench -- --only recovery`: how long `pg_dump` and `pg_restore` take, as docs/backup.md has them, for a database with rows like those
// of the largest tables, and what that makes of 10 and of 100 GiB if time grows with size. It needs DATABASE_URL, a server for which
// the `pg_dump` on the PATH is new enough, and room for three times the size.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openBenchDatabase } from './database.js';
import { openStage } from './stage.js';

const run = promisify(execFile);
const GIB = 2 ** 30;
const SIZE = Number(process.env.BENCH_GIB ?? 1) * GIB;
/** Rows of each table that are added at once, until the database is large enough. */
const ROWS = 50_000;
const LINES_EACH = 3;
const EXTRAPOLATED = [10, 100];

/** Ids begin with the time, as those of the service do; a hundred organizations take turns. */
const TIME = "lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')";
const ID = `(left(${TIME}, 8) || '-' || right(${TIME}, 4) || '-7' || right(gen_random_uuid()::text, 21))::uuid`;
const TENANT = { organization_id: 'md5((n % 100)::text)::uuid', environment: "'live'" };
const HASH = 'md5(random()::text) || md5(n::text)';
const RECORD = `json_build_object('id', gen_random_uuid(), 'environment', 'live', 'name', 'Berlin office ' || n, 'clientReference', 'CLIENT-' || n,
  'periodStart', '2026-01-01', 'periodEnd', '2026-12-31', 'status', 'active', 'metadata', json_build_object('officeCode', 'BER-' || n),
  'createdAt', now(), 'updatedAt', now())`;
const ROWS_OF = {
  statement_lines: {
    count: ROWS * LINES_EACH,
    columns: {
      ...TENANT,
      statement_id: 'md5((n / 500)::text || now()::text)::uuid',
      line_number: 'n',
      booked_on: "date '2026-01-01' + n % 365",
      amount: "'-' || n % 400 || '.25'",
      currency: "'EUR'",
      description: "'Ticket ' || n || ' to Hamburg, paid by card ' || md5(n::text)",
      counterparty: "'Rail Example GmbH'",
      reference: "'REF ' || md5(random()::text)",
      fingerprint: HASH,
    },
  },
  events: {
    columns: { ...TENANT, id: ID, kind: "'claim_project.created'", resource_id: 'gen_random_uuid()', occurred_at: 'now()', data: RECORD },
  },
  webhook_deliveries: {
    columns: {
      ...TENANT,
      id: ID,
      created_at: 'now()',
      updated_at: 'now()',
      webhook_id: 'md5((n % 300)::text)::uuid',
      event_id: ID,
      event_kind: "'claim_project.created'",
      attempt: '1',
      trigger: "'automatic'",
      status: "'delivered'",
      response_status: '200',
      duration_ms: 'n % 900',
      scheduled_at: 'now()',
      attempted_at: 'now()',
    },
  },
  audit_events: {
    columns: {
      ...TENANT,
      id: ID,
      created_at: 'clock_timestamp()',
      occurred_at: 'now()',
      actor_type: "'api_key'",
      actor_id: 'gen_random_uuid()',
      actor_name: "'Month end'",
      action: "'claim_project.created'",
      resource_type: "'claim_project'",
      resource_id: 'gen_random_uuid()',
      ip_address: "'192.0.2.1'",
      changes: RECORD,
      sequence: 'n',
      previous_hash: HASH,
      hash: HASH,
    },
  },
  api_requests: {
    columns: {
      ...TENANT,
      id: ID,
      answered_at: 'now()',
      operation: "'claim_projects.create'",
      method: "'POST'",
      path: "'/v1/claim-projects'",
      status: '201',
      duration_ms: 'n % 90',
      request_id: 'gen_random_uuid()',
      credential_id: 'gen_random_uuid()',
      credential_name: "'Month end'",
      ip_address: "'192.0.2.1'",
    },
  },
};

if (!process.env.DATABASE_URL) throw new Error('Set DATABASE_URL to a server for which the pg_dump on the PATH is new enough.');
const folder = await mkdtemp(join(tmpdir(), 'claims-recovery-'));
const stage = await openStage();
const target = await openBenchDatabase(undefined, 'restored');
try {
  const { bytes, rows } = await stage.seedWith(fill);
  console.log(`${(bytes / GIB).toFixed(2)} GiB: ${rows}`);
  const dump = join(folder, 'claims.dump');
  const dumping = await seconds(() => run('pg_dump', ['--format', 'custom', '--file', dump, stage.databaseUrl]));
  print('pg_dump', dumping, bytes, `, a file of ${((await stat(dump)).size / GIB).toFixed(2)} GiB`);
  const options = ['--no-owner', '--no-comments', '--exit-on-error', '--dbname', target.url];
  print('pg_restore', await seconds(() => run('pg_restore', [...options, dump])), bytes);
} finally {
  await target.close();
  await stage.close();
  await rm(folder, { recursive: true });
}

async function seconds(work) {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function print(name, taken, bytes, more = '') {
  const of = (gib) => `${gib} GiB ${((taken * gib * GIB) / bytes / 60).toFixed(0)} min`;
  console.log(`${name.padEnd(12)}${taken.toFixed(0)} s${more}; if time grows with size: ${EXTRAPOLATED.map(of).join(', ')}`);
}

async function fill({ sql, app }) {
  // The others are created at the start; that of the audit log when it is sealed.
  await app.init();
  await sql(`SELECT create_partition('audit_events', 'audit_events_' || to_char(month, 'YYYYMMDD'), month::text, (month + interval '1 month')::text)
    FROM date_trunc('month', now(), 'UTC') month`);
  for (;;) {
    for (const [table, { count = ROWS, columns }] of Object.entries(ROWS_OF)) {
      const [names, values] = [Object.keys(columns).join(', '), Object.values(columns).join(', ')];
      await sql(`INSERT INTO ${table} (${names}) SELECT ${values} FROM generate_series(1, ${count}) n`);
    }
    const [{ bytes }] = await sql('SELECT pg_database_size(current_database())::float8 AS bytes');
    if (bytes < SIZE) continue;
    await sql('VACUUM ANALYZE');
    const counted = Object.keys(ROWS_OF).map(async (table) => `${(await sql(`SELECT count(*)::int AS n FROM ${table}`))[0].n} ${table}`);
    return { bytes, rows: (await Promise.all(counted)).join(', ') };
  }
}
