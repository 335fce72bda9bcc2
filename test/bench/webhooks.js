// `npm run bench -- --only webhooks`: how many deliveries per second one worker makes, compared with a loop written by hand, to many endpoints and
// to one; how long an event takes from the response of its POST to the receiver; and how much a hanging endpoint delays others.
import { createServer } from 'node:http';
import { middle, posting, steadily } from './load.js';
import { processorSeconds } from './processes.js';
import { record } from './record.js';
import { openStage } from './stage.js';
import { fill, post, RECEIVER, WEBHOOK_ENV } from './webhook-records.js';
import { throughput } from './webhook-throughput.js';

const ENDPOINTS = (process.env.BENCH_ENDPOINTS ?? '64,1').split(',').filter(Boolean).map(Number);
const RATES = (process.env.BENCH_EVENTS_A_SECOND ?? '50,200,500').split(',').map(Number);
const RATED_SECONDS = 10;
const HANGING = Number(process.env.BENCH_HANGING ?? 100_000);

const stage = await openStage({}, { track_commit_timestamp: 'on' });
try {
  await stage.startProcess('test/bench/webhook-receiver.js', { PORT: new URL(RECEIVER).port });
  for (const endpoints of ENDPOINTS) await throughput(stage, endpoints);
  for (const perSecond of RATES) await rated(perSecond);
  if (HANGING > 0) await latency('without Redis', {});
  if (HANGING > 0 && process.env.REDIS_URL) await latency('with Redis', { REDIS_URL: process.env.REDIS_URL });
} finally {
  await stage.close();
}

/** Sends one POST after the other and waits until its event was received; then the same while another endpoint hangs. */
async function latency(name, env) {
  const received = await openReceiver();
  const all = env.REDIS_URL ? 'api' : 'all';
  const port = env.REDIS_URL ? 3834 : 3833;
  const url = await stage.startServer('dist/src/main.js', port, { ...WEBHOOK_ENV, ...env, ROLE: all, WEBHOOK_RETRY_SCHEDULE: '0s' });
  if (env.REDIS_URL) await stage.startProcess('dist/src/main.js', { ...WEBHOOK_ENV, ...env, ROLE: 'worker', WEBHOOK_RETRY_SCHEDULE: '0s' });
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

/** From the commit of an event until it is received: all processes have one clock. An API and a worker, with Redis where there is one. */
async function rated(perSecond) {
  const received = new Map();
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      response.end();
      received.set(JSON.parse(Buffer.concat(chunks)).data.id, Date.now());
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = 3840 + RATES.indexOf(perSecond);
  const api = await stage.openServer('dist/bundle/main.js', port, { ...WEBHOOK_ENV, ROLE: 'api' });
  const worker = await stage.startProcess('dist/bundle/main.js', { ...WEBHOOK_ENV, ROLE: 'worker' });
  const { id: organizationId, key } = await stage.seedWith(({ tenant }) => tenant(`rated-${perSecond}`));
  const targetUrl = `http://127.0.0.1:${server.address().port}/`;
  await post(api.url, key, '/v1/webhooks', { name: 'Rated', targetUrl, subscribedEvents: ['claim_project.created'] });
  const send = (seconds) => steadily(api.url, posting(key), perSecond, seconds);
  await send(3);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  received.clear();
  const before = processorSeconds(worker.pid);
  const sent = await send(RATED_SECONDS);
  while (received.size < sent) await new Promise((resolve) => setTimeout(resolve, 100));
  const workerMicros = ((processorSeconds(worker.pid) - before) * 1e6) / received.size;
  // Postgres notes this time before it has written the commit to the disk.
  const committed = await stage.seedWith(({ sql }) =>
    sql('SELECT id, extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 AS at FROM claim_projects WHERE organization_id = $1', [
      organizationId,
    ]),
  );
  const times = committed.filter(({ id }) => received.has(id)).map(({ id, at }) => received.get(id) - at);
  times.sort((a, b) => a - b);
  const at = (share) => Math.round(times[Math.floor(times.length * share)]);
  const figures = {
    'p50, ms': at(0.5),
    'p99, ms': at(0.99),
    'longest, ms': Math.round(times.at(-1)),
    'worker µs': Math.round(workerMicros),
  };
  console.log(`receipt      at ${perSecond} events a second: ${JSON.stringify(figures)}, of ${times.length}`);
  record('receipt', { [`${perSecond} events a second, ${process.env.REDIS_URL ? 'with' : 'without'} Redis`]: figures });
  await stage.stopProcesses('worker');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
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
