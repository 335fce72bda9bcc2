import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { hasPrometheus } from '../support/prometheus.js';
import { chart } from './support/chart.js';

const PROMTOOL = process.env.TEST_PROMTOOL_PATH ?? '/usr/bin/promtool';
const DRILL = '{namespace="claims", cronjob="claims-restore-drill"}';
const FAILED = (job: string): string => `kube_job_status_failed{namespace="claims", job_name="${job}"}`;

/** Which of the alerts fire at a time, given what kube-state-metrics says. */
function fired(series: Readonly<Record<string, string>>, at: string, alert: string): boolean {
  const rendered = chart({ auditVerify: { enabled: true }, restoreDrill: { enabled: true, dumps: { claim: 'dumps' } } });
  const { groups } = rendered.one('PrometheusRule', 'claims').spec as unknown as { groups: { name: string; rules: object[] }[] };
  const rules = groups.find(({ name }) => name === 'claims-jobs')!.rules.map((rule) => ({ ...rule, annotations: undefined }));
  const folder = mkdtempSync(join(tmpdir(), 'claims-rules-'));
  try {
    writeFileSync(join(folder, 'rules.yaml'), stringify({ groups: [{ name: 'claims-jobs', rules }] }));
    const input = Object.entries(series).map(([name, values]) => ({ series: name, values }));
    const severity = alert === 'ClaimsRestoreDrillMissing' ? 'ticket' : 'page';
    const test = (exp: object[]): object => ({
      rule_files: ['rules.yaml'],
      evaluation_interval: '1h',
      tests: [{ interval: '1h', input_series: input, alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: exp }] }],
    });
    const holds = (exp: object[]): boolean => {
      writeFileSync(join(folder, 'tests.yaml'), stringify(test(exp)));
      try {
        execFileSync(PROMTOOL, ['test', 'rules', 'tests.yaml'], { cwd: folder, stdio: 'pipe' });
        return true;
      } catch {
        return false;
      }
    };
    const [fires, rests] = [holds([{ exp_labels: { severity } }]), holds([])];
    expect(fires).toBe(!rests);
    return fires;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.runIf(hasPrometheus() || process.env.CI)('the alerts of the jobs', () => {
  it('fire while a job that failed is there, and not for a job that succeeded', () => {
    for (const [job, alert] of [
      ['claims-audit-verify-29403137', 'ClaimsAuditVerifyFailed'],
      ['claims-restore-drill-29403137', 'ClaimsRestoreDrillFailed'],
    ] as const) {
      expect(fired({ [FAILED(job)]: '1x10' }, '5h', alert)).toBe(true);
      expect(fired({ [FAILED(job)]: '0x10' }, '5h', alert)).toBe(false);
      expect(fired({ [FAILED('claims-migrate')]: '1x10' }, '5h', alert)).toBe(false);
    }
  });

  it('fire when no drill has succeeded for 15 days, also if none ever did', () => {
    const created = { [`kube_cronjob_created${DRILL}`]: '0x1000' };
    const alert = 'ClaimsRestoreDrillMissing';
    expect(fired(created, '14d', alert)).toBe(false);
    expect(fired(created, '16d', alert)).toBe(true);
    const succeeded = { ...created, [`kube_cronjob_status_last_successful_time${DRILL}`]: `${10 * 86_400}x1000` };
    expect(fired(succeeded, '24d', alert)).toBe(false);
    expect(fired(succeeded, '26d', alert)).toBe(true);
  });
});
