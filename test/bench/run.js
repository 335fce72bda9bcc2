// `npm run bench`: everything that has a benchmark, by name. docs/performance.md explains the table and has its figures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keep } from './record.js';

/** Those that print tables of their own. */
const SCRIPTS = {
  lists: ['lists.js', 'Lists of an organization with a million records'],
  organizations: ['organizations.js', 'GET, list and POST beside 10,000 other organizations'],
  beside: ['beside.js', 'GET and POST while entries are sealed, answers forgotten, statements read and reports made'],
  audit: ['audit-pages.js', 'Pages of an audit log of ten million events'],
  proofs: ['audit-proofs.js', 'A proof of one event in an audit log of ten million'],
  sealing: ['sealing.js', 'How fast the audit log is sealed'],
  webhooks: ['webhooks.js', 'Throughput of webhook deliveries'],
  bound: ['bound.js', 'Lists by keys for some projects, beside those by a key for all'],
  shares: ['shares.js', 'Calls of one key while another one of its organization never stops'],
  redaction: ['redaction.js', 'What redaction finds, by kind of personal data'],
  import: ['import.js', 'Statements of 5,000 lines by the API, from POST to `succeeded`'],
  feed: ['feed.js', 'A copy of a million projects, kept by the events while others write'],
  engine: ['engine.js', 'The calculation of a report over 100,000 lines'],
  reports: ['reports.js', 'The same report from end to end'],
  start: ['start.js', 'Start of an API, a worker and a command; `-- FOLDER` compares with another checkout'],
  soak: ['soak.js', 'Memory of an API and a worker over 20 minutes'],
  observing: ['observing.js', 'What metrics and traces cost; `-- FOLDER` compares with another checkout'],
  ports: ['ports.js', 'What it costs that an extension takes part in each call'],
  locks: ['row-security.js', 'What row security of Postgres costs; `-- FOLDER` compares with another checkout'],
  client: ['client.js', 'What a call costs in the client library, compared with openapi-fetch'],
  churn: ['churn.js', 'Rows that are changed again and again, without and with storage parameters: HOT updates, dead rows, sizes'],
  recovery: ['recovery.js', '`pg_dump` and `pg_restore` of 1 GiB (needs DATABASE_URL)'],
  scaling: ['scaling.js', 'Steps of growth on one machine, and what a call writes'],
};
/** Groups of rows of the one table of requests. */
const REQUESTS = {
  projects: 'GET by id, list of 50 and POST of claim projects, compared with a bare server that runs the same SQL',
  sizes: 'The list of organizations with 10,000 and with 1,000,000 projects, compared with the bare server; takes minutes to fill',
  oauth: 'Tokens, compared with the bare library; a GET with a token, compared with one with an API key',
  release: 'The same three beside the last release, which is built from its tag',
  peers: 'The same three beside Strapi, which is installed for it',
  console: 'Pages of the console, compared with the API requests behind them',
  tools: 'Tool calls, compared with the API requests that they make',
};

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string', default: 'projects,oauth,tools' },
    all: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    small: { type: 'boolean', default: false },
    profile: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const known = [...Object.keys(REQUESTS), ...Object.keys(SCRIPTS)];
const chosen = values.all ? known : values.only.split(',');
const unknown = chosen.filter((name) => !known.includes(name));

if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no benchmark ${unknown.join(', ')}.\n`);
  console.log(`npm run bench -- [--only NAME,NAME | --all] [--quick] [--small] [--profile FOLDER] [--record]\n`);
  for (const [name, [, about]] of Object.entries(SCRIPTS)) console.log(`${name.padEnd(15)}${about}`);
  for (const [name, about] of Object.entries(REQUESTS)) console.log(`${name.padEnd(15)}${about}`);
  process.exitCode = unknown.length > 0 ? 2 : 0;
} else {
  // Each server as in a small container: one processor and 512 MB.
  if (values.small) process.env.BENCH_SMALL = '1';
  const folder = values.all || values.record ? mkdtempSync(join(tmpdir(), 'claims-record-')) : undefined;
  if (folder) process.env.BENCH_RECORD = join(folder, 'tables');
  const groups = chosen.filter((name) => name in REQUESTS);
  if (groups.length > 0) {
    const { benchRequests } = await import('./requests.js');
    await benchRequests(groups, values);
  }
  for (const name of chosen.filter((found) => found in SCRIPTS)) await runScript(name);
  if (folder) {
    keep(process.env.BENCH_RECORD);
    rmSync(folder, { recursive: true });
  }
}

async function runScript(name) {
  const script = fileURLToPath(new URL(SCRIPTS[name][0], import.meta.url));
  console.log(`\n${name}: ${SCRIPTS[name][1]}`);
  // Arguments after the names are for the script, such as `--labels FILE` of redaction.
  const child = spawn(process.execPath, [script, ...positionals], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = 1;
}
