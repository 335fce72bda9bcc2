import { readFile } from 'node:fs/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METRICS } from '../../../src/kernel/metrics.js';
import { startApp, type TestApp } from '../../support/app.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startProcess, type TestProcess } from '../../support/process.js';
import { alertRules, checkRules, hasPrometheus, startPrometheus, type Prometheus, type Rule } from '../../support/prometheus.js';
import { findRedis } from '../../support/redis.js';
import { TcpProxy } from '../../support/tcp-proxy.js';

const PATIENCE_MS = 120_000;
const DASHBOARD = 'docker/grafana/claims.json';

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

const panels = async (): Promise<Panel[]> => (JSON.parse(await readFile(DASHBOARD, 'utf8')) as { panels: Panel[] }).panels;

/** An hour of a service that is well, a number for each half minute. */
const WELL: Readonly<Record<string, string>> = {
  'claims_info{role="api",instance="a"}': '1x120',
  'claims_info{role="worker",instance="w"}': '1x120',
  'claims_requests_total{operation="claim_projects.get",status="200"}': '0+3000x120',
  'claims_requests_total{operation="claim_projects.get",status="503"}': '0+1x120',
  'claims_request_duration_seconds_bucket{operation="claim_projects.get",le="0.1"}': '0+3000x120',
  'claims_request_duration_seconds_bucket{operation="claim_projects.get",le="+Inf"}': '0+3001x120',
  'claims_database_unavailable_total{instance="a"}': '0x120',
  'claims_database_connections_awaited{instance="a"}': '3 0 5 0 0 0x115',
  'claims_redis_up{instance="a"}': '1x120',
  'claims_queue_age_seconds{table="webhook_deliveries",instance="w"}': '4x120',
  'claims_queue_age_seconds{table="claim_reports",instance="w"}': '30x120',
  'claims_queue_age_seconds{table="audit_entries",instance="w"}': '1x120',
  'claims_queue_age_seconds{table="outgoing_mails",instance="w"}': '20x120',
  'claims_deliveries_total{outcome="delivered"}': '0+100x120',
  'claims_deliveries_total{outcome="timeout"}': '0+20x120',
  'claims_endpoints_disabled_total{reason="gone"}': '0x60 1x59',
  'claims_queue_items_total{table="claim_reports",outcome="succeeded"}': '0+5x120',
  'claims_queue_items_total{table="claim_reports",outcome="broken"}': '0x120',
  'claims_jobs_total{task="audit.seal",outcome="failed"}': '0x100 1x19',
  'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.02x120',
  'claims_gauges_unread{instance="w"}': '0x60 1 0x59',
};

