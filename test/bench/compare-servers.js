// Servers on one database take turns, so that a ratio does not depend on the machine.
import { loadOf, middle, posting, warmUp } from './load.js';
import { openStage } from './stage.js';

const STARTS = Number(process.env.BENCH_STARTS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 4);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
/** So many requests that V8 has also optimized what one in a hundred does. */
const WARM_UP = { 'GET by id': 60_000, 'list of 50': 15_000, POST: 8000 };
const FIRST_PORT = 3861;
const SCRAPE_MS = 1000;

/** By name: the first one is what the others are compared with. `isRead`: Prometheus reads it every second. */
export async function compareServers(servers) {
  const stage = await openStage();
  try {
    await compare(stage, servers);
  } finally {
    await stage.close();
  }
}

async function compare(stage, servers) {
  const { key, projectId } = await stage.seed();
  const headers = { 'x-api-key': key };
  const calls = {
    'GET by id': { path: `/v1/claim-projects/${projectId}`, headers },
    'list of 50': { path: '/v1/claim-projects', headers },
    POST: posting(key),
  };
  const measured = Object.fromEntries(Object.keys(calls).map((what) => [what, {}]));
  // V8 optimizes the same program in different ways, so each server is started several times.
  for (let start = 0; start < STARTS; start += 1) {
    const sides = await openAll(stage, servers);
    for (const [what, call] of Object.entries(calls)) {
      for (const { server } of sides) await warmUp(server.url, call, WARM_UP[what]);
      // Whoever is first in a round has the caches of the one before.
      for (let round = 0; round < ROUNDS; round += 1)
        for (const side of turned(sides, round)) (measured[what][side.name] ??= []).push(await roundOf(side, call));
    }
    await stage.closeServers();
  }
  const [first] = Object.keys(servers);
  for (const [what, [plain, ...others]] of Object.entries(measured).map(([what, rounds]) => [what, Object.entries(rounds)])) {
    for (const [name, rounds] of others) {
      const ratio = (of) => middle(rounds.map((one, round) => one[of] / plain[1][round][of])).toFixed(3);
      console.log(`${what.padEnd(10)} ${name} : ${first} = ${ratio('rate')} requests a second, ${ratio('cost')} processor`);
    }
  }
}

async function openAll(stage, servers) {
  const sides = [];
  for (const [index, [name, { script = 'dist/bundle/main.js', env = {}, isRead }]] of Object.entries(servers).entries()) {
    const metricsPort = FIRST_PORT + 50 + index;
    const server = await stage.openServer(script, FIRST_PORT + index, { METRICS_PORT: String(metricsPort), ...env });
    sides.push({ name, server, metrics: isRead ? `http://127.0.0.1:${metricsPort}/metrics` : undefined });
  }
  return sides;
}

async function roundOf({ server, metrics }, call) {
  const before = server.processorSeconds();
  const timer = metrics && setInterval(() => fetch(metrics).then((answer) => answer.text()), SCRAPE_MS);
  const { rate, requests } = await loadOf(server.url, call, SECONDS);
  clearInterval(timer);
  return { rate, cost: (server.processorSeconds() - before) / requests };
}

function turned(sides, by) {
  const first = by % sides.length;
  return [...sides.slice(first), ...sides.slice(0, first)];
}
