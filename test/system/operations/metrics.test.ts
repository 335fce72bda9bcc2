import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { METRICS } from '../../../src/kernel/metrics.js';
import { Registry } from '../../../src/api/operation/registry.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { createDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { samplesAt, valueOf } from '../../support/metrics.js';
import { startProcess, type TestProcess } from '../../support/process.js';
import { Receiver } from '../../support/receiver.js';
import { openReports, REPORTS } from '../../support/reports.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { aWebhook, DELIVERING } from '../../support/webhooks.js';

const PROJECTS = '/v1/claim-projects';
const PROJECT = { name: 'Berlin office 2026', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
/** A process that has answered every operation with every status that there is has no more series than this. */
const SERIES_MAX = 3000;

let database: Awaited<ReturnType<typeof createDatabase>>;
let proxy: TcpProxy;
/** Makes organizations; only the service below works for them. */
let app: TestApp;
let service: TestProcess;
beforeAll(async () => {
  database = await createDatabase();
  proxy = await TcpProxy.to(database.url);
  app = await startApp({ DATABASE_URL: database.url });
  service = await startProcess({ DATABASE_URL: proxy.url, ROLE: 'all', ...DELIVERING });
});
afterAll(async () => {
  await service.kill();
  await proxy.close();
  await app.close();
  await database.drop();
});

const now = () => samplesAt(service.metrics!);
const aClient = async (): Promise<Client> => new Client(service.url, (await aTenant(app)).key);

describe('what Prometheus reads', () => {
  it('counts answers by operation and status, how long they took, and those that were replayed', async () => {
    const api = await aClient();
    for (let time = 0; time < 2; time += 1) await api.post(PROJECTS, PROJECT, { 'Idempotency-Key': 'the same' });
    await api.post(PROJECTS, { name: '' });
    const samples = await now();
    const answered = (status: string) => valueOf(samples, 'claims_requests_total', { operation: 'claim_projects.create', status });
    expect([answered('201'), answered('400')]).toEqual([2, 1]);
    expect(valueOf(samples, 'claims_request_duration_seconds_count', { operation: 'claim_projects.create' })).toBe(3);
    expect(valueOf(samples, 'claims_idempotency_replays_total')).toBe(1);
  });

  it('never takes what a caller has sent as a label: an address that does not exist is counted among the others', async () => {
    const api = await aClient();
    // Of what is not for requests, series come at any time: by jobs, and by the kinds of work that V8 does.
    const count = async () => (await now()).filter(({ name }) => name.startsWith('claims_request')).length;
    const sent = Array.from({ length: 20 }, () => newId());
    const call = async (name: string): Promise<void> => {
      for (const path of [`/v1/nothing-${name}`, `${PROJECTS}/${name}`]) expect((await api.get(path)).status).toBe(404);
    };
    await call(newId());
    const before = await count();
    for (const name of sent) await call(name);
    expect(await count()).toBe(before);
    const text = JSON.stringify(await now());
    expect(sent.filter((name) => text.includes(name))).toEqual([]);
    expect(valueOf(await now(), 'claims_requests_total', { operation: 'other', status: '404' })).toBeGreaterThanOrEqual(20);
  });

  it('counts deliveries by how they ended, and runs', async () => {
    const reports = await openReports(app);
    const receiver = await Receiver.start();
    const api = new Client(service.url, reports.key);
    await aWebhook(api, { targetUrl: `${receiver.url}/hook`, subscribedEvents: ['claim_report.succeeded'] });
    expect((await api.post(REPORTS, {})).status).toBe(201);
    await eventually(async () => {
      const samples = await now();
      expect(valueOf(samples, 'claims_queue_items_total', { table: 'claim_reports', outcome: 'succeeded' })).toBe(1);
      expect(valueOf(samples, 'claims_deliveries_total', { attempt: 'first', outcome: 'delivered' })).toBe(1);
    });
    await receiver.close();
  });

  it('shows the pool, the queues, the process and its version', async () => {
    const samples = await now();
    const used = valueOf(samples, 'claims_database_connections', { state: 'used' })!;
    expect(used).toBeGreaterThan(0);
    expect(valueOf(samples, 'claims_database_connections_max')).toBe(4);
    for (const table of ['audit_entries', 'bank_statements', 'claim_reports', 'outgoing_mails', 'stored_files', 'webhook_deliveries']) {
      expect(valueOf(samples, 'claims_queue_length', { table }), table).toBeGreaterThanOrEqual(0);
      expect(valueOf(samples, 'claims_queue_age_seconds', { table }), table).toBeLessThan(60);
    }
    expect(valueOf(samples, 'claims_info', { role: 'all' })).toBe(1);
    expect(valueOf(samples, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(valueOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
  });

  it('is answered while the database is away, without what only the database knows', async () => {
    const api = await aClient();
    proxy.cut();
    try {
      expect((await api.get(PROJECTS)).status).toBe(503);
      await eventually(async () => {
        const samples = await now();
        expect(valueOf(samples, 'claims_gauges_unread')).toBe(1);
        expect(valueOf(samples, 'claims_queue_length')).toBeUndefined();
        expect(valueOf(samples, 'claims_database_unavailable_total')).toBeGreaterThan(0);
      });
    } finally {
      proxy.restore();
    }
    await eventually(async () => expect(valueOf(await now(), 'claims_gauges_unread')).toBe(0));
  });

  it('is at a port of its own, and at no other path', async () => {
    expect((await fetch(`${service.metrics}/`)).status).toBe(404);
    expect((await fetch(`${service.metrics}/metrics`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${service.metrics}/metrics`)).headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  });
});

it('an API process does not look at the queues: the workers do', async () => {
  const api = await startProcess({ DATABASE_URL: database.url, ROLE: 'api' });
  try {
    expect(valueOf(await samplesAt(api.metrics!), 'claims_queue_length')).toBeUndefined();
  } finally {
    await api.kill();
  }
});

it('several worker processes answer as one: counts are added up, what all of them see is not', async () => {
  const workers = await startProcess({ DATABASE_URL: database.url, ROLE: 'worker', WORKER_PROCESSES: '2' });
  try {
    const samples = await samplesAt(workers.metrics!);
    expect(valueOf(samples, 'claims_database_connections_max')).toBe(8);
    expect(valueOf(samples, 'claims_queue_length', { table: 'outgoing_mails' })).toBe(0);
    expect(samples.filter(({ name }) => name === 'claims_queue_length')).toHaveLength(6);
  } finally {
    await workers.stop();
  }
});

it('a process of which nobody has set the port works without metrics where the usual port is taken', async () => {
  const first = await startProcess({ DATABASE_URL: database.url, METRICS_PORT: '' });
  const second = await startProcess({ DATABASE_URL: database.url, METRICS_PORT: '' });
  expect(second.metrics).toBeUndefined();
  expect((await fetch(`${second.url}/health/live`)).status).toBe(200);
  await Promise.all([first.kill(), second.kill()]);
});

it('the labels have as many values as we declare, so the number of series has a bound', () => {
  const operations = app.app.get(Registry).operations.length;
  const labels = METRICS.getMetricsAsArray().flatMap((metric) => (metric as unknown as { labelNames: string[] }).labelNames);
  // Ids, names, addresses and messages have no bound.
  expect([...new Set(labels)].sort()).toEqual([
    'attempt',
    'call',
    'field',
    'grant',
    'operation',
    'outcome',
    'reason',
    'role',
    'state',
    'status',
    'surface',
    'table',
    'task',
    'version',
  ]);
  const [statuses, buckets] = [20, 15];
  expect(operations * (statuses + buckets)).toBeLessThan(SERIES_MAX);
});
