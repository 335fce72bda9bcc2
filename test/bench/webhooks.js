// `npm run bench:webhooks`: how many deliveries per second one worker makes, compared with a loop written by hand that signs, posts
// and records; how long an event takes from the response of its POST to the receiver; and how much a hanging endpoint delays others.
import { createServer } from 'node:http';
import { middle } from './load.js';
import { openStage } from './stage.js';
import { byHand } from './webhooks-by-hand.js';

const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 20_000);
const ENDPOINTS = 8;
const CONCURRENCY = 8;
const HANGING = Number(process.env.BENCH_HANGING ?? 100_000);
const ENV = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', ENCRYPTION_KEY: Buffer.alloc(32, 'bench').toString('base64') };
const RECEIVER = 'http://127.0.0.1:3831';

const stage = await openStage();
try {
  await stage.startProcess('test/bench/webhook-receiver.js', { PORT: '3831' });
  await throughput();
  await latency('without Redis', {});
  if (process.env.REDIS_URL) await latency('with Redis', { REDIS_URL: process.env.REDIS_URL });
} finally {
  await stage.close();
}

async function throughput() {
  const { key } = await stage.seedWith(async ({ tenant }) => tenant('deliveries'));
  const api = await stage.startServer('dist/src/main.js', 3832, ENV);
  const ids = [];
  for (let count = 0; count < ENDPOINTS; count += 1)
    ids.push(
      (
        await post(api, key, '/v1/webhooks', {
          name: 'Bench',
          targetUrl: `${RECEIVER}/${count}`,
          subscribedEvents: ['claim_project.created'],
        })
      ).id,
    );
  const body = await stage.seedWith(({ sql }) => fill(sql, ids, DELIVERIES));
  const statements = async () =>
    Number(
      (await stage.seedWith(({ sql }) => sql('SELECT sum(xact_commit) AS n FROM pg_stat_database WHERE datname = current_database()')))[0]
        .n,
    );
  const before = await statements();
  const sent = await receivedCount();
  await stage.startProcess('dist/src/main.js', { ...ENV, ROLE: 'worker' });
  await until(async () => (await receivedCount()) > sent);
  const start = performance.now();
  const first = (await receivedCount()) - sent;
  await until(async () => (await receivedCount()) - sent >= DELIVERIES);
  const ours = (DELIVERIES - first) / ((performance.now() - start) / 1000);
  const spent = (await statements()) - before;
  await stage.stopProcesses('worker');
  const theirs = await byHand({
    databaseUrl: stage.databaseUrl,
    targets: ids.map((_id, index) => `${RECEIVER}/${index}`),
    bodies: Array(DELIVERIES).fill(body),
    concurrency: ENDPOINTS * CONCURRENCY,
  });
  console.log(
    `deliveries   service ${Math.round(ours)}/s   by hand ${Math.round(theirs)}/s   ratio ${(ours / theirs).toFixed(2)}   ` +
      `(${(spent / DELIVERIES).toFixed(3)} transactions per delivery)`,
  );
}

/** Inserts events with due deliveries, spread over the endpoints, and returns a body like those that are sent. */
async function fill(sql, webhookIds, deliveries) {
  const data = {
    id: webhookIds[0],
    environment: 'test',
    name: 'Berlin office 2026',
    clientReference: 'CLIENT-1042',
    periodStart: '2026-01-01',
    periodEnd: '2026-12-31',
    status: 'active',
    metadata: { officeCode: 'BER-1' },
    createdAt: new Date().toISOString(),
    updatedAt: new Date().toISOString(),
  };
  const id = "overlay(gen_random_uuid()::text PLACING left($1, 13) || '-7' FROM 1)::uuid";
  await sql(
    `WITH made AS (
       INSERT INTO events (id, organization_id, environment, kind, resource_id, occurred_at, data)
       SELECT ${id}, organization_id, environment, 'claim_project.created', gen_random_uuid(), now(), $3::json
       FROM generate_series(1, $4) n, webhook_endpoints WHERE webhook_endpoints.id = ($2::uuid[])[1] RETURNING *),
     numbered AS (SELECT *, row_number() OVER () AS n FROM made)
     INSERT INTO webhook_deliveries (id, organization_id, environment, created_at, updated_at, webhook_id, event_id, event_kind, attempt,
       trigger, status, scheduled_at)
     SELECT ${id}, organization_id, environment, now(), now(), ($2::uuid[])[n % array_length($2, 1) + 1], id, kind, 1,
       'automatic', 'pending', now() FROM numbered`,
    [timePrefix(), webhookIds, JSON.stringify(data), deliveries],
  );
  await sql('ANALYZE events');
  await sql('ANALYZE webhook_deliveries');
  return JSON.stringify({
    id: webhookIds[0],
    type: 'claim_project.created',
    timestamp: new Date().toISOString(),
    apiVersion: 'v1',
    environment: 'test',
    organizationId: webhookIds[0],
    data,
  });
}

