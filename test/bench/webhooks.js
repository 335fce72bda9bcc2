// `npm run bench -- --only webhooks`: how many deliveries per second one worker makes, compared with a loop written by hand, to many endpoints and
// to one; how long an event takes from the response of its POST to the receiver; and how much a hanging endpoint delays others.
import { createServer } from 'node:http';
import autocannon from 'autocannon';
import { middle, posting } from './load.js';
import { record } from './record.js';
import { openStage } from './stage.js';
import { fill, post, RECEIVER, WEBHOOK_ENV } from './webhook-records.js';
import { throughput } from './webhook-throughput.js';

const ENDPOINTS = (process.env.BENCH_ENDPOINTS ?? '64,1').split(',').filter(Boolean).map(Number);
const RATES = (process.env.BENCH_EVENTS_A_SECOND ?? '50,200,500').split(',').map(Number);
const RATED_SECONDS = 10;
const HANGING = Number(process.env.BENCH_HANGING ?? 100_000);

const stage = await openStage();
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

/**
 * From the time that a record says it was made, which is before its commit, until its event is received: all processes have one clock. An API
 * and a worker, with Redis where there is one.
 */
async function rated(perSecond) {
  const times = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      response.end();
      times.push(Date.now() - Date.parse(JSON.parse(Buffer.concat(chunks)).data.createdAt));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = 3840 + RATES.indexOf(perSecond);
  const url = await stage.startServer('dist/bundle/main.js', port, { ...WEBHOOK_ENV, ROLE: 'api' });
  await stage.startProcess('dist/bundle/main.js', { ...WEBHOOK_ENV, ROLE: 'worker' });
  const { key } = await stage.seedWith(({ tenant }) => tenant(`rated-${perSecond}`));
  const targetUrl = `http://127.0.0.1:${server.address().port}/`;
  await post(url, key, '/v1/webhooks', { name: 'Rated', targetUrl, subscribedEvents: ['claim_project.created'] });
  // One list of calls: each has a key of its own.
  const calls = posting(key);
  const send = (duration) => autocannon({ url, connections: 16, duration, overallRate: perSecond, ...calls });
  await send(3);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  times.length = 0;
  const { requests } = await send(RATED_SECONDS);
  while (times.length < requests.total) await new Promise((resolve) => setTimeout(resolve, 100));
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)];
  console.log(
    `receipt      at ${perSecond} events a second: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${times.at(-1)} ms, of ${times.length}`,
  );
  record('receipt', {
    [`${perSecond} events a second, ${process.env.REDIS_URL ? 'with' : 'without'} Redis`]: {
      'p50, ms': at(0.5),
      'p99, ms': at(0.99),
      'longest, ms': times.at(-1),
    },
  });
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
