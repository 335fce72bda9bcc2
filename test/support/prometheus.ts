import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { eventually } from './eventually.js';
import { aFreePort } from './free-port.js';

const run = promisify(execFile);
const PROMETHEUS = process.env.TEST_PROMETHEUS_PATH ?? '/usr/bin/prometheus';
const PROMTOOL = process.env.TEST_PROMTOOL_PATH ?? '/usr/bin/promtool';
const RULES = 'docker/prometheus/alerts.yaml';

export const hasPrometheus = (): boolean => existsSync(PROMETHEUS) && existsSync(PROMTOOL);

export interface Rule {
  readonly alert: string;
  expr: string;
  for?: string;
  readonly labels: { readonly severity: string };
  annotations?: { readonly summary: string; readonly runbook: string };
}

export async function alertRules(): Promise<Rule[]> {
  return (parse(await readFile(RULES, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);
}

const rulesFile = (rules: readonly Rule[]): string => stringify({ groups: [{ name: 'claims', rules }] });

/** What promtool says of the alerts as they are; `tests` is a document of its own form, without `rule_files`. */
export async function checkRules(tests?: object): Promise<string> {
  if (!tests) return (await run(PROMTOOL, ['check', 'rules', RULES])).stdout;
  const folder = await mkdtemp(join(tmpdir(), 'claims-rules-'));
  try {
    // It would compare the texts, too.
    const rules = (await alertRules()).map(({ annotations: _text, ...rule }) => rule);
    await writeFile(join(folder, 'rules.yaml'), rulesFile(rules));
    await writeFile(join(folder, 'tests.yaml'), stringify({ rule_files: ['rules.yaml'], ...tests }));
    const { stdout } = await run(PROMTOOL, ['test', 'rules', 'tests.yaml'], { cwd: folder }).catch((error: { stdout: string }) => error);
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

export interface Prometheus {
  /** The names of the alerts that fire. */
  firing(): Promise<string[]>;
  /** The labels of each alert of this name that fires. */
  labelsOf(alert: string): Promise<Record<string, string>[]>;
  /** The values that an expression has now. */
  query(expr: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
  stop(): Promise<void>;
}

/** A real Prometheus that reads the targets every second and knows these alerts. */
export async function startPrometheus(targets: readonly string[], rules: readonly Rule[]): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'claims-prometheus-'));
  await writeFile(join(folder, 'rules.yaml'), rulesFile(rules));
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yaml'],
    scrape_configs: [{ job_name: 'claims', static_configs: [{ targets: targets.map((url) => new URL(url).host) }] }],
  };
  await writeFile(join(folder, 'prometheus.yaml'), stringify(config));
  const address = `127.0.0.1:${await aFreePort()}`;
  const args = ['--config.file=prometheus.yaml', '--storage.tsdb.path=data', `--web.listen-address=${address}`, '--log.level=warn'];
  const child = spawn(PROMETHEUS, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ask = async <T>(path: string): Promise<T> => {
    const answer = (await (await fetch(`http://${address}/api/v1/${path}`)).json()) as { status: string; error?: string; data: T };
    if (answer.status !== 'success') throw new Error(`${path}: ${answer.error}`);
    return answer.data;
  };
  await eventually(async () => ask('status/buildinfo'));
  const firing = async (): Promise<Record<string, string>[]> => {
    const { alerts } = await ask<{ alerts: { labels: Record<string, string>; state: string }[] }>('alerts');
    return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels);
  };
  return {
    firing: async () => [...new Set((await firing()).map(({ alertname }) => alertname!))].sort(),
    labelsOf: async (alert) => (await firing()).filter(({ alertname }) => alertname === alert),
    query: async (expr) => (await ask<{ result: never[] }>(`query?${new URLSearchParams({ query: expr })}`)).result,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
