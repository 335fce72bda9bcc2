import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BODY_MAX_BYTES } from '../../src/kernel/product.js';
import { startApp, type TestApp } from '../support/app.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { inflatingPage, longLines, manyCategories, manyPatterns, tinyElements } from '../support/hostile-work.js';
import { makeNoise, type Heard, type Noise } from '../support/noise.js';
import { anApplication, authorizeUrl } from '../support/oauth.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { openReports, REPORTS } from '../support/reports.js';
import { openStatements } from '../support/statements.js';
import { steadyCalls } from '../support/steady-calls.js';
import { WEBHOOKS, webhookInput } from '../support/webhooks.js';

/** How long the noise lasts. A longer one is for whoever looks for the rare. */
const NOISE_SECONDS = Number(process.env.TEST_NOISE_SECONDS ?? 20);
const REST_SECONDS = 8;
const CALLS_A_SECOND = 20;
/** The slowest of a hundred calls may take so many times as long as at rest. */
const MAX_SLOWDOWN = 5;
/** On two cores, which the service, its threads, Postgres, the noise and other tests share, a rest below this is luck. */
const LEAST_REST_MS = 100;
/** How many times as long as at rest a statement of one line takes at most. One page of the noise once took minutes: all waited for it. */
const MAX_SLOWDOWN_OF_REDACTION = 4;
/** The service, which did not take them itself, looks for them so often: a shorter rest is luck. */
const LEAST_REDACTION_MS = 5000;
const STATEMENT_PAUSE_MS = 500;
const ENV = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_TIMEOUT_MS: '5000' };
const KIB = 1024;
/** They use up the tenant's own share of calls, so they are made in the second half only. */
const LOOK_UPS = 'names that do not resolve';

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let service: TestProcess;
let silent: Server;

beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url, ...ENV });
  silent = createServer(() => undefined).listen(0, '127.0.0.1');
  service = await startProcess({ DATABASE_URL: database.url, ROLE: 'all', DATABASE_POOL_SIZE: '10', ...ENV });
});
afterAll(async () => {
  await service.kill();
  silent.closeAllConnections();
  silent.close();
  await app.close();
  await database.drop();
});

/** How long each of the neighbour's calls took. */
async function usualCalls(key: string, seconds: number): Promise<number[]> {
  const timed = await steadyCalls({ url: `${service.url}/v1`, key, perSecond: CALLS_A_SECOND, seconds });
  expect(timed.filter(({ status }) => status !== 200)).toEqual([]);
  return timed.map(({ ms }) => ms);
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!;
const p99 = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1]!;

/** Others compute on every core, as the noise does: what is felt beyond that comes from the service. */
async function whileCoresAreBusy<T>(work: () => Promise<T>): Promise<T> {
  const others = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  return work().finally(() => others.forEach((other) => other.kill('SIGKILL')));
}

type Reports = Awaited<ReturnType<typeof openReports>>;

/** 200 runs, whose results are as large as a list shows. */
const manyResults = ({ organizationId }: Reports) =>
  rowsOf(
    database.url,
    `INSERT INTO claim_reports
       (id, organization_id, environment, created_at, updated_at, lost_workers, status, queued_at, result, result_bytes)
     SELECT gen_random_uuid(), $1, 'test', now(), now(), 0, 'succeeded', now(), result, octet_length(result::text)
     FROM generate_series(1, 200) n, LATERAL (SELECT ('{"text":"' || repeat(md5(n::text), $2::int / 32) || '"}')::json AS result) made`,
    [organizationId, 63 * KIB],
  );

/** 120 configurations with objects as large as may be, which a list shows. */
async function manyConfigurations({ organizationId, configuration }: Reports): Promise<void> {
  const large = { note: 'x'.repeat(31 * KIB) };
  await configuration({ categoryFilter: large, outputOptions: large });
  await rowsOf(
    database.url,
    `INSERT INTO report_configurations
       SELECT (jsonb_populate_record(own, jsonb_build_object('id', gen_random_uuid()))).*
       FROM report_configurations own, generate_series(1, 119) WHERE organization_id = $1`,
    [organizationId],
  );
}

/** Endpoints that take every event and never answer. */
async function deafEndpoints({ api }: Reports): Promise<void> {
  const { port } = silent.address() as AddressInfo;
  for (let number = 0; number < 45; number += 1) {
    const { status, text } = await api.post(
      WEBHOOKS,
      webhookInput({ targetUrl: `http://127.0.0.1:${port}/${number}`, subscribedEvents: ['expense_category.updated'] }),
    );
    expect(status, text).toBe(201);
  }
}

