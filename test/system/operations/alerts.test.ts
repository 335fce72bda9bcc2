import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { panels } from '../../support/dashboard.js';
import { alertRules, checkRules, hasPrometheus, type Recording, type Rule, ruleGroups, testRules } from '../../support/prometheus.js';
import { budgetOf, RUNBOOKS, serviceLevels } from '../../support/service-levels.js';

const READ = 'surface="api",operation="claim_projects.get"';
const WRITE = 'surface="api",operation="claim_projects.create"';
const OF_READS = `claims_request_duration_seconds_bucket{${READ}`;
const OF_WRITES = `claims_request_duration_seconds_bucket{${WRITE}`;

/** A service that is well: what its gauges say, and by how much its counters grow in a minute. */
const WELL: Readonly<Record<string, number>> = {
  'claims_info{role="api",instance="a"}': 1,
  'claims_info{role="worker",instance="w"}': 1,
  [`claims_requests_total{${READ},status="200"}`]: 6000,
  'claims_requests_total{surface="console",operation="other",status="200"}': 60,
  'claims_requests_total{surface="sign_in",operation="other",status="200"}': 30,
  'claims_failed_requests_total{surface="api",instance="a"}': 1,
  'claims_failed_requests_total{surface="console",instance="a"}': 0,
  'claims_failed_requests_total{surface="sign_in",instance="a"}': 0,
  [`${OF_READS},le="0.5"}`]: 6000,
  [`${OF_READS},le="+Inf"}`]: 6001,
  [`claims_request_duration_seconds_count{${READ}}`]: 6001,
  [`${OF_WRITES},le="1"}`]: 600,
  [`${OF_WRITES},le="+Inf"}`]: 600,
  [`claims_request_duration_seconds_count{${WRITE}}`]: 600,
  'claims_database_unavailable_total{instance="a"}': 0,
  'claims_database_connections_awaited{instance="a"}': 0,
  'claims_redis_up{instance="a"}': 1,
  'claims_redis_up{instance="b"}': 1,
  'claims_queue_age_seconds{table="webhook_deliveries",instance="w"}': 4,
  'claims_queue_age_seconds{table="claim_reports",instance="w"}': 30,
  'claims_queue_age_seconds{table="audit_entries",instance="w"}': 1,
  'claims_queue_age_seconds{table="outgoing_mails",instance="w"}': 20,
  'claims_deliveries_total{attempt="first",outcome="delivered",instance="w"}': 200,
  'claims_deliveries_total{attempt="first",outcome="http_error",instance="w"}': 150,
  'claims_deliveries_total{attempt="first",outcome="timeout",instance="w"}': 2,
  'claims_endpoints_disabled_total{reason="gone",instance="w"}': 0,
  'claims_queue_items_total{table="claim_reports",outcome="succeeded",instance="w"}': 10,
  'claims_queue_items_total{table="claim_reports",outcome="failed",instance="w"}': 5,
  'claims_queue_items_total{table="claim_reports",outcome="broken",instance="w"}': 0,
  'claims_queue_items_total{table="bank_statements",outcome="succeeded",instance="w"}': 10,
  'claims_queue_items_total{table="bank_statements",outcome="broken",instance="w"}': 0,
  'claims_jobs_total{task="audit.seal",outcome="failed",instance="w"}': 0,
  'claims_jobs_total{task="audit.seal",outcome="succeeded",instance="w"}': 60,
  'nodejs_eventloop_lag_p99_seconds{instance="a"}': 0.02,
  'claims_gauges_unread{instance="w"}': 0,
};

/** Series that are otherwise during the fault; null: they are missing. */
type Fault = Readonly<Record<string, number | null>>;

