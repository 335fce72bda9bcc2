// `npm run bench -- --only audit`: the time of a page of the audit log with ten million rows, compared with ten thousand. Two databases with a
// service each, called in turn; the result is the ratio.
import { openStage } from './stage.js';
import { timeInTurn } from './time-in-turn.js';

const SIZES = { small: 10_000, large: Number(process.env.BENCH_ROWS ?? 10_000_000) };
const MONTHS = 24;
const LOG = { table: 'audit_events', by: 'time', period: 'month' };
const CHANGES = {
  name: { from: null, to: 'Berlin office 2026' },
  clientReference: { from: null, to: 'CLIENT-1042' },
  periodStart: { from: null, to: '2026-01-01' },
  periodEnd: { from: null, to: '2026-12-31' },
  status: { from: null, to: 'active' },
};
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 100);

const stages = { small: await openStage(), large: await openStage() };
try {
  const sides = {};
  for (const [index, [name, stage]] of Object.entries(stages).entries()) sides[name] = await prepare(stage, SIZES[name], 3811 + index);
  console.log(`audit pages of 500, ms (median of ${ROUNDS}): ${SIZES.small} rows, ${SIZES.large} rows, ratio`);
  for (const [name, path, environment, limit = 500] of calls()) {
    const call =
      ({ url, keys }, query) =>
      () =>
        read(`${url}/v1/audit/events?limit=${limit}${query}`, keys[environment]);
    const [small, large] = await timeInTurn([call(sides.small, path(sides.small)), call(sides.large, path(sides.large))], ROUNDS);
    console.log(`${name.padEnd(42)} ${small.toFixed(2).padStart(8)} ${large.toFixed(2).padStart(8)}   ${(large / small).toFixed(2)}`);
  }
} finally {
  for (const stage of Object.values(stages)) await stage.close();
}

/** A log of this many rows: half belong to the measured organization, the rest to 99 others; a few have a rare action or actor. */
async function prepare(stage, rows, port) {
  const filled = await stage.seedWith((tools) => fill(rows, tools));
  return { ...filled, url: await stage.startServer('dist/src/main.js', port) };
}

async function fill(rows, { sql, tenant, app }) {
  const { id, key, liveKey } = await tenant('bench');
  const { Partitions, periodAt } = await import('../../dist/src/store/database/partitions.js');
  const half = rows / 2;
  await app.get(Partitions).ensure(LOG, periodAt(LOG, new Date(), -MONTHS), MONTHS + 1);
  await Promise.all(
    [0, 1].map((part) =>
      sql(
        `INSERT INTO audit_events (organization_id, environment, occurred_at, actor_type, actor_id, actor_name, action, resource_type,
       resource_id, ip_address, request_id, changes, created_at, id, sequence, previous_hash, hash)
     SELECT CASE WHEN n % 2 = 0 THEN $1::uuid ELSE others[n / 2 % 99 + 1] END,
       CASE WHEN n % 20 = 0 THEN 'test' ELSE 'live' END, at,
       CASE WHEN n % 1000 = 0 THEN 'system' ELSE 'api' END, '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21', 'Month-end sync',
       CASE WHEN n % 10000 = 0 THEN 'api_key.revoked' WHEN n % 3 = 0 THEN 'claim_project.updated' ELSE 'claim_project.created' END,
       'claim_project', gen_random_uuid(), '203.0.113.7', gen_random_uuid(), $5::json,
       at, gen_random_uuid(), n, repeat('0', 64), encode(sha256(n::text::bytea), 'hex')
     FROM (SELECT array_agg(gen_random_uuid()) AS others FROM generate_series(1, 99)) o, LATERAL (
       SELECT n, now() - make_interval(secs => (($2::bigint - n)::double precision / $2) * 86400 * 30 * ${MONTHS - 1}) AS at
       FROM generate_series($3::bigint, $4::bigint) n) rows`,
        [id, rows, part * half + 1, (part + 1) * half, JSON.stringify(CHANGES)],
      ),
    ),
  );
  await sql('VACUUM ANALYZE audit_events');
  const [middle] = await sql(
    'SELECT created_at AS at, id FROM audit_events WHERE organization_id = $1 ORDER BY created_at, id OFFSET $2 LIMIT 1',
    [id, Math.floor(rows / 4)],
  );
  const [late] = await sql(
    'SELECT created_at AS at, id FROM audit_events WHERE organization_id = $1 ORDER BY created_at DESC, id DESC OFFSET 501 LIMIT 1',
    [id],
  );
  return { keys: { test: key, live: liveKey }, middle, late };
}

function calls() {
  const after = ({ at, id }) => `&cursor_created_at=${at}&cursor_id=${id}`;
  return [
    ['first page', () => '', 'live'],
    ['in the middle, by cursor', ({ middle }) => after(middle), 'live'],
    ['the last 500, by cursor', ({ late }) => after(late), 'live'],
    ['since the middle', ({ middle }) => `&since=${middle.at}`, 'live'],
    ['events of the test environment', () => '', 'test'],
    ['action_prefix of most rows', ({ middle }) => `&action_prefix=claim_project.${after(middle)}`, 'live'],
    // Limited to what the small log has, so that both return the same number.
    ['action_prefix of few rows (1 row)', () => '&action_prefix=api_key.', 'live', 1],
    ['actor_type of few rows (10 rows)', () => '&actor_type=system', 'live', 10],
  ];
}

async function read(url, key) {
  const answer = await fetch(url, { headers: { 'x-api-key': key } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${text}`);
}
