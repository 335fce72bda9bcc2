// `npm run bench`: the service beside a bare server that does the same SQL by hand, in turn and on one database, so that what
// counts is the ratio and not the machine. Real Postgres with fsync, 32 connections.
import autocannon from 'autocannon';
import { openStage } from './stage.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);

const stage = await openStage();
try {
  const { key, projectId } = await stage.seed();
  const service = await stage.startServer('dist/src/main.js', 3801);
  const bare = await stage.startServer('test/bench/bare-server.js', 3802);
  for (const [name, call] of calls(key, projectId)) await compare(name, call, service, bare);
} finally {
  await stage.close();
}

function calls(key, projectId) {
  const headers = { 'x-api-key': key };
  let count = 0;
  const post = {
    method: 'POST',
    path: '/v1/claim-projects',
    setupRequest: (request) => {
      count += 1;
      const body = JSON.stringify({ name: `Benchmark ${process.pid} ${count}`, clientReference: 'CLIENT-1042', periodStart: '2026-01-01', periodEnd: '2026-12-31', status: 'active', metadata: { officeCode: 'BER-1' } });
      return { ...request, headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': `${process.pid}-${count}` }, body };
    },
  };
  return [
    ['GET by id', { path: `/v1/claim-projects/${projectId}`, headers }],
    ['list of 50', { path: '/v1/claim-projects', headers }],
    ['POST', { requests: [post] }],
  ];
}

async function compare(name, call, service, bare) {
  await load(service, call, 2);
  await load(bare, call, 2);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await load(service, call, SECONDS);
    const theirs = await load(bare, call, SECONDS);
    rounds.push({ ours, theirs, ratio: ours / theirs });
  }
  const middle = (pick) => rounds.map(pick).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
  const ratios = rounds.map(({ ratio }) => ratio.toFixed(2)).join(' ');
  console.log(`${name.padEnd(12)} service ${Math.round(middle((r) => r.ours))}/s   bare ${Math.round(middle((r) => r.theirs))}/s   ratio ${middle((r) => r.ratio).toFixed(2)}   (rounds: ${ratios})`);
}

async function load(url, { path = '', ...call }, duration) {
  const result = await autocannon({ url: `${url}${path}`, connections: 32, duration, ...call });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} answered ${result.non2xx} times with an error, and failed ${result.errors} times.`);
  return result.requests.total / result.duration;
}
