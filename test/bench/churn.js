// `npm run bench -- --only churn`: how rows that are changed again and again leave their tables: the share of updates that touched no index
// (HOT), dead rows, what vacuum did, and sizes. The service makes projects with keys, deliveries, statements and reports; first as if the
// tables had no storage parameters, then with those of the migrations. Autovacuum looks every two seconds instead of every minute, since
// the load lasts seconds and not days.
import { openStage } from './stage.js';
import { posting, warmUp } from './load.js';
import { fill, post, RECEIVER, receivedCount, timePrefix, until, WEBHOOK_ENV } from './webhook-records.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 4);
const POSTS = Number(process.env.BENCH_POSTS ?? 4000);
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 20_000);
/** Deliveries of before, since vacuum waits for a share of the table. */
const HISTORY = Number(process.env.BENCH_HISTORY ?? 400_000);
const ENDPOINTS = 4;
const STATEMENTS = 3;
const REPORTS = 10;
/** Answers are forgotten in portions, as the job does it. */
const KEYS_AT_ONCE = 1000;
/** Rows of each counting table, and how often one is changed: in no order, some in one statement. */
const TENANTS = 2000;
const CHANGES = 40_000;
const CHANGED_AT_ONCE = 50;
const COUNTERS = {
  webhook_endpoints: { key: 'id', own: "'name', n", change: "lease = gen_random_uuid(), leased_until = now() + interval '30 s'" },
  api_keys: { key: 'id', own: "'key_hash', '\\x' || md5(n::text)", change: "last_used_at = now(), last_used_from = '192.0.2.1'" },
  audit_chains: { key: 'organization_id', own: "'sequence', n", change: 'sequence = sequence + 1, sealed_at = now()' },
  usage_days: { key: 'organization_id', own: "'reads', n", change: 'reads = reads + 1' },
};
const DEAD = `SELECT coalesce(inhparent::regclass::text, relname) AS name, sum(n_dead_tup)::int AS dead
  FROM pg_stat_user_tables LEFT JOIN pg_inherits ON inhrelid = relid GROUP BY 1`;
const SETTINGS = { autovacuum_naptime: '2s' };

for (const side of ['without parameters', 'with parameters']) {
  const stage = await openStage(WEBHOOK_ENV, SETTINGS);
  try {
    const { key } = await stage.seedWith(({ tenant }) => tenant('churn'));
    if (side === 'without parameters') await stage.seedWith(({ sql }) => withoutParameters(sql));
    const { seconds, most } = await work(stage, key);
    console.log(`\n${side}: ${seconds.toFixed(0)} s, ${ROUNDS} rounds of ${POSTS} projects and ${DELIVERIES} deliveries more`);
    const worked = await stage.seedWith(({ sql }) => look(sql));
    const counted = await stage.seedWith(countFor);
    for (const name of Object.keys(worked)) Object.assign(worked[name], { 'most dead': most[name] }, name in COUNTERS && counted[name]);
    console.table(worked);
  } finally {
    await stage.close();
  }
}

/** Of tables alone: those of indexes were there before. */
async function withoutParameters(sql) {
  const tables = await sql(`SELECT oid::regclass::text AS name,
      (SELECT string_agg(split_part(option, '=', 1), ', ') FROM unnest(reloptions) option) AS options
    FROM pg_class WHERE relkind = 'r' AND reloptions IS NOT NULL AND relnamespace = current_schema()::regnamespace`);
  for (const { name, options } of tables) await sql(`ALTER TABLE ${name} RESET (${options})`);
}

async function work(stage, key) {
  stage.startProcess('test/bench/webhook-receiver.js', { PORT: new URL(RECEIVER).port });
  const api = await stage.startServer('dist/src/main.js', 3861, { ROLE: 'api' });
  stage.startProcess('dist/src/main.js', { ROLE: 'worker' });
  await until(() =>
    receivedCount().then(
      () => true,
      () => false,
    ),
  );
  const ids = [];
  for (let index = 0; index < ENDPOINTS; index += 1) {
    const webhook = { name: 'Churn', targetUrl: `${RECEIVER}/${index}`, subscribedEvents: ['claim_project.created'] };
    ids.push((await post(api, key, '/v1/webhooks', webhook)).id);
  }
  await statements(api, key);
  const { id: reportConfigurationId } = await post(api, key, '/v1/report-configurations', {
    name: 'Churn',
    periodStart: '2026-01-01',
    periodEnd: '2026-12-31',
  });
  await stage.seedWith(({ sql }) => addHistory(sql));
  const [most, start] = [{}, performance.now()];
  const projects = posting(key);
  for (let round = 0; round < ROUNDS; round += 1) {
    await warmUp(api, projects, POSTS);
    await stage.seedWith(({ sql }) => fill(sql, ids, DELIVERIES));
    await Promise.all(Array.from({ length: REPORTS }, () => finished(api, key, '/v1/claim-reports', { reportConfigurationId })));
    await stage.seedWith(async ({ sql }) => {
      await until(async () => {
        for (const { name, dead } of await sql(DEAD)) most[name] = Math.max(dead, most[name] ?? 0);
        return !(await sql("SELECT EXISTS (SELECT FROM webhook_deliveries WHERE status = 'pending') AS is"))[0].is;
      });
      await forget(sql);
    });
  }
  const seconds = (performance.now() - start) / 1000;
  // A session counts what it changed when it ends.
  await stage.closeServers();
  return { seconds, most };
}