/** What each alert is for. */
const FAULTS: Readonly<Record<string, readonly Fault[]>> = {
  ClaimsApiMissing: [{ 'claims_info{role="api",instance="a"}': null }],
  ClaimsWorkersMissing: [{ 'claims_info{role="worker",instance="w"}': null }],
  ClaimsErrors: [{ 'claims_failed_requests_total{surface="api",instance="a"}': 600 }],
  ClaimsReadsSlow: [{ [`${OF_READS},le="0.5"}`]: 4000 }],
  ClaimsWritesSlow: [{ [`${OF_WRITES},le="1"}`]: 400 }],
  ClaimsSignInErrors: [{ 'claims_failed_requests_total{surface="sign_in",instance="a"}': 15 }],
  ClaimsPagesFail: [{ 'claims_failed_requests_total{surface="console",instance="a"}': 20 }],
  ClaimsDatabaseUnavailable: [{ 'claims_database_unavailable_total{instance="a"}': 120 }],
  ClaimsPoolExhausted: [{ 'claims_database_connections_awaited{instance="a"}': 7 }],
  ClaimsRedisAway: [{ 'claims_redis_up{instance="b"}': 0 }],
  ClaimsDeliveriesLate: [{ 'claims_queue_age_seconds{table="webhook_deliveries",instance="w"}': 300 }],
  ClaimsDeliveriesFailing: [
    {
      'claims_deliveries_total{attempt="first",outcome="timeout",instance="w"}': 250,
      'claims_deliveries_total{attempt="first",outcome="delivered",instance="w"}': 20,
      'claims_deliveries_total{attempt="first",outcome="http_error",instance="w"}': 0,
    },
  ],
  ClaimsEndpointsDisabled: [{ 'claims_endpoints_disabled_total{reason="gone",instance="w"}': 2 }],
  ClaimsWorkWaits: [{ 'claims_queue_age_seconds{table="claim_reports",instance="w"}': 900 }],
  ClaimsWorkBroken: [{ 'claims_queue_items_total{table="claim_reports",outcome="broken",instance="w"}': 0.2 }],
  ClaimsReportsBroken: [{ 'claims_queue_items_total{table="claim_reports",outcome="broken",instance="w"}': 4 }],
  ClaimsRedactionBroken: [{ 'claims_queue_items_total{table="bank_statements",outcome="broken",instance="w"}': 4 }],
  ClaimsAuditUnsealed: [{ 'claims_queue_age_seconds{table="audit_entries",instance="w"}': 300 }],
  ClaimsMailLate: [{ 'claims_queue_age_seconds{table="outgoing_mails",instance="w"}': 3000 }],
  ClaimsJobsFail: [
    { 'claims_jobs_total{task="audit.seal",outcome="failed",instance="w"}': 60 },
    // Twice in an hour, and it has not succeeded for six.
    {
      'claims_jobs_total{task="audit.seal",outcome="failed",instance="w"}': 1 / 30,
      'claims_jobs_total{task="audit.seal",outcome="succeeded",instance="w"}': null,
    },
  ],
  ClaimsEventLoopLate: [{ 'nodejs_eventloop_lag_p99_seconds{instance="a"}': 0.4 }],
  ClaimsGaugesUnread: [{ 'claims_gauges_unread{instance="w"}': 1 }],
};

/** The labels of alerts about one of several things, beside their severity. */
const ABOUT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ClaimsPoolExhausted: { instance: 'a' },
  ClaimsWorkWaits: { table: 'claim_reports' },
  ClaimsWorkBroken: { table: 'claim_reports' },
  ClaimsJobsFail: { task: 'audit.seal' },
  ClaimsEventLoopLate: { instance: 'a' },
  ClaimsGaugesUnread: { instance: 'w' },
};

/** Minutes of each part of an input. */
const [BEFORE, DURING, AFTER] = [60, 420, 60];
const ENDED = BEFORE + DURING;
/** Within so many minutes after its fault, an alert ends. */
const ENDS_WITHIN: Readonly<Record<string, number>> = { fast: 7, slow: 32 };
const OTHERS_END_WITHIN = 12;

