import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { Balancer } from '../support/balancer.js';
import { Client } from '../support/client.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { report } from '../support/figures.js';
import { type Call, KeepAliveCalls } from '../support/keep-alive-calls.js';
import { lossesOf } from '../support/losses.js';
import { runClaims, startProcess, type TestProcess } from '../support/process.js';
import { Receiver } from '../support/receiver.js';
import { builtRelease, commitOf, COMMITS } from '../support/releases.js';
import { WITHOUT_LIMITS } from '../support/writers.js';

/** A folder with an earlier version, built, instead of the last release. */
const { TEST_VERSION_BEFORE } = process.env;
const CALLS_PER_SECOND = Number(process.env.TEST_CALLS_PER_SECOND ?? 100);
const BUILT_WITHIN_MS = 300_000;
const TIMEOUT_MS = 240_000;
const SIDE_BY_SIDE_MS = 3000;
const ROLES = ['api', 'worker'] as const;
const TOOL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_claim_projects', arguments: {} } };
const TOOL_HEADERS = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' };
const PATHS = [
  '/v1/claim-projects?page_size=20',
  '/v1/expense-categories',
  '/v1/events',
  '/v1/audit/events',
  '/v1/webhooks',
  '/v1/claim-reports',
];

type Role = (typeof ROLES)[number];
const lastRelease = Object.keys(COMMITS).at(-1)!;

// A copy of the sources has no history from which the release could be built. Where all tests must run, that is a fault.
const isPossible = TEST_VERSION_BEFORE !== undefined || process.env.CI !== undefined || (await commitOf(lastRelease)) !== undefined;
if (isPossible) describe(`an upgrade from ${TEST_VERSION_BEFORE ?? lastRelease}`, upgrade);
else it.todo('an upgrade from the last release: clone with the whole history, or name a folder in TEST_VERSION_BEFORE');

