// `npm run bench -- --only import`: statements of 5,000 lines by the API, one after the other: from POST to `succeeded`, the file and the feed.
import { randomUUID } from 'node:crypto';
import { record } from './record.js';
import { openStage } from './stage.js';

const LINES = 5000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20);
const ENV = { ENCRYPTION_KEY: Buffer.alloc(32, 'bench').toString('base64') };

const stage = await openStage(ENV);
try {
  const { key } = await stage.seedWith(({ tenant }) => tenant('import'));
  const api = await stage.startServer('dist/src/main.js', 3832);
  stage.startProcess('dist/bundle/main.js', { ROLE: 'worker' });
  const call = async (method, path, body, headers = {}) => {
    const answer = await fetch(api + path, { method, headers: { 'x-api-key': key, 'idempotency-key': randomUUID(), ...headers }, body });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
  const feed = (round) =>
    call('POST', '/v1/bank-statements', JSON.stringify({ currency: 'EUR', lines: linesOf(round) }), { 'content-type': 'application/json' });
  await measure('file', call, (round) => call('POST', '/v1/bank-statements', formOf(round)));
  await measure('feed', call, feed);
} finally {
  await stage.close();
}

async function measure(name, call, send) {
  const seconds = [];
  // The first one starts the thread.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const start = performance.now();
    const { id } = await send(round);
    const statusOf = async () => (await call('GET', `/v1/bank-statements/${id}`)).redactionStatus;
    let status = await statusOf();
    while (!['succeeded', 'failed'].includes(status)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      status = await statusOf();
    }
    if (status === 'failed') throw new Error(`${name} ${round} failed.`);
    if (round > 0) seconds.push((performance.now() - start) / 1000);
  }
  const at = (share) => seconds.toSorted((a, b) => a - b)[Math.ceil(share * ROUNDS) - 1].toFixed(2);
  record('import', { [name.trim()]: { s: at(0.5), 's at p95': at(0.95) } });
  console.log(`${name}   ${LINES} lines: ${at(0.5)} s in the middle, ${at(0.95)} s at p95, of ${ROUNDS}`);
}

function linesOf(round) {
  return Array.from({ length: LINES }, (_, index) => ({
    bookedOn: `2026-01-${String(1 + (index % 28)).padStart(2, '0')}`,
    amount: `-${1 + ((index * 7919 + round) % 40000)}.25`,
    description: `Ticket ${round} ${index} to Hamburg`,
    counterparty: index % 3 === 0 ? 'Jane Example' : 'Rail Example GmbH',
  }));
}

function formOf(round) {
  const rows = linesOf(round).map(
    ({ bookedOn, amount, description, counterparty }) => `${bookedOn},${description},${amount},EUR,${counterparty}`,
  );
  const form = new FormData();
  form.set('file', new Blob([['Date,Description,Amount,Currency,Counterparty', ...rows, ''].join('\n')]), `${round}.csv`);
  return form;
}
