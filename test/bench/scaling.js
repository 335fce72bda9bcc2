// `npm run bench -- --only scaling` prints the tables of docs/scaling.md: the steps of growth on this machine, in alternating rounds, as ratios to
// one process; and what a call leaves in the database. Needs PgBouncer and, for the last row, redis-server.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { load, middle, posting } from './load.js';
import { openPair, startPgBouncer, startRedis } from './scaling-servers.js';
import { openStage } from './stage.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const CONNECTIONS = 32;
const WRITES = 1000;
const SERVER = 'dist/src/main.js';
const REDIS = '/usr/bin/redis-server';
const DURATION_S = 5;
/** For a given number of calls. */
const LONGEST_S = 60;

const pair = await openPair();
process.env.DATABASE_URL = pair.primary;
const stage = await openStage();
const poolers = [await startPgBouncer(stage.databaseUrl, 3871), await startPgBouncer(stage.databaseUrl, 3873)];
/** One that keeps prepared statements. */
const NEWER = process.env.TEST_NEWER_PGBOUNCER_PATH;
if (NEWER) poolers.push(await startPgBouncer(stage.databaseUrl, 3874, NEWER));
const redis = existsSync(REDIS) ? await startRedis(REDIS) : undefined;
const admin = new pg.Client(stage.databaseUrl);
await admin.connect();
try {
  const { key, projectId } = await stage.seed();
  const steps = await startSteps();
  const headers = { 'x-api-key': key };
  const writes = posting(key);
  const calls = {
    'GET by id': { path: `/v1/claim-projects/${projectId}`, headers },
    'list of 50': { path: '/v1/claim-projects', headers },
    POST: writes,
  };
  await compareSteps(steps, calls);
  await footprint(steps.at(-1).urls[0], key, calls);
} finally {
  await admin.end();
  await stage.close();
  for (const pooler of poolers) await pooler.stop();
  await redis?.stop();
  await pair.stop();
}

async function startSteps() {
  const standby = new URL(stage.databaseUrl);
  standby.host = new URL(pair.standby).host;
  const reading = { DATABASE_READ_URL: standby.href };
  const start = async (port, more) => [await stage.startServer(SERVER, port, more), await stage.startServer(SERVER, port + 1, more)];
  const direct = await start(3861, {});
  return [
    { name: 'one process', urls: direct.slice(0, 1) },
    { name: 'two processes', urls: direct },
    ...(await pooledSteps(start)),
    { name: 'two processes, synchronous standby', urls: direct, isSynchronous: true },
    { name: 'two processes, replica for reads', urls: await start(3865, reading) },
    ...(redis ? await stepsWithRedis(start) : []),
  ];
}

async function stepsWithRedis(start) {
  const shared = { REDIS_URL: redis.url };
  return [
    { name: 'two processes, Redis', urls: await start(3867, shared) },
    { name: 'two processes on one port, Redis', urls: [await stage.startServer(SERVER, 3869, { ...shared, API_PROCESSES: '2' })] },
  ];
}

/** A process asks its pooler at the start. Those of the role come from docs/scaling.md, here for the database. */
async function pooledSteps(start) {
  const names = ['PgBouncer', 'PgBouncer and settings of the role', 'newer PgBouncer and settings of the role'];
  const steps = [];
  for (const [index, pooler] of poolers.entries()) {
    const pooled = { DATABASE_URL: pooler.url, DATABASE_POOLER: 'transaction' };
    steps.push({ name: `two processes, ${names[index]}`, urls: await start(3881 + 2 * index, pooled) });
    if (index > 0) continue;
    const guide = await readFile('docs/scaling.md', 'utf8');
    const database = new URL(stage.databaseUrl).pathname.slice(1);
    for (const statement of guide.match(/^ALTER ROLE claims_service SET .*;$/gm))
      await admin.query(statement.replace('ROLE claims_service', `DATABASE "${database}"`));
  }
  return steps;
}