function upgrade(): void {
  let before: string;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let balancer: Balancer;
  let receiver: Receiver;
  let organizationId: string;
  let key: string;
  const processes: Record<Role, TestProcess[]> = { api: [], worker: [] };
  const env = (): Record<string, string> => ({
    DATABASE_URL: database.url,
    DRAIN_DELAY: '1s',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...WITHOUT_LIMITS,
  });

  beforeAll(async () => {
    before = TEST_VERSION_BEFORE ?? (await builtRelease(lastRelease));
    [database, balancer, receiver] = await Promise.all([createDatabase(), Balancer.start(), Receiver.start()]);
    await rowsOf(database.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await command(before, 'migrate');
    ({ id: organizationId } = await command(before, 'org', 'create', '--name', 'Example Accountants', '--plan', 'enterprise', '--json'));
    const ofKey = ['--org', organizationId, '--environment', 'test', '--scopes', 'all', '--json'];
    ({ key } = await command<{ key: string }>(before, 'key', 'create', ...ofKey));
    for (const role of ROLES) for (const _ of [1, 2]) await add(role, before);
    await records(new Client(balancer.url, key));
  }, BUILT_WITHIN_MS);
  afterAll(async () => {
    await Promise.all(Object.values(processes).flatMap((all) => all.map((process) => process.stop())));
    await Promise.all([balancer.close(), receiver.close()]);
    await database.drop();
  });

  async function command<T = { id: string }>(folder: string | undefined, ...args: readonly string[]): Promise<T> {
    const ended = await runClaims(args, { ...env(), ENCRYPTION_KEY: Buffer.alloc(32, 'a test key').toString('base64') }, folder);
    expect(ended.code, ended.stderr).toBe(0);
    return args.includes('--json') ? (JSON.parse(ended.stdout) as T) : ({} as T);
  }

  async function add(role: Role, folder?: string): Promise<void> {
    const started = await startProcess({ ...env(), ROLE: role }, { folder });
    processes[role].push(started);
    if (role === 'api') await balancer.add(started.url);
  }

  /** One process of each role after the other, each replaced before it is told to stop, and both versions beside each other in between. */
  async function replaceAll(folder?: string): Promise<void> {
    for (const _ of [1, 2]) {
      for (const role of ROLES) {
        await add(role, folder);
        const old = processes[role].shift()!;
        expect(await old.stop()).toMatchObject({ code: 0, stderr: '' });
        if (role === 'api') balancer.remove(old.url);
      }
      await new Promise((resolve) => setTimeout(resolve, SIDE_BY_SIDE_MS));
    }
  }

  /** What a run is made from, and an endpoint. */
  async function records(api: Client): Promise<void> {
    const made = async (path: string, body: object) => {
      const answer = await api.post(path, body);
      expect(answer.status, answer.text).toBe(201);
      return answer.body as { id: string };
    };
    await made('/v1/webhooks', {
      name: 'All',
      targetUrl: receiver.url,
      subscribedEvents: ['claim_project.created', 'claim_report.succeeded'],
    });
    const rules = [{ all: [{ field: 'description', op: 'contains', value: 'Train' }], claimablePercent: 100 }];
    await made('/v1/expense-categories', { code: 'TRAVEL', name: 'Travel', sourceMapping: { rules } });
    await made('/v1/report-configurations', { name: 'January', periodStart: '2026-01-01', periodEnd: '2026-01-31' });
    const lines = [{ bookedOn: '2026-01-15', amount: '-12.50', description: 'Train to Berlin' }];
    const { id } = await made('/v1/bank-statements', { periodStart: '2026-01-01', periodEnd: '2026-01-31', currency: 'EUR', lines });
    await eventually(async () => {
      expect((await api.get(`/v1/bank-statements/${id}`)).body).toMatchObject({ redactionStatus: 'succeeded' });
    });
  }

  /** Of a hundred calls, 17 make a project, three a run, and ten use a tool. */
  const made: string[] = [];
  function next(index: number): Call {
    const turn = index % 100;
    if (turn % 33 === 1) return { method: 'POST', path: '/v1/claim-reports', body: {} };
    if (turn % 10 === 5) return { method: 'POST', path: '/mcp', body: TOOL, headers: TOOL_HEADERS };
    if (turn % 6 !== 0) return { method: 'GET', path: PATHS[index % PATHS.length]! };
    made.push(newId());
    return { method: 'POST', path: '/v1/claim-projects', body: { name: made.at(-1), periodStart: '2026-01-01', periodEnd: '2026-12-31' } };
  }

  it('fails no call and loses nothing: forward, back to the version before, and forward again', { timeout: TIMEOUT_MS }, async () => {
    const calls = new KeepAliveCalls(balancer.url, key, { perSecond: CALLS_PER_SECOND, next });
    await command(undefined, 'migrate');
    await replaceAll();
    await replaceAll(before);
    await replaceAll();
    const counts = await calls.stop();
    const failed = Object.entries(counts).filter(([outcome]) => !['GET 200', 'POST 200', 'POST 201'].includes(outcome));
    expect(failed, JSON.stringify(counts)).toEqual([]);
    const open = `SELECT id FROM claim_reports WHERE organization_id = $1 AND status IN ('queued', 'running')
      UNION ALL SELECT id FROM webhook_deliveries WHERE organization_id = $1 AND status = 'pending'`;
    await eventually(async () => expect(await rowsOf(database.url, open, [organizationId])).toEqual([]), TIMEOUT_MS / 2);
    const reports = await rowsOf<{ status: string }>(database.url, 'SELECT status FROM claim_reports WHERE organization_id = $1', [
      organizationId,
    ]);
    expect(reports.length).toBeGreaterThan(0);
    expect(reports.filter(({ status }) => status !== 'succeeded')).toEqual([]);
    const verified = await command<{ ok: boolean }>(undefined, 'audit', 'verify', '--org', organizationId, '--json');
    expect(verified.ok).toBe(true);
    const fault = `${lastRelease} to this version, back and forward, at ${CALLS_PER_SECOND} calls a second`;
    report({ fault, calls: calls.made, failed: 0, ...(await losses(reports.length)) });
  });

  /** In the database, and of what arrived: one of each project, and one of each run. */
  async function losses(reports: number): Promise<{ lost: number; doubled: number }> {
    const { lost, doubled } = await lossesOfProjects();
    const arrived = new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size;
    expect({ lost, doubled, arrived }).toEqual({ lost: [], doubled: [], arrived: made.length + reports });
    return { lost: lost.length, doubled: receiver.received.length - arrived };
  }

  /** Runs have deliveries, too, whose events have no name. */
  async function lossesOfProjects() {
    const { lost, doubled } = await lossesOf(made, database.url, organizationId);
    return { lost, doubled: doubled.filter((what) => what !== 'delivery null') };
  }
}
