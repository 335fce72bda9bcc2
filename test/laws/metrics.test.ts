import { collectDefaultMetrics, Registry } from 'prom-client';
import { afterAll, expect, it } from 'vitest';
import { Registry as Operations } from '../../src/api/operation/registry.js';
import { METRICS } from '../../src/kernel/metrics.js';
import { JobRegistry } from '../../src/store/jobs/job-registry.js';
import { panels } from '../support/dashboard.js';
import { createDatabase } from '../support/database.js';
import { startDocumentedApp } from '../support/documented-app.js';
import { samplesAt, valueOf } from '../support/metrics.js';
import { startProcess } from '../support/process.js';
import { alertRules } from '../support/prometheus.js';
import { serviceLevels } from '../support/service-levels.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

/** Labels that Prometheus gives every series: one of ours with such a name would be lost. */
const OF_PROMETHEUS = ['job', 'instance', 'namespace'];

/** What takes as long as what it carries, or is for tests alone. */
const AS_LONG_AS_IT_TAKES =
  /^(?:claim_reports\.download|batches\.create|(?:bank_statements|receipts)\.(?:create|update|check|retry)|webhooks\.ping|test\..+)$/;

/** Of each metric, the labels that it has. */
function labelsByMetric(): Map<string, string[]> {
  const ofNode = new Registry();
  collectDefaultMetrics({ register: ofNode });
  const metrics = [...METRICS.getMetricsAsArray(), ...ofNode.getMetricsAsArray()] as unknown as { name: string; labelNames: string[] }[];
  ofNode.clear();
  return new Map(metrics.map(({ name, labelNames }) => [name, labelNames]));
}

interface Read {
  readonly where: string;
  readonly expr: string;
  /** What is shown beside it, with `{{label}}` or `{{ $labels.label }}`. */
  readonly text: string;
}

async function allReads(): Promise<Read[]> {
  const alerts = (await alertRules()).map(({ alert, expr, annotations }) => ({ where: alert, expr, text: annotations!.summary }));
  const ofPanels = (await panels()).flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat = '' }) => ({ where: title, expr, text: legendFormat })),
  );
  return [...alerts, ...ofPanels];
}

it('every job and every known outcome begins at zero, so that Prometheus sees the first failure', async () => {
  const database = await createDatabase();
  const worker = await startProcess({ DATABASE_URL: database.url, ROLE: 'worker' });
  try {
    const samples = await samplesAt(worker.metrics!);
    const { jobs, daily } = app.app.get(JobRegistry);
    expect(jobs.length).toBeGreaterThan(10);
    for (const { id } of [...jobs, ...daily]) {
      expect(valueOf(samples, 'claims_jobs_total', { task: id, outcome: 'failed' }), id).toBe(0);
      expect(valueOf(samples, 'claims_jobs_total', { task: id, outcome: 'succeeded' }), id).toBeGreaterThanOrEqual(0);
    }
    for (const table of ['claim_reports', 'bank_statements'])
      expect(valueOf(samples, 'claims_queue_items_total', { table, outcome: 'broken' }), table).toBe(0);
    for (const attempt of ['first', 'later'])
      for (const outcome of ['delivered', 'timeout'])
        expect(valueOf(samples, 'claims_deliveries_total', { attempt, outcome }), outcome).toBe(0);
    for (const surface of ['api', 'sign_in', 'console', 'oauth', 'tools', 'pages', 'other'])
      expect(valueOf(samples, 'claims_failed_requests_total', { surface }), surface).toBe(0);
    for (const reason of ['failing', 'gone']) expect(valueOf(samples, 'claims_endpoints_disabled_total', { reason }), reason).toBe(0);
    expect(valueOf(samples, 'claims_mails_total', { outcome: 'failed' })).toBe(0);
    expect(valueOf(samples, 'claims_oauth_token_requests_total', { grant: 'refresh_token', outcome: 'refused' })).toBe(0);
  } finally {
    await worker.stop();
    await database.drop();
  }
});

it('each operation is among the reads or the writes of the service levels, unless it takes as long as what it carries', async () => {
  const { levels } = await serviceLevels();
  const matches = (slo: string, id: string): boolean => {
    const selectors = [...levels.find((level) => level.slo === slo)!.all.matchAll(/operation(=~|!~)"([^"]*)"/g)];
    expect(selectors).not.toEqual([]);
    return selectors.every(([, sign, text]) => new RegExp(`^(?:${text})$`).test(id) === (sign === '=~'));
  };
  const { operations } = app.app.get(Operations);
  for (const { id, method } of operations) {
    const isLong = AS_LONG_AS_IT_TAKES.test(id);
    expect([id, matches('read_latency', id)]).toEqual([id, method === 'GET' && !isLong]);
    expect([id, matches('write_latency', id)]).toEqual([id, method !== 'GET' && !isLong]);
  }
  const many = operations.filter(({ id, environment }) => !environment && AS_LONG_AS_IT_TAKES.test(id));
  expect(many.length).toBeLessThan(10);
});

it('no metric has a label of Prometheus itself', () => {
  const labels = METRICS.getMetricsAsArray().flatMap((metric) => (metric as unknown as { labelNames: string[] }).labelNames);
  expect(labels.filter((label) => OF_PROMETHEUS.includes(label))).toEqual([]);
});

it('what an alert or a panel reads is a metric, with the labels that it reads', async () => {
  const known = labelsByMetric();
  const problems: string[] = [];
  for (const { where, expr, text } of await allReads()) {
    // What is recorded has the level that it is about.
    const isRecorded = /\bclaims:slo_/.test(expr);
    const names = [...expr.matchAll(/\b((?:claims|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)];
    if (names.length === 0 && !isRecorded) problems.push(`${where} reads no metric`);
    const found = names.flatMap(([, name, selector = '']) => {
      const base = known.has(name!) ? name! : name!.replace(/_(?:bucket|sum|count)$/, '');
      const labels = known.get(base);
      if (!labels) problems.push(`${where}: there is no ${name}`);
      const has = [...(labels ?? []), ...(name!.endsWith('_bucket') ? ['le'] : []), 'instance', 'namespace'];
      for (const [, label] of selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g))
        if (!has.includes(label!)) problems.push(`${where}: ${name} has no label ${label}`);
      return has;
    });
    const grouped = [...expr.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)].flatMap(([, list]) => list!.split(',').map((label) => label.trim()));
    const shown = [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label]) => label!);
    for (const label of [...grouped, ...shown])
      if (!found.includes(label) && !(isRecorded && label === 'slo')) problems.push(`${where}: reads the label ${label}`);
  }
  expect(problems).toEqual([]);
});
