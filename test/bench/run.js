// `npm run bench` compares the service with a bare server that executes the same SQL by hand. Both take turns on one database, so
// that the ratio does not depend on the machine. Real Postgres with fsync, 32 connections.
import { load, middle, posting } from './load.js';
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
  return [
    ['GET by id', { path: `/v1/claim-projects/${projectId}`, headers }],
    ['list of 50', { path: '/v1/claim-projects', headers }],
    ['POST', posting(key)],
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
  const median = (pick) => middle(rounds.map(pick));
  const ratios = rounds.map(({ ratio }) => ratio.toFixed(2)).join(' ');
  const [ours, theirs] = [Math.round(median((r) => r.ours)), Math.round(median((r) => r.theirs))];
  const ratio = median((round) => round.ratio).toFixed(2);
  console.log(`${name.padEnd(12)} service ${ours}/s   bare ${theirs}/s   ratio ${ratio}   (rounds: ${ratios})`);
}