async function compareSteps(steps, calls) {
  const rates = new Map();
  for (let round = -1; round < ROUNDS; round += 1)
    for (const { name, urls, isSynchronous = false } of steps) {
      await pair.synchronous(isSynchronous);
      for (const [what, call] of Object.entries(calls)) {
        const each = { ...call, connections: CONNECTIONS / urls.length };
        const found = await Promise.all(urls.map((url) => load(url, each, round < 0 ? 1 : SECONDS)));
        // The first round warms up.
        if (round >= 0) rates.set(`${name} ${what}`, [...(rates.get(`${name} ${what}`) ?? []), found.reduce((sum, rate) => sum + rate, 0)]);
      }
    }
  await pair.synchronous(false);
  const first = steps[0].name;
  printTable(
    ['Step', ...Object.keys(calls)],
    [
      ...steps.map(({ name }) => [
        name,
        ...Object.keys(calls).map((what) => ratio(rates.get(`${name} ${what}`), rates.get(`${first} ${what}`))),
      ]),
      ['one process, calls a second', ...Object.keys(calls).map((what) => String(Math.round(middle(rates.get(`${first} ${what}`)))))],
    ],
  );
}

/** The middle of the ratios of each round. */
function ratio(rates, first) {
  return middle(rates.map((rate, round) => rate / first[round])).toFixed(2);
}

/** What a call writes, and how often it asks. Nothing else runs on this server meanwhile. */
async function footprint(url, key, calls) {
  const rows = [];
  for (const what of ['GET by id', 'list of 50'])
    rows.push([what, ...(await costOf(() => load(url, calls[what], DURATION_S).then((rate) => rate * DURATION_S)))]);
  const write = () => load(url, { ...calls.POST, amount: WRITES }, LONGEST_S).then(() => WRITES);
  rows.push(['POST', ...(await costOf(write))]);
  const target = { name: 'Bench', targetUrl: 'https://receiver.example/hook', subscribedEvents: ['claim_project.created'] };
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': `${process.pid}-hook` };
  const made = await fetch(`${url}/v1/webhooks`, { method: 'POST', headers, body: JSON.stringify(target) });
  if (!made.ok) throw new Error(await made.text());
  const before = await tableSizes();
  rows.push(['POST with one webhook endpoint', ...(await costOf(write))]);
  const after = await tableSizes();
  printTable(['Call', 'Transactions', 'WAL bytes', 'Redis commands'], rows);
  const grown = [...after]
    .map(([table, bytes]) => [table, Math.round((bytes - (before.get(table) ?? 0)) / WRITES)])
    .filter(([, bytes]) => bytes > 0);
  printTable(
    ['Table', 'Bytes for each POST, with indexes'],
    grown.sort((a, b) => b[1] - a[1]).map(([table, bytes]) => [table, String(bytes)]),
  );
}

async function costOf(run) {
  await admin.query('CHECKPOINT');
  const before = await counters();
  const calls = await run();
  // Postgres reports a transaction up to a second late.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const after = await counters();
  const per = (what, digits) => ((after[what] - before[what]) / calls).toFixed(digits);
  return [per('transactions', 1), per('wal', 0), redis ? per('commands', 1) : '–'];
}

async function counters() {
  const sql = `SELECT xact_commit::float8 AS transactions, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS wal
    FROM pg_stat_database WHERE datname = current_database()`;
  return { ...(await admin.query(sql)).rows[0], commands: await redis?.commands() };
}

/** Partitions count as their table. */
async function tableSizes() {
  const sql = `SELECT coalesce(inhparent::regclass, oid::regclass)::text AS name, sum(pg_total_relation_size(oid))::float8 AS bytes
    FROM pg_class LEFT JOIN pg_inherits ON inhrelid = oid WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace GROUP BY 1`;
  return new Map((await admin.query(sql)).rows.map(({ name, bytes }) => [name, bytes]));
}

function printTable(headings, rows) {
  for (const row of [headings, headings.map((_, index) => (index === 0 ? '---' : '--:')), ...rows]) console.log(`| ${row.join(' | ')} |`);
  console.log('');
}