async function addHistory(sql) {
  const id = "overlay(gen_random_uuid()::text PLACING left($1, 13) || '-7' FROM 1)::uuid";
  await sql(
    `INSERT INTO webhook_deliveries (id, organization_id, environment, created_at, updated_at, webhook_id, event_id, event_kind, attempt,
       trigger, status, response_status, duration_ms, scheduled_at, attempted_at)
     SELECT ${id}, organization_id, environment, now(), now(), endpoint.id, ${id}, 'claim_project.created', 1, 'automatic', 'delivered', 200, 9,
       now(), now() FROM generate_series(1, $2) n, webhook_endpoints endpoint`,
    [timePrefix(), HISTORY / ENDPOINTS],
  );
  await sql('VACUUM ANALYZE webhook_deliveries');
}

/**
 * What many organizations have a row of: copies of the rows that are there. Then rows are changed in no order, by what the statements of the
 * service change. The rows of one organization fill no page. No vacuum or ANALYZE of another table runs meanwhile, since the latter keeps
 * dead rows from being removed, as any long transaction does.
 */
async function countFor({ sql }) {
  await sql('VACUUM ANALYZE');
  const isQuiet = "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'autovacuum worker') AS is";
  await until(async () => (await sql(isQuiet))[0].is);
  for (const [table, { key, own }] of Object.entries(COUNTERS))
    await sql(`INSERT INTO ${table} SELECT made.* FROM generate_series(1, ${TENANTS}) n, (SELECT row FROM ${table} row LIMIT 1) one,
      LATERAL jsonb_populate_record(one.row, jsonb_build_object('${key}', gen_random_uuid(), ${own})) made`);
  for (let round = 0; round < CHANGES / CHANGED_AT_ONCE; round += 1)
    for (const [table, { key, change }] of Object.entries(COUNTERS))
      await sql(`UPDATE ${table} SET ${change} WHERE ${key} IN (SELECT ${key} FROM ${table} ORDER BY random() LIMIT ${CHANGED_AT_ONCE})`);
  return look(sql);
}

async function statements(api, key) {
  const made = Array.from({ length: STATEMENTS }, (_each, index) => {
    const lines = Array.from({ length: 200 }, (_none, line) => ({
      bookedOn: `2026-01-${String(1 + (line % 28)).padStart(2, '0')}`,
      amount: `-${1 + line}.25`,
      description: `Ticket ${index} ${line}`,
      counterparty: 'Rail Example GmbH',
    }));
    return finished(api, key, '/v1/bank-statements', { currency: 'EUR', lines });
  });
  await Promise.all(made);
}

/** Creates a record that a worker works on, and waits for it. */
async function finished(api, key, path, body) {
  const { id } = await post(api, key, path, body);
  const stateOf = async () => {
    const answer = await fetch(`${api}${path}/${id}`, { headers: { 'x-api-key': key } });
    const { redactionStatus, status = redactionStatus } = await answer.json();
    if (status === 'failed') throw new Error(`${path}/${id} failed.`);
    return status;
  };
  await until(async () => (await stateOf()) === 'succeeded');
}

async function forget(sql) {
  const some = `DELETE FROM idempotency_keys WHERE (organization_id, environment, key) IN (
    SELECT organization_id, environment, key FROM idempotency_keys LIMIT ${KEYS_AT_ONCE}) RETURNING 1 AS gone`;
  while ((await sql(some))[0].length === KEYS_AT_ONCE);
}

/** Partitions are counted as their table. `pgstattuple` reads each table whole, so its figures are counted and not estimated. */
async function look(sql) {
  await sql('SELECT pg_stat_force_next_flush()');
  await sql('CREATE EXTENSION IF NOT EXISTS pgstattuple');
  const rows = await sql(`
    SELECT coalesce(inhparent::regclass::text, pg_class.relname) AS name, sum(n_tup_ins)::int AS inserted, sum(n_tup_upd)::int AS updated,
      round(100.0 * sum(n_tup_hot_upd) / nullif(sum(n_tup_upd), 0), 1)::float8 AS "HOT %", sum(n_tup_del)::int AS deleted,
      sum(autovacuum_count)::int AS vacuums, sum(dead_tuple_count)::int AS dead,
      round(100.0 * sum(dead_tuple_len) / nullif(sum(table_len), 0), 1)::float8 AS "dead %",
      round(100.0 * sum(free_space) / nullif(sum(table_len), 0), 1)::float8 AS "free %",
      round(sum(table_len) / 1024)::int AS "table KiB", round(sum(pg_indexes_size(relid)) / 1024)::int AS "indexes KiB"
    FROM pg_stat_user_tables LEFT JOIN pg_inherits ON inhrelid = relid
      JOIN pg_class ON pg_class.oid = relid AND relkind = 'r', LATERAL pgstattuple(relid)
    GROUP BY 1 HAVING sum(n_tup_upd) > 0 ORDER BY sum(n_tup_upd) DESC`);
  return Object.fromEntries(rows.map(({ name, ...row }) => [name, row]));
}