/** Everything that was once felt by others, by one tenant. */
async function worstOf(reports: Reports): Promise<Noise[]> {
  await Promise.all([manyPatterns(reports, 2), reports.taken(), manyResults(reports), deafEndpoints(reports), manyConfigurations(reports)]);
  await manyCategories(database.url, reports, 2000);
  const { id: pdf } = await reports.configuration({ outputOptions: { formats: ['pdf', 'xlsx'] } });
  const { id: category } = await reports.category('LARGE', []);
  const application = await anApplication(app, reports.organizationId);
  const headers = { 'X-API-Key': reports.key };
  const mcp = { ...headers, Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' };
  const json = (body: object): string => JSON.stringify(body);
  return [
    { name: 'runs', atOnce: 2, method: 'POST', path: REPORTS, headers, body: json({ reportConfigurationId: pdf }) },
    { name: 'lists of results', atOnce: 4, method: 'GET', path: `${REPORTS}?page_size=200`, headers },
    { name: 'lists of large records', atOnce: 4, method: 'GET', path: '/v1/report-configurations?page_size=120', headers },
    { name: 'brackets for tools', atOnce: 8, method: 'POST', path: '/mcp', headers: mcp, body: '['.repeat(BODY_MAX_BYTES) },
    { name: 'pings', atOnce: 8, method: 'POST', path: '/mcp', headers: mcp, body: json({ jsonrpc: '2.0', id: 1, method: 'ping' }) },
    {
      name: 'large events',
      atOnce: 4,
      method: 'PATCH',
      path: `/v1/expense-categories/${category}`,
      headers,
      body: json({ sourceMapping: { note: `#${'x'.repeat(30 * KIB)}` } }),
    },
    {
      name: LOOK_UPS,
      atOnce: 100,
      method: 'POST',
      path: WEBHOOKS,
      headers,
      body: json(webhookInput({ targetUrl: 'https://host-#.silent.test/' })),
    },
    { name: 'usage', atOnce: 50, method: 'GET', path: '/v1/usage', headers },
    { name: 'sign-ins', atOnce: 8, method: 'GET', path: authorizeUrl(service.url, { application }).slice(service.url.length) },
  ];
}

/**
 * Statements that take long to read, or would if they were read, more of them than there are threads. Returns why some have failed: the
 * first of them also after the noise, for on a slow machine it is not read before.
 */
async function importsUntil(isOver: () => boolean, reports: Reports, inflating: Buffer): Promise<Set<string | undefined>> {
  const failures = new Set<string | undefined>();
  while (!isOver()) {
    const ids: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      ids.push((await reports.take({ file: inflating, fileName: 'statement.pdf' })).id);
      ids.push((await reports.take({ file: tinyElements(200_000), fileName: 'camt.xml' })).id);
      ids.push((await reports.take({ file: longLines(1000) })).id);
    }
    for (const id of ids) {
      // They wait for the runs of the same tenant.
      let statement = await reports.statement(id);
      const isAwaited = (): boolean => !isOver() || failures.size === 0;
      for (; isAwaited() && !['succeeded', 'failed'].includes(statement.redactionStatus); statement = await reports.statement(id))
        await pause(STATEMENT_PAUSE_MS);
      failures.add(statement.failure?.code);
    }
  }
  return failures;
}

/** How long each of the neighbour's statements took to be redacted, of one line each. */
async function statementsUntil(isOver: () => boolean, neighbour: Awaited<ReturnType<typeof openStatements>>): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const { id } = await neighbour.take({ file: `Date,Description,Amount\n2026-01-05,Ticket ${times.length},-1.00\n` });
    const since = performance.now();
    expect(await neighbour.settled(id)).toMatchObject({ redactionStatus: 'succeeded' });
    times.push(performance.now() - since);
    await pause(STATEMENT_PAUSE_MS);
  }
  return times;
}

it(
  'a tenant that does its worst is not felt by another one: no call fails, few take much longer than at rest, and statements are redacted',
  async () => {
    const neighbour = await openStatements(app);
    const { key } = neighbour;
    await usualCalls(key, 1);
    await neighbour.taken();
    const since = performance.now();
    await neighbour.taken();
    const alone = performance.now() - since;
    // The first authorization request loads its library.
    await fetch(new URL('/oauth/authorize', service.url));
    const noisy = await openReports(app);
    const noises = await worstOf(noisy);
    const inflating = await inflatingPage(620);
    const rest = p99(await whileCoresAreBusy(() => usualCalls(key, REST_SECONDS)));

    let isOver = false;
    const imports = importsUntil(() => isOver, noisy, inflating);
    const statements = statementsUntil(() => isOver, neighbour);
    // If a call fails, the test ends with that, and not with what its end does to these.
    for (const one of [imports, statements]) (one as Promise<unknown>).catch(() => undefined);
    const times: number[] = [];
    const heard: Heard[] = [];
    for (const together of [noises.filter(({ name }) => name !== LOOK_UPS), noises]) {
      const end = makeNoise(service.url, together);
      times.push(...(await usualCalls(key, NOISE_SECONDS / 2)));
      heard.push(await end());
    }
    isOver = true;
    const redacted = await statements;
    expect([...(await imports)]).toContain('file_too_large');

    const felt = p99(times);
    if (process.env.SHOW_NOISE)
      console.log({ rest, felt, alone, median: median(times), slowest: Math.max(...times), redacted }, JSON.stringify(heard, null, 1));
    // The noise was made: each kind was answered, and only the service's own refusals were among the answers.
    const statuses = heard.flatMap((part) => Object.values(part).map((answered) => Object.keys(answered).map(Number)));
    expect(statuses.filter((answered) => answered.length === 0 || answered.some((status) => status === 0 || status >= 500))).toEqual([]);
    expect(felt).toBeLessThan(MAX_SLOWDOWN * Math.max(rest, LEAST_REST_MS));
    expect(Math.max(...redacted)).toBeLessThan(MAX_SLOWDOWN_OF_REDACTION * Math.max(alone, LEAST_REDACTION_MS));
  },
  (NOISE_SECONDS + 200) * 1000,
);