/** The values of a series, a number for each minute. */
function valuesOf(name: string, fault: number | null | undefined, isGoneAfter: boolean): string {
  const well = WELL[name]!;
  const isCounter = /_(?:total|count|bucket)\{/.test(name);
  let at = 0;
  const part = (value: number, minutes: number): string => {
    const text = isCounter ? `${at}+${value}x${minutes - 1}` : `${value}x${minutes - 1}`;
    at += value * minutes;
    return text;
  };
  const before = part(well, BEFORE);
  const during = fault === null ? `stale _x${DURING - 1}` : part(fault ?? well, DURING);
  const after = isGoneAfter && fault !== undefined ? `stale _x${AFTER - 1}` : part(well, AFTER);
  return [before, during, after].join(' ');
}

/** Of the series that rules read. */
function inputOf(rules: readonly { readonly expr: string }[], fault: Fault, isGoneAfter = false) {
  const read = new Set(rules.flatMap(({ expr }) => expr.match(/\b(?:claims|nodejs)_\w+/g) ?? []));
  const names = Object.keys(WELL).filter((series) => read.has(/^\w+/.exec(series)![0]));
  return names.map((series) => ({ series, values: valuesOf(series, fault[series], isGoneAfter) }));
}

/** The alerts of a name, and what they read of what is recorded. */
async function rulesOf(name: string): Promise<(Rule | Recording)[]> {
  const all = (await ruleGroups()).flatMap(({ rules }) => rules);
  const alerts = all.filter((rule): rule is Rule => 'alert' in rule && rule.alert === name);
  const levels = alerts.map(({ labels }) => labels.slo);
  const isRead = ({ record, labels }: Recording): boolean =>
    levels.includes(labels.slo) && alerts.some(({ expr }) => expr.includes(record));
  return [...all.filter((rule): rule is Recording => 'record' in rule && isRead(rule)), ...alerts];
}

it('every alert has a page in the runbooks, which has no other, and a fault in this test', async () => {
  const rules = await alertRules();
  const runbooks = await readFile('docs/runbooks.md', 'utf8');
  const headings = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name]) => name!);
  expect([...headings].sort()).toEqual([...new Set(rules.map(({ alert }) => alert))].sort());
  expect(Object.keys(FAULTS).sort()).toEqual([...headings].sort());
  for (const { alert, annotations } of rules) expect(annotations!.runbook_url).toBe(`${RUNBOOKS}#${alert.toLowerCase()}`);
  for (const part of runbooks.split(/^## /m).slice(1)) expect(part, part.slice(0, 30)).toMatch(/\*\*Means\*\*.*\*\*Look.*do\*\*/is);
});

it('each service level has both alerts, whose thresholds can be reached, and a line in the page for operators', async () => {
  const [rules, { levels, burns }, page] = await Promise.all([alertRules(), serviceLevels(), readFile('docs/operating.md', 'utf8')]);
  for (const level of levels) {
    const own = rules.filter(({ labels }) => labels.slo === level.slo);
    expect(own.map(({ alert, labels }) => [alert, labels.severity])).toEqual(burns.map(({ severity }) => [level.alert, severity]));
    // All events are bad: no more can be.
    for (const { factor } of burns) expect(factor * budgetOf(level), level.slo).toBeLessThan(0.9);
    expect(page).toContain(`| \`${level.slo}\` | ${level.objective} % | ${level.about} |`);
  }
});

it('the dashboard shows what is recorded of service levels, and every other query is of the chosen namespaces and instances', async () => {
  const records = new Set((await ruleGroups()).flatMap(({ rules }) => rules.flatMap((rule) => ('record' in rule ? [rule.record] : []))));
  const all = await panels();
  const recorded = all.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/\bclaims:[\w:]+/g) ?? []));
  expect(recorded).toContain('claims:slo_budget:left');
  expect(recorded.filter((name) => !records.has(name))).toEqual([]);
  for (const { title, targets } of all)
    for (const { expr } of targets) {
      for (const [selector] of expr.matchAll(/\b(?:claims|nodejs|process)_\w+(?:\{[^}]*\})?/g))
        expect(selector, title).toMatch(/[{,]namespace=~"\$namespace",instance=~"\$instance"\}$/);
      for (const [selector] of expr.matchAll(/\bclaims:[\w:]+(?:\{[^}]*\})?/g))
        expect(selector, title).toMatch(/[{,]namespace=~"\$namespace"\}$/);
    }
});

