// `npm run bench -- --only soak [-- MINUTES]`: the memory of an API and of a worker that sends webhooks, by the minute, at a steady rate of calls.
// Memory that is flat after a few minutes stays flat: the last minute is compared with the fifth.
import autocannon from 'autocannon';
import { posting } from './load.js';
import { memoryOf } from './processes.js';
import { openStage } from './stage.js';
import { WEBHOOK_ENV } from './webhook-records.js';

const MINUTES = Number(process.argv[2] ?? 20);
const COMPARED_WITH = 5;
const CALLS_PER_SECOND = { get: 500, list: 50, post: 50 };

const stage = await openStage(WEBHOOK_ENV);
try {
  const { key, projectId } = await stage.seed();
  const api = await stage.openServer('dist/bundle/main.js', 3881);
  const worker = stage.startProcess('dist/bundle/main.js', { ROLE: 'worker' });
  stage.startProcess('test/bench/webhook-receiver.js', { PORT: '3882' });
  await addEndpoint(api.url, key);
  const running = load(api.url, key, projectId);
  const rows = [];
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    rows.push([memoryOf(api.pid), memoryOf(worker.pid)]);
    const [ofApi, ofWorker] = rows.at(-1).map(({ now, peak }) => `${now} MiB (peak ${peak})`);
    console.log(`minute ${String(minute).padStart(2)}   API ${ofApi}   worker ${ofWorker}`);
  }
  const failed = (await running).reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0);
  const [first, last] = [rows[Math.min(COMPARED_WITH, rows.length) - 1], rows.at(-1)];
  const ratio = (side) => (last[side].now / first[side].now).toFixed(2);
  console.log(`last minute : fifth   API ${ratio(0)}   worker ${ratio(1)}   calls that failed: ${failed}`);
} finally {
  await stage.close();
}

async function addEndpoint(url, key) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': `${process.pid}-soak` };
  const body = JSON.stringify({ name: 'Soak', targetUrl: 'http://127.0.0.1:3882/', subscribedEvents: ['claim_project.created'] });
  const answer = await fetch(`${url}/v1/webhooks`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
}

function load(url, key, projectId) {
  const common = { duration: MINUTES * 60, connections: 8 };
  const headers = { 'x-api-key': key };
  return Promise.all([
    autocannon({ ...common, url: `${url}/v1/claim-projects/${projectId}`, headers, overallRate: CALLS_PER_SECOND.get }),
    autocannon({ ...common, url: `${url}/v1/claim-projects`, headers, overallRate: CALLS_PER_SECOND.list }),
    autocannon({ ...common, url, ...posting(key), overallRate: CALLS_PER_SECOND.post }),
  ]);
}
