import { readFile } from 'node:fs/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METRICS } from '../../../src/kernel/metrics.js';
import { startApp, type TestApp } from '../../support/app.js';
import { Client } from '../../support/client.js';
import { panels } from '../../support/dashboard.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startProcess, type TestProcess } from '../../support/process.js';
import { hasPrometheus, hurriedGroups, type Prometheus, ruleGroups, RUNBOOKS_AT, startPrometheus } from '../../support/prometheus.js';
import { Receiver } from '../../support/receiver.js';
import { findRedis } from '../../support/redis.js';
import { openReports, REPORTS } from '../../support/reports.js';
import { JANUARY, sendStatement } from '../../support/statements.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { aProject, aWebhook, DELIVERING } from '../../support/webhooks.js';

const PATIENCE_MS = 120_000;
const PROJECTS = '/v1/claim-projects';
const PROJECT = { name: 'Berlin office', periodStart: '2026-01-01', periodEnd: '2026-01-31' };

it('alerts, dashboard and runbooks name only metrics that there are', async () => {
  const ofNode = new Registry();
  collectDefaultMetrics({ register: ofNode });
  const known = [...METRICS.getMetricsAsArray(), ...ofNode.getMetricsAsArray()].map(({ name }) => name);
  ofNode.clear();
  const texts = [JSON.stringify(await ruleGroups()), JSON.stringify(await panels()), await readFile('docs/runbooks.md', 'utf8')];
  const named = new Set(texts.join(' ').match(/\b(?:claims|nodejs|process)_[a-z0-9_]+/g));
  const isKnown = (name: string): boolean => known.includes(name) || known.includes(name.replace(/_(?:bucket|sum|count)$/, ''));
  expect([...named].filter((name) => !isKnown(name))).toEqual([]);
  expect(named.size).toBeGreaterThan(15);
});