function timePrefix() {
  const hex = Date.now().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** Sends one POST after the other and waits until its event was received; then the same while another endpoint hangs. */
async function latency(name, env) {
  const received = await openReceiver();
  const all = env.REDIS_URL ? 'api' : 'all';
  const port = env.REDIS_URL ? 3834 : 3833;
  const url = await stage.startServer('dist/src/main.js', port, { ...ENV, ...env, ROLE: all, WEBHOOK_RETRY_SCHEDULE: '0s' });
  if (env.REDIS_URL) await stage.startProcess('dist/src/main.js', { ...ENV, ...env, ROLE: 'worker', WEBHOOK_RETRY_SCHEDULE: '0s' });
  const { key } = await stage.seedWith(({ tenant }) => tenant(`latency-${port}`));
  await post(url, key, '/v1/webhooks', { name: 'Quick', targetUrl: received.url, subscribedEvents: ['claim_project.created'] });
  const measure = async (count) => {
    const times = [];
    for (let index = 0; index < count; index += 1)
      times.push(
        await received.timeOf(() =>
          post(url, key, '/v1/claim-projects', {
            name: `Latency ${port} ${performance.now()}`,
            periodStart: '2026-01-01',
            periodEnd: '2026-12-31',
          }),
        ),
      );
    return times.sort((a, b) => a - b);
  };
  await measure(20);
  const alone = await measure(200);
  const hanging = await post(url, key, '/v1/webhooks', {
    name: 'Hangs',
    targetUrl: `${RECEIVER}/hang`,
    subscribedEvents: ['claim_project.updated'],
  });
  await stage.seedWith(({ sql }) => fill(sql, [hanging.id], HANGING));
  await new Promise((resolve) => setTimeout(resolve, 6000));
  const beside = await measure(200);
  const p95 = (times) => times[Math.floor(times.length * 0.95)];
  console.log(
    `receipt      ${name}: p50 ${middle(alone).toFixed(1)} ms, p95 ${p95(alone).toFixed(1)} ms; ` +
      `beside a hanging endpoint with ${HANGING} due: p95 ${p95(beside).toFixed(1)} ms, ratio ${(p95(beside) / p95(alone)).toFixed(2)}`,
  );
  await received.close();
  await stage.stopProcesses('worker');
}

/** A receiver in this process, so that both times come from the same clock. */
async function openReceiver() {
  let arrived = () => undefined;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.end();
      arrived(performance.now());
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const timeOf = async (call) => {
    const receipt = new Promise((resolve) => (arrived = resolve));
    await call();
    const answered = performance.now();
    return Math.max(0, (await receipt) - answered);
  };
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    timeOf,
    close: () => new Promise((resolve) => server.close(resolve) && server.closeAllConnections()),
  };
}

async function post(url, key, path, body) {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': `${process.pid}-${performance.now()}` },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${await answer.text()}`);
  return answer.json();
}

async function receivedCount() {
  return Number(await (await fetch(`${RECEIVER}/count`)).text());
}

async function until(check) {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 20));
}