interface Fault {
  /** Series that are otherwise; null: they are missing. */
  readonly series: Readonly<Record<string, string | null>>;
  /** The labels of the alert, beside its severity. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** What each alert is for. */
const FAULTS: Readonly<Record<string, Fault>> = {
  ClaimsApiMissing: { series: { 'claims_info{role="api",instance="a"}': null } },
  ClaimsWorkersMissing: { series: { 'claims_info{role="worker",instance="w"}': null } },
  ClaimsErrors: { series: { 'claims_requests_total{operation="claim_projects.get",status="503"}': '0+100x120' } },
  ClaimsSlow: {
    series: {
      'claims_request_duration_seconds_bucket{operation="claim_projects.get",le="0.1"}': '0+2900x120',
      'claims_request_duration_seconds_bucket{operation="claim_projects.get",le="2.5"}': '0+3001x120',
    },
  },
  ClaimsDatabaseUnavailable: { series: { 'claims_database_unavailable_total{instance="a"}': '0+60x120' } },
  ClaimsPoolExhausted: { series: { 'claims_database_connections_awaited{instance="a"}': '7x120' }, labels: { instance: 'a' } },
  ClaimsRedisAway: { series: { 'claims_redis_up{instance="b"}': '0x120' } },
  ClaimsDeliveriesLate: { series: { 'claims_queue_age_seconds{table="webhook_deliveries",instance="w"}': '0+30x120' } },
  ClaimsDeliveriesFailing: { series: { 'claims_deliveries_total{outcome="timeout"}': '0+200x120' } },
  ClaimsEndpointsDisabled: { series: { 'claims_endpoints_disabled_total{reason="gone"}': '0+1x120' } },
  ClaimsWorkWaits: {
    series: { 'claims_queue_age_seconds{table="claim_reports",instance="w"}': '0+30x120' },
    labels: { table: 'claim_reports' },
  },
  ClaimsWorkBroken: {
    series: { 'claims_queue_items_total{table="claim_reports",outcome="broken"}': '0x100 1x19' },
    labels: { table: 'claim_reports' },
  },
  ClaimsAuditUnsealed: { series: { 'claims_queue_age_seconds{table="audit_entries",instance="w"}': '0+30x120' } },
  ClaimsMailLate: { series: { 'claims_queue_age_seconds{table="outgoing_mails",instance="w"}': '0+30x120' } },
  ClaimsJobsFail: { series: { 'claims_jobs_total{task="audit.seal",outcome="failed"}': '0+1x120' }, labels: { task: 'audit.seal' } },
  ClaimsEventLoopLate: { series: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.4x120' }, labels: { instance: 'a' } },
  ClaimsGaugesUnread: { series: { 'claims_gauges_unread{instance="w"}': '1x120' }, labels: { instance: 'w' } },
};

const inputOf = (series: Readonly<Record<string, string | null>>) =>
  Object.entries({ ...WELL, ...series }).flatMap(([name, values]) => (values === null ? [] : [{ series: name, values }]));

it('every alert has a page in the runbooks, which has no other, and a fault in this test', async () => {
  const rules = await alertRules();
  const runbooks = await readFile('docs/runbooks.md', 'utf8');
  const headings = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name]) => name!);
  expect(headings).toEqual(rules.map(({ alert }) => alert));
  expect(Object.keys(FAULTS)).toEqual(headings);
  for (const { alert, annotations } of rules) expect(annotations!.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
  for (const part of runbooks.split(/^## /m).slice(1)) expect(part, part.slice(0, 30)).toMatch(/\*\*Means\*\*.*\*\*Look.*do\*\*/is);
});

it('alerts, dashboard and runbooks name only metrics that there are', async () => {
  const ofNode = new Registry();
  collectDefaultMetrics({ register: ofNode });
  const known = [...METRICS.getMetricsAsArray(), ...ofNode.getMetricsAsArray()].map(({ name }) => name);
  ofNode.clear();
  const texts = await Promise.all(['docker/prometheus/alerts.yaml', DASHBOARD, 'docs/runbooks.md'].map((file) => readFile(file, 'utf8')));
  const named = new Set(texts.join(' ').match(/\b(?:claims|nodejs|process)_[a-z0-9_]+/g));
  const isKnown = (name: string): boolean => known.includes(name) || known.includes(name.replace(/_(?:bucket|sum|count)$/, ''));
  expect([...named].filter((name) => !isKnown(name))).toEqual([]);
  expect(named.size).toBeGreaterThan(15);
});

describe.skipIf(!hasPrometheus())('with Prometheus', () => {
  it('promtool finds nothing wrong with the alerts', async () => {
    expect(await checkRules()).toContain(`SUCCESS: ${Object.keys(FAULTS).length} rules found`);
  });

  it('each alert fires for its fault, and none while all is well', async () => {
    const severities = Object.fromEntries((await alertRules()).map(({ alert, labels }) => [alert, labels.severity]));
    const tests = [
      {
        interval: '30s',
        input_series: inputOf({}),
        alert_rule_test: Object.keys(FAULTS).map((alertname) => ({ eval_time: '58m', alertname, exp_alerts: [] })),
      },
      ...Object.entries(FAULTS).map(([alertname, { series, labels }]) => {
        const expected = { exp_labels: { severity: severities[alertname], ...labels } };
        const alert_rule_test = [{ eval_time: '58m', alertname, exp_alerts: [expected] }];
        return { interval: '30s', input_series: inputOf(series), alert_rule_test };
      }),
    ];
    expect(await checkRules({ evaluation_interval: '30s', tests })).toContain('SUCCESS');
  });

  describe('that reads a running service', () => {
    let database: Awaited<ReturnType<typeof createDatabase>>;
    let [toDatabase, toRedis]: TcpProxy[] = [];
    let app: TestApp;
    let service: TestProcess;
    let prometheus: Prometheus;
    beforeAll(async () => {
      database = await createDatabase();
      app = await startApp({ DATABASE_URL: database.url });
      toDatabase = await TcpProxy.to(database.url);
      toRedis = await TcpProxy.to((await findRedis())!);
      service = await startProcess({ DATABASE_URL: toDatabase.url, REDIS_URL: toRedis.url, ROLE: 'all' });
      // As they are, but in seconds instead of minutes.
      const hurried = (rule: Rule): Rule => ({ ...rule, expr: rule.expr.replace(/\[\d+[mh]\]/g, '[10s]'), for: '0s' });
      prometheus = await startPrometheus([service.metrics!], (await alertRules()).map(hurried));
    }, PATIENCE_MS);
    afterAll(async () => {
      await prometheus.stop();
      await service.kill();
      await Promise.all([toDatabase?.close(), toRedis?.close(), app.close()]);
      await database.drop();
    });
    const untilFiring = (alert: string) =>
      eventually(async () => {
        await fetch(`${service.url}/health/dependencies`).catch(() => undefined);
        expect(await prometheus.firing()).toContain(alert);
      });

    it('it understands every query of the dashboard, and finds what each is about', async () => {
      await eventually(async () => expect(await prometheus.query('claims_info')).toHaveLength(1));
      await eventually(async () => expect(await prometheus.firing()).toEqual([]));
      const all = await panels();
      for (const { title, targets } of all)
        for (const { expr } of targets)
          await expect(prometheus.query(expr.replaceAll('$__rate_interval', '10s')), title).resolves.toBeDefined();
      expect(all.length).toBeGreaterThan(8);
    });

    it('a job that fails was hidden behind the label `job` of Prometheus: the alert names it, and no other', async () => {
      const rename = (from: string, to: string) => rowsOf(database.url, `ALTER TABLE ${from} RENAME TO ${to}`);
      await rename('audit_entries', 'audit_entries_away');
      try {
        await untilFiring('ClaimsJobsFail');
        const labels = await prometheus.labelsOf('ClaimsJobsFail');
        expect(labels).toEqual([{ alertname: 'ClaimsJobsFail', severity: 'ticket', task: 'audit.seal' }]);
      } finally {
        await rename('audit_entries_away', 'audit_entries');
      }
      await eventually(async () => expect(await prometheus.firing()).toEqual([]), PATIENCE_MS);
    });

    it('alerts fire when the database, Redis and the service itself are away', async () => {
      toRedis!.cut();
      await untilFiring('ClaimsRedisAway');
      toRedis!.restore();
      toDatabase!.cut();
      await untilFiring('ClaimsDatabaseUnavailable');
      toDatabase!.restore();
      await eventually(async () => expect(await prometheus.firing()).toEqual([]));
      await service.kill();
      await untilFiring('ClaimsApiMissing');
      expect(await prometheus.firing()).toContain('ClaimsWorkersMissing');
    });
  });
});

it('a machine that runs all tests has Prometheus', () => {
  expect(hasPrometheus() || !process.env.CI).toBe(true);
});