describe.skipIf(!hasPrometheus())('a Prometheus that reads a running service', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let [toDatabase, toRedis]: TcpProxy[] = [];
  let app: TestApp;
  let service: TestProcess;
  let prometheus: Prometheus;
  let reports: Awaited<ReturnType<typeof openReports>>;
  let api: Client;
  let loads = 0;
  beforeAll(async () => {
    database = await createDatabase();
    // It makes organizations; only the service below works for them.
    app = await startApp({ DATABASE_URL: database.url });
    toDatabase = await TcpProxy.to(database.url);
    toRedis = await TcpProxy.to((await findRedis())!);
    service = await startProcess({ DATABASE_URL: toDatabase.url, REDIS_URL: toRedis.url, ROLE: 'all', ...DELIVERING });
    prometheus = await startPrometheus([service.metrics!], await hurriedGroups());
    reports = await openReports(app);
    api = new Client(service.url, reports.key);
  }, PATIENCE_MS);
  afterAll(async () => {
    await prometheus.stop();
    await service.kill();
    await Promise.all([toDatabase?.close(), toRedis?.close(), app.close()]);
    await database.drop();
  });
  const untilFiring = (alert: string, meanwhile: () => Promise<unknown>) =>
    eventually(async () => {
      await meanwhile();
      expect(await prometheus.firing()).toContain(alert);
    }, PATIENCE_MS);
  const untilEnded = (meanwhile: () => Promise<unknown> = () => Promise.resolve()) =>
    eventually(async () => {
      await meanwhile();
      expect(await prometheus.firing()).toEqual([]);
    }, PATIENCE_MS);
  const ofService = (path: string, init?: RequestInit) => fetch(service.url + path, init);

  /** A little of all that people and applications do. */
  async function load(): Promise<void> {
    const created = await Promise.all([1, 2].map(() => api.post(PROJECTS, PROJECT, { 'Idempotency-Key': 'the same' })));
    expect(created.map(({ status }) => status)).toContain(201);
    await aProject(api);
    await Promise.all([api.get(PROJECTS), api.get(`${PROJECTS}/nothing`), ofService('/console/sign-in'), ofService('/openapi.json')]);
    await ofService('/oauth/token', { method: 'POST', body: new URLSearchParams({ grant_type: 'client_credentials' }) });
    // The same file a second time would be the statement that is there.
    loads += 1;
    expect((await sendStatement(service, reports.key, { file: JANUARY.replace('Ticket', `Ticket ${loads}`) })).status).toBe(201);
    expect((await api.post(REPORTS, {})).status).toBe(201);
  }

  it('every query of the dashboard, and every series that a rule reads, has data under a little load', async () => {
    const receiver = await Receiver.start();
    await aWebhook(api, { targetUrl: `${receiver.url}/hook`, subscribedEvents: ['claim_project.created'] });
    const chosen = (expr: string): string =>
      expr.replaceAll('$__rate_interval', '10s').replaceAll('$namespace', '.*').replaceAll('$instance', '127.0.0.1:.*');
    const queries = (await panels()).flatMap(({ title, targets }) => targets.map(({ expr }) => [title, chosen(expr)] as const));
    const rules = (await hurriedGroups()).flatMap((group) => group.rules);
    const read = new Set(rules.flatMap(({ expr }) => expr.match(/\b(?:claims|nodejs)[_:][\w:]+(?:\{[^}]*\})?/g) ?? []));
    // What it says must not be there is of the API and of workers: one process is both.
    const missing = new Map([...queries, ...[...read].map((series) => ['a rule', series] as const)].map(([where, expr]) => [expr, where]));
    await eventually(async () => {
      await load();
      for (const [expr] of missing) {
        const found = await prometheus.query(expr);
        if (found.some(({ value }) => value[1] !== 'NaN')) missing.delete(expr);
      }
      expect([...missing]).toEqual([]);
    }, PATIENCE_MS);
    expect(queries.length).toBeGreaterThan(20);
    expect(read.size).toBeGreaterThan(30);
    await receiver.close();
    await untilEnded();
  });

  it('calls that fail raise the alert about the service level and lead to its runbook, and it ends once calls succeed', async () => {
    const call = () => api.get(PROJECTS);
    toDatabase!.cut();
    try {
      await untilFiring('ClaimsErrors', call);
      const alerts = await eventually(async () => {
        const found = await prometheus.alertsOf('ClaimsErrors');
        expect(found.map(({ labels }) => labels.severity).sort()).toEqual(['page', 'ticket']);
        return found;
      });
      expect(alerts.map(({ labels }) => labels.slo)).toEqual(['api_availability', 'api_availability']);
      for (const { annotations } of alerts) expect(annotations.runbook_url).toBe(`${RUNBOOKS_AT}#claimserrors`);
      await untilFiring('ClaimsDatabaseUnavailable', call);
    } finally {
      toDatabase!.restore();
    }
    await untilEnded(call);
  });

  it('first attempts that get no answer raise the alert about deliveries, and answers end it, also those that refuse', async () => {
    const receiver = await Receiver.start();
    receiver.answer = (_received, response) => void response.socket!.destroy();
    const other = await openReports(app);
    const own = new Client(service.url, other.key);
    await aWebhook(own, { targetUrl: `${receiver.url}/hook`, subscribedEvents: ['claim_project.created'] });
    await untilFiring('ClaimsDeliveriesFailing', () => aProject(own));
    receiver.answer = (_received, response) => void response.writeHead(503).end();
    await untilEnded(() => aProject(own));
    await receiver.close();
  });

  it('runs that fail by a fault of the service raise both alerts about them, and those that succeed end them', async () => {
    const away = (from: string, to: string) => rowsOf(database.url, `ALTER TABLE ${from} RENAME TO ${to}`);
    const run = async () => expect((await api.post(REPORTS, {})).status).toBe(201);
    await away('claim_report_files', 'claim_report_files_away');
    try {
      await untilFiring('ClaimsWorkBroken', run);
      await untilFiring('ClaimsReportsBroken', run);
    } finally {
      await away('claim_report_files_away', 'claim_report_files');
    }
    await untilEnded(run);
  });

  it('a job that fails was hidden behind the label `job` of Prometheus: the alert names it, and no other', async () => {
    const rename = (from: string, to: string) => rowsOf(database.url, `ALTER TABLE ${from} RENAME TO ${to}`);
    // A run that is left would fail, too: it writes an entry.
    const left = () => rowsOf(database.url, `SELECT id FROM claim_reports WHERE status IN ('queued', 'running')`);
    await eventually(async () => expect(await left()).toEqual([]));
    await rename('audit_entries', 'audit_entries_away');
    try {
      await untilFiring('ClaimsJobsFail', () => Promise.resolve());
      const alerts = await prometheus.alertsOf('ClaimsJobsFail');
      expect(alerts.map(({ labels }) => labels)).toEqual([{ alertname: 'ClaimsJobsFail', severity: 'ticket', task: 'audit.seal' }]);
    } finally {
      await rename('audit_entries_away', 'audit_entries');
    }
    await untilEnded();
  });

  it('alerts fire when Redis and the service itself are away', async () => {
    toRedis!.cut();
    await untilFiring('ClaimsRedisAway', () => ofService('/health/dependencies'));
    toRedis!.restore();
    await untilEnded();
    await service.kill();
    await untilFiring('ClaimsApiMissing', () => Promise.resolve());
    expect(await prometheus.firing()).toContain('ClaimsWorkersMissing');
  });
});
