// `npm run bench -- --only start`: how long it takes from the start of a process until an API or a worker is ready, and until a command has
// ended. `-- FOLDER` after it: compares this checkout with another one; both take turns. Processor time counts all threads.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { middle } from './load.js';
import { memoryOf, processorSeconds, processorSecondsOfEnded } from './processes.js';
import { record } from './record.js';
import { openStage } from './stage.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const PORT = 3861;
const HERE = fileURLToPath(new URL('../..', import.meta.url));
const LOOK_EVERY_MS = 5;

const folders = [HERE, ...process.argv.slice(2)];
const stage = await openStage();
const env = {
  ...process.env,
  DATABASE_URL: stage.databaseUrl,
  LOG_FORMAT: 'json',
  ENCRYPTION_KEY: Buffer.alloc(32, 'bench').toString('base64'),
};
const STARTS = {
  'API ready': (folder) => untilReady(folder, { ROLE: 'api', PORT: String(PORT) }),
  'worker ready': (folder) => untilReady(folder, { ROLE: 'worker', HEALTH_PORT: String(PORT) }),
  'claims org create': (folder) => untilEnded(folder, ['org', 'create', '--name', `Bench ${performance.now()}`]),
  'claims --help': (folder) => untilEnded(folder, ['--help']),
};
try {
  await stage.seed();
  const table = {};
  for (const [name, measure] of Object.entries(STARTS)) {
    const rounds = [];
    // The first round only brings the files into the cache of the operating system.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const sides = [];
      for (const folder of folders) sides.push(await measure(folder));
      if (round > 0) rounds.push(sides);
    }
    table[name] = rowOf(rounds);
  }
  console.table(table);
  record('start', table);
} finally {
  await stage.close();
}

/** Medians; of two folders, here : there, and the median of their ratios: below 1 is less than there. */
function rowOf(rounds) {
  const median = (pick) => middle(rounds.map(pick));
  const each = (name) => folders.map((_folder, side) => median((round) => round[side][name])).join(' : ');
  const ratio = (name) => (folders.length > 1 ? { [`${name} ratio`]: median(([a, b]) => a[name] / b[name]).toFixed(2) } : {});
  const names = ['ms', 'processor ms', ...('MiB' in rounds[0][0] ? ['MiB'] : [])];
  return Object.fromEntries(names.flatMap((name) => [[name, each(name)], ...Object.entries(ratio(name))]));
}

function claims(folder, args, more) {
  const stdio = ['ignore', 'ignore', 'inherit'];
  return spawn(process.execPath, [join(folder, 'bin/claims.js'), ...args], { cwd: HERE, env: { ...env, ...more }, stdio });
}

/** Until /health/ready is answered. A worker listens there once it is ready; an API listens when it can answer calls. */
async function untilReady(folder, more) {
  const began = performance.now();
  const child = claims(folder, ['start'], more);
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The process of ${folder} ended with ${child.exitCode}.`);
    await delay(LOOK_EVERY_MS);
  }
  const ms = performance.now() - began;
  const used = { ms: Math.round(ms), 'processor ms': Math.round(processorSeconds(child.pid) * 1000), MiB: memoryOf(child.pid).now };
  child.kill();
  await once(child, 'exit');
  return used;
}

function isReady() {
  return new Promise((resolve) => {
    const request = get(`http://127.0.0.1:${PORT}/health/ready`, { agent: false }, (answer) => resolve(answer.resume().statusCode === 200));
    request.once('error', () => resolve(false));
  });
}

async function untilEnded(folder, args) {
  const before = processorSecondsOfEnded();
  const began = performance.now();
  const [code] = await once(claims(folder, args), 'exit');
  const ms = performance.now() - began;
  if (code !== 0) throw new Error(`claims ${args.join(' ')} of ${folder} ended with ${code}.`);
  return { ms: Math.round(ms), 'processor ms': Math.round((processorSecondsOfEnded() - before) * 1000) };
}
