// `npm run bench -- --only beside`: the 99th percentile of GET and POST at a moderate rate, at rest and while other work of the service goes on.
// The work is done by processes of their own, as in production, but on the same processors.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import autocannon from 'autocannon';
import { posting } from './load.js';
import { categories, descriptionOf, seeded } from './report-rules.js';
import { record } from './record.js';
import { openStage } from './stage.js';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const LINES = Number(process.env.BENCH_LINES ?? 100_000);
const STATEMENTS = 12;
const GETS_PER_SECOND = 100;
const POSTS_PER_SECOND = 30;
const ACTOR = { type: 'system', id: null, name: 'bench' };
const ENV = { ENCRYPTION_KEY: Buffer.alloc(32, 'bench').toString('base64') };

const stage = await openStage(ENV);
try {
  const { key, projectId } = await stage.seed();
  const url = await stage.startServer('dist/bundle/main.js', 3851);
  const neighbour = { key, url, path: `/v1/claim-projects/${projectId}` };
  await latencies(neighbour, 3);
  const rest = await latencies(neighbour);
  print('at rest', rest);
  for (const [name, begin] of Object.entries(work(url))) {
    const begun = await begin();
    const found = await latencies(neighbour);
    print(name, found, rest);
    await begun.end();
  }
} finally {
  await stage.close();
}

/** What goes on: each begins, and can be ended. */
function work(url) {
  const worker = () => stage.startProcess('dist/bundle/main.js', { ROLE: 'worker' });
  const end = (child, role) => async () => {
    if (role) return stage.stopProcesses(role);
    if (child.exitCode === null) await once(child, 'exit');
  };
  let reports;
  return {
    'audit entries are sealed': async () => {
      await stage.seedWith(({ sql }) => fillAudit(sql, 100_000));
      return { end: end(worker(), 'worker') };
    },
    'answers are forgotten': async () => {
      await stage.seedWith(({ sql }) => fillKeys(sql, 300_000));
      return { end: end(stage.startProcess('test/bench/one-job.js', { JOB: 'idempotency.expire' })) };
    },
    [`${LINES} lines are read and redacted`]: async () => {
      reports = await stage.seedWith(importStatements);
      return { end: end(worker(), 'worker') };
    },
    [`reports of ${LINES} lines are made`]: async () => {
      await queueReports(url, reports.key);
      return { end: end(worker(), 'worker') };
    },
  };
}

async function latencies({ url, path, key }, seconds = SECONDS) {
  const common = { url, connections: 4, duration: seconds };
  const [get, post] = await Promise.all([
    autocannon({ ...common, url: `${url}${path}`, headers: { 'x-api-key': key }, overallRate: GETS_PER_SECOND }),
    autocannon({ ...common, ...posting(key), overallRate: POSTS_PER_SECOND }),
  ]);
  const failed = get.non2xx + post.non2xx + get.errors + post.errors;
  if (failed > 0) throw new Error(`${failed} calls failed.`);
  return [get, post].map(({ latency }) => latency);
}

function print(name, [get, post], rest) {
  const of = (latency, index) => `p50 ${latency.p50} p99 ${latency.p99}${rest ? ` (x ${(latency.p99 / rest[index].p99).toFixed(1)})` : ''}`;
  record('beside', { [name]: { 'GET, ms': of(get, 0), 'POST, ms': of(post, 1) } });
  console.log(`${name.padEnd(40)} GET ${of(get, 0).padEnd(24)} POST ${of(post, 1)}`);
}

function fillAudit(sql, count) {
  return sql(`INSERT INTO audit_entries (organization_id, environment, occurred_at, actor_type, actor_name, action, resource_type, resource_id, changes)
    SELECT md5((n % 100)::text)::uuid, 'test', now(), 'system', 'bench', 'claim_project.created', 'claim_project', gen_random_uuid(), '{}'
    FROM generate_series(1, ${count}) n`);
}

function fillKeys(sql, count) {
  return sql(`INSERT INTO idempotency_keys (organization_id, environment, key, fingerprint, created_at, status, answer)
    SELECT md5((n % 100)::text)::uuid, 'test', 'old-' || n, '\\x00', now() - interval '3 days', 201, repeat('x', 300)
    FROM generate_series(1, ${count}) n`);
}

async function importStatements({ tenant, app }) {
  const { StatementOperatorService } = await import('../../dist/src/modules/statements/index.js');
  const { id: organizationId, key } = await tenant('beside');
  const chance = seeded(42);
  for (let index = 0; index < STATEMENTS; index += 1) {
    const rows = Array.from({ length: Math.ceil(LINES / STATEMENTS) }, (_, row) => {
      const date = `2026-${String(index + 1).padStart(2, '0')}-${String(1 + (row % 28)).padStart(2, '0')}`;
      return `${date},${descriptionOf(row, chance)},-${Math.floor(chance() * 400)}.00,EUR,`;
    });
    const file = Buffer.from(['Date,Description,Amount,Currency,Counterparty', ...rows, ''].join('\n'));
    const given = { organizationId, environment: 'test', projectId: null, fileName: `${index}.csv`, file, isRedacted: false };
    await app.get(StatementOperatorService).import(ACTOR, given);
  }
  return { key };
}

async function queueReports(url, key) {
  const call = async (path, body) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
  for (const { code, name, sourceMapping } of categories()) await call('/v1/expense-categories', { code, name, sourceMapping });
  const outputOptions = { formats: ['json', 'csv', 'xlsx', 'pdf'], detail: 'lines' };
  const period = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
  const { id: reportConfigurationId } = await call('/v1/report-configurations', { name: 'Beside', ...period, outputOptions });
  for (let count = 0; count < 10; count += 1) await call('/v1/claim-reports', { reportConfigurationId });
}
