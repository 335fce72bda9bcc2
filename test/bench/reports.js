// `npm run bench -- --only reports`: the time and memory that workers need for a report of 100,000 lines, 200 rules and 50 categories, end to
// end: a worker redacts the statements, a call queues the run, and a worker computes it and writes its files.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openStage } from './stage.js';
import { CATEGORIES, OTHERS, RULES_EACH, categories, descriptionOf, seeded } from './report-rules.js';

const LINES = Number(process.env.BENCH_LINES ?? 100_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const STATEMENTS = Number(process.env.BENCH_STATEMENTS ?? 12);
/** The heap of a worker; the other option is that of the image. With a larger one, V8 just collects garbage later. */
const HEAP_MB = 128;
/** The same key for both, so that the worker can decrypt what the import has encrypted. */
const ENV = { ENCRYPTION_KEY: Buffer.alloc(32, 'bench').toString('base64') };

const stage = await openStage(ENV);
try {
  const { key } = await stage.seedWith(imported);
  const api = await stage.startServer('dist/src/main.js', 3831);
  const call = caller(api, key);
  await redaction(call);
  for (const { code, name, sourceMapping } of categories()) await call('POST', '/v1/expense-categories', { code, name, sourceMapping });
  for (const outputOptions of [{}, { formats: ['json', 'csv', 'xlsx', 'pdf'], detail: 'lines' }]) await reports(call, outputOptions);
  // Few enough lines that the PDF lists those that are claimed.
  await reports(call, { formats: ['pdf'] }, { periodStart: '2026-01-01', periodEnd: '2026-01-17' });
} finally {
  await stage.close();
}

async function imported({ tenant, app }) {
  const { StatementOperatorService } = await import('../../dist/src/modules/statements/index.js');
  const { id: organizationId, key } = await tenant('reports');
  const chance = seeded(42);
  for (let index = 0; index < STATEMENTS; index += 1) {
    await app
      .get(StatementOperatorService)
      .import(
        { type: 'system', id: null, name: 'bench' },
        { organizationId, environment: 'test', projectId: null, fileName: `${index}.csv`, file: fileOf(index, chance), isRedacted: false },
      );
  }
  return { key };
}

function fileOf(statement, chance) {
  const month = String((statement % 12) + 1).padStart(2, '0');
  const rows = Array.from({ length: Math.ceil(LINES / STATEMENTS) }, (_, index) => {
    const day = String(1 + Math.floor(chance() * 28)).padStart(2, '0');
    const amount = `${chance() < 0.1 ? '' : '-'}${Math.floor(chance() * 400)}.${String(Math.floor(chance() * 100)).padStart(2, '0')}`;
    return `2026-${month}-${day},${descriptionOf(index, chance)},${amount},EUR,${OTHERS[Math.floor(chance() * OTHERS.length)] ?? ''}`;
  });
  return Buffer.from(['Date,Description,Amount,Currency,Counterparty', ...rows, ''].join('\n'));
}

async function redaction(call) {
  const start = performance.now();
  const worker = await startWorker();
  const inState = async (status) => (await call('GET', `/v1/bank-statements?page_size=1&redaction_status=${status}`)).pagination.total;
  await until(async () => (await inState('succeeded')) + (await inState('failed')) === STATEMENTS);
  if (await inState('failed')) throw new Error('Statements could not be redacted.');
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `redaction    ${seconds.toFixed(1)} s with the start of the worker, ${LINES} lines in ${STATEMENTS} statements; ${memoryOf(worker)} MB at most`,
  );
  await stage.stopProcesses('worker');
}

async function reports(call, outputOptions, period = { periodStart: '2026-01-01', periodEnd: '2026-12-31' }) {
  const { id: reportConfigurationId } = await call('POST', '/v1/report-configurations', {
    name: 'Bench',
    ...period,
    outputOptions,
  });
  const worker = await startWorker();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id } = await call('POST', '/v1/claim-reports', { reportConfigurationId });
    const run = await until(async () => {
      const found = await call('GET', `/v1/claim-reports/${id}`);
      return found.finishedAt && found;
    });
    if (run.status !== 'succeeded') throw new Error(JSON.stringify(run.failure));
    const seconds = (new Date(run.finishedAt) - new Date(run.startedAt)) / 1000;
    console.log(
      `report       ${seconds.toFixed(2)} s from start to finish, ${run.result.totals.count} lines, ${CATEGORIES * RULES_EACH} rules, ${CATEGORIES} categories, files: ${run.result.outputs.map(({ format }) => format).join(' ')}; ${memoryOf(worker)} MB at most`,
    );
  }
  await stage.stopProcesses('worker');
}

function startWorker() {
  return stage.startProcess('dist/bundle/main.js', {
    ROLE: 'worker',
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB} --max-semi-space-size=16`,
  });
}

/** The peak memory of a process so far. */
function memoryOf({ pid }) {
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
}

function caller(api, key) {
  return async (method, path, body) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', ...(method === 'POST' && { 'idempotency-key': randomUUID() }) };
    const answer = await fetch(api + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
}

async function until(condition) {
  for (;;) {
    const met = await condition();
    if (met) return met;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