describe.skipIf(!hasPrometheus())('with Prometheus', () => {
  const inMinutes = (minutes: number, alertname: string, exp_alerts: object[]) => ({ eval_time: `${minutes}m`, alertname, exp_alerts });

  it('promtool finds nothing wrong with the rules', async () => {
    const counts = [...(await checkRules()).matchAll(/SUCCESS: (\d+) rules found/g)].map(([, count]) => Number(count));
    expect(counts.reduce((sum, count) => sum + count)).toBe((await ruleGroups()).flatMap(({ rules }) => rules).length);
  });

  it('none fires while all is well', async () => {
    const rules = (await ruleGroups()).flatMap((group) => group.rules);
    const alert_rule_test = Object.keys(FAULTS).flatMap((alert) => [30, 400].map((minutes) => inMinutes(minutes, alert, [])));
    const tests = [{ interval: '1m', input_series: inputOf(rules, {}), alert_rule_test }];
    expect(await testRules(rules, { evaluation_interval: '5m', tests })).toContain('SUCCESS');
  });

  it.each(Object.entries(FAULTS))(
    '%s fires for its fault, and ends after it, also where the process that had it is gone',
    async (name, faults) => {
      const read = await rulesOf(name);
      const rules = read.filter((rule): rule is Rule => 'alert' in rule);
      const tests = faults.flatMap((fault) =>
        [false, true].map((isGoneAfter) => {
          const endsWithin = ({ labels }: (typeof rules)[number]) => ENDS_WITHIN[labels.burn ?? ''] ?? OTHERS_END_WITHIN;
          const firing = (minutes: number) =>
            inMinutes(
              minutes,
              name,
              rules
                .filter((rule) => minutes < ENDED || endsWithin(rule) > minutes - ENDED)
                .map(({ labels }) => ({ exp_labels: { ...labels, ...ABOUT[name] } })),
            );
          // A missing process cannot be gone once more.
          const isGone = isGoneAfter && !Object.values(fault).includes(null);
          const moments = [ENDED - 2, ...new Set(rules.map((rule) => ENDED + endsWithin(rule)))];
          return {
            interval: '1m',
            input_series: inputOf(read, fault, isGone),
            alert_rule_test: [inMinutes(BEFORE - 2, name, []), ...moments.map(firing)],
          };
        }),
      );
      expect(await testRules(read, { evaluation_interval: '1m', tests })).toContain('SUCCESS');
    },
  );

  it('the budget that is left is what the events of all days leave', async () => {
    const recorded = (await ruleGroups()).flatMap(({ rules }) => rules.filter((rule): rule is Recording => 'record' in rule));
    const rules = recorded.filter(({ record, labels }) => /reports|redaction/.test(labels.slo) && !record.includes('errors'));
    const input_series = inputOf(rules, { 'claims_queue_items_total{table="claim_reports",outcome="broken",instance="w"}': 0.1 });
    const exp_samples = [
      { labels: '{slo="redaction"}', value: 1 },
      // 42 of 8,142 are broken, and 1 % of them may be.
      { labels: '{slo="reports"}', value: 0.48 },
    ];
    const promql_expr_test = [{ expr: 'round(sum by (slo) (claims:slo_budget:left), 0.01)', eval_time: '535m', exp_samples }];
    const tests = [{ interval: '1m', input_series, promql_expr_test }];
    expect(await testRules(rules, { evaluation_interval: '1m', tests })).toContain('SUCCESS');
  });
});

it('a machine that runs all tests has Prometheus', () => {
  expect(hasPrometheus() || !process.env.CI).toBe(true);
});
