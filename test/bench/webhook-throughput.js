// How many deliveries per second one worker makes, compared with a loop written by hand that signs, posts and records. Both take turns
// on one database and one receiver. Processor time per delivery tells more than the rate on a machine that does other work, too.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { middle } from './load.js';
import { processorSecondsOfTree } from './processes.js';
import { record } from './record.js';
import { bodyOf, fill, post, RECEIVER, receivedCount, until, WEBHOOK_ENV } from './webhook-records.js';

const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 20_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CONCURRENCY = 8;
const ENDPOINTS_OF_ORGANIZATION = 8;

/** Prints the medians of the rounds with this many endpoints. */
export async function throughput(stage, endpoints) {
  const database = new pg.Client(stage.databaseUrl);
  await database.connect();
  const sql = async (text, values) => (await database.query(text, values)).rows;
  try {
    const ids = await openEndpoints(stage, endpoints);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push({ ours: await worker(stage, sql, ids), theirs: await bareLoop(stage, sql, endpoints) });
    print(endpoints, rounds);
  } finally {
    await database.end();
  }
}

function print(endpoints, rounds) {
  const median = (pick) => middle(rounds.map(pick));
  const of = (side) => {
    const micros = (name) => Math.round(median((round) => round[side][name]) * 1e6);
    return `${Math.round(median((round) => round[side].rate))}/s (µs of processor: ${micros('own')} own, ${micros('database')} Postgres)`;
  };
  const ratio = ({ ours, theirs }) => ours.rate / theirs.rate;
  record('webhooks', {
    [`${endpoints} endpoints`]: {
      'deliveries a second': `${Math.round(median(({ ours }) => ours.rate))} : ${Math.round(median(({ theirs }) => theirs.rate))}`,
      ratio: median(ratio).toFixed(2),
      'statements per delivery': median(({ ours }) => ours.statements).toFixed(3),
    },
  });
  console.log(
    `${String(endpoints).padStart(2)} endpoints   service ${of('ours')}   by hand ${of('theirs')}   ratio ${median(ratio).toFixed(2)}   ` +
      `(rounds: ${rounds.map((round) => ratio(round).toFixed(2)).join(' ')})   ` +
      `${median(({ ours }) => ours.statements).toFixed(3)} statements per delivery`,
  );
}

async function openEndpoints(stage, endpoints) {
  const tenants = Math.ceil(endpoints / ENDPOINTS_OF_ORGANIZATION);
  const keys = await stage.seedWith(({ tenant }) =>
    Promise.all(Array.from({ length: tenants }, async (_none, index) => (await tenant(`deliveries-${endpoints}-${index}`)).key)),
  );
  const api = await stage.startServer('dist/src/main.js', 3900 + endpoints, { ...WEBHOOK_ENV, ROLE: 'api' });
  const ids = [];
  for (let index = 0; index < endpoints; index += 1) {
    const webhook = { name: 'Bench', targetUrl: `${RECEIVER}/${index}`, subscribedEvents: ['claim_project.created'] };
    ids.push((await post(api, keys[index % tenants], '/v1/webhooks', webhook)).id);
  }
  await stage.stopProcesses('api');
  return ids;
}

/** The worker, from its first delivery to the last. Each of its statements is a transaction; those of its start are counted, too. */
async function worker(stage, sql, ids) {
  await fill(sql, ids, DELIVERIES);
  const before = await transactions(sql);
  const sent = await receivedCount();
  const process = stage.startProcess('dist/src/main.js', { ...WEBHOOK_ENV, ROLE: 'worker' });
  await until(async () => (await receivedCount()) > sent);
  const spent = await watch(sql, process.pid);
  const first = (await receivedCount()) - sent;
  await until(async () => (await receivedCount()) - sent >= DELIVERIES);
  const measured = perDelivery(spent(), DELIVERIES - first);
  // Postgres counts the last transactions of a connection when it ends.
  await stage.stopProcesses('worker');
  return { ...measured, statements: ((await transactions(sql)) - before) / DELIVERIES };
}

async function bareLoop(stage, sql, endpoints) {
  const loop = fork(new URL('./webhooks-by-hand.js', import.meta.url), { env: { ...process.env, DATABASE_URL: stage.databaseUrl } });
  await once(loop, 'message');
  const spent = await watch(sql, loop.pid);
  const targets = Array.from({ length: endpoints }, (_none, index) => `${RECEIVER}/${index}`);
  loop.send({ targets, body: bodyOf(), deliveries: DELIVERIES, concurrency: endpoints * CONCURRENCY });
  await once(loop, 'message');
  const measured = perDelivery(spent(), DELIVERIES);
  loop.disconnect();
  return measured;
}

/** Wall time, and processor time of a process and of Postgres, from now on. */
async function watch(sql, pid) {
  const [{ postmaster }] = await sql("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer AS postmaster");
  const now = () => ({ seconds: performance.now() / 1000, own: processorSecondsOfTree(pid), database: processorSecondsOfTree(postmaster) });
  const before = now();
  return () => {
    const after = now();
    return Object.fromEntries(Object.keys(before).map((name) => [name, after[name] - before[name]]));
  };
}

const perDelivery = ({ seconds, own, database }, deliveries) => ({
  rate: deliveries / seconds,
  own: own / deliveries,
  database: database / deliveries,
});

async function transactions(sql) {
  return Number((await sql('SELECT xact_commit AS n FROM pg_stat_database WHERE datname = current_database()'))[0].n);
}
