import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { eventually } from './eventually.js';
import { aFreePort } from './free-port.js';

const run = promisify(execFile);
const PROMETHEUS = process.env.TEST_PROMETHEUS_PATH ?? '/usr/bin/prometheus';
const PROMTOOL = process.env.TEST_PROMTOOL_PATH ?? '/usr/bin/promtool';
const FILES = ['alerts.yaml', 'slo-rules.yaml'].map((name) => `docker/prometheus/${name}`);
/** What operators say of their own Prometheus: where its alerts find the runbooks. */
export const RUNBOOKS_AT = 'https://wiki.example.com/claims/runbooks';

export const hasPrometheus = (): boolean => existsSync(PROMETHEUS) && existsSync(PROMTOOL);

export interface Rule {
  readonly alert: string;
  expr: string;
  for?: string;
  readonly labels: { readonly severity: string; readonly slo?: string; readonly burn?: string };
  annotations?: { readonly summary: string; readonly runbook_url: string };
}

export interface Recording {
  readonly record: string;
  expr: string;
  readonly labels: { readonly slo: string };
}

interface Group {
  readonly name: string;
  interval?: string;
  rules: (Rule | Recording)[];
}

const isAlert = (rule: Rule | Recording): rule is Rule => 'alert' in rule;

export async function ruleGroups(): Promise<Group[]> {
  const texts = await Promise.all(FILES.map((file) => readFile(file, 'utf8')));
  return texts.flatMap((text) => (parse(text) as { groups: Group[] }).groups);
}

export const alertRules = async (): Promise<Rule[]> => (await ruleGroups()).flatMap(({ rules }) => rules.filter(isAlert));

/** As they are, but in seconds instead of minutes. */
export async function hurriedGroups(): Promise<Group[]> {
  const hurried = (rule: Rule | Recording) => {
    const expr = rule.expr.replace(/\[\d+[mhd]\]/g, '[10s]');
    return isAlert(rule) ? { ...rule, expr, for: '0s' } : { ...rule, expr };
  };
  return (await ruleGroups()).map(({ name, rules }) => ({ name, rules: rules.map(hurried) }));
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** As they are, but so many times as fast: windows, waiting times and numbers for a window are so much shorter or smaller. */
export async function fasterGroups(times: number): Promise<Group[]> {
  const shorter = (text: string): string => {
    const [, count, unit] = /^(\d+)([smhd])$/.exec(text)!;
    return `${Math.ceil((Number(count) * SECONDS[unit!]!) / times)}s`;
  };
  const faster = (rule: Rule | Recording) => {
    const expr = rule.expr
      .replace(/\[(\d+[mhd])\]/g, (_, window: string) => `[${shorter(window)}]`)
      .replace(/\* (\d+) >=/g, (_, seconds: string) => `* ${Number(seconds) / times} >=`);
    return isAlert(rule) ? { ...rule, expr, ...(rule.for && { for: shorter(rule.for) }) } : { ...rule, expr };
  };
  return (await ruleGroups()).map(({ name, rules }) => ({ name, rules: rules.map(faster) }));
}

/** What promtool says of the files. */
export const checkRules = async (): Promise<string> => (await run(PROMTOOL, ['check', 'rules', ...FILES])).stdout;

/** What promtool says of rules; `tests` is a document of its own form, without `rule_files`. */
export async function testRules(rules: readonly (Rule | Recording)[], tests: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'claims-rules-'));
  try {
    // It would compare the texts, too.
    const textless = rules.map((rule) => (isAlert(rule) ? { ...rule, annotations: {} } : rule));
    await writeFile(join(folder, 'rules.yaml'), stringify({ groups: [{ name: 'claims', rules: textless }] }));
    await writeFile(join(folder, 'tests.yaml'), stringify({ rule_files: ['rules.yaml'], ...tests }));
    const tested = run(PROMTOOL, ['test', 'rules', 'tests.yaml'], { cwd: folder, maxBuffer: 1e8 });
    return (await tested.catch((error: { stdout: string }) => error)).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** An alert that fires. */
export interface Firing {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface Prometheus {
  /** The names of the alerts that fire. */
  firing(): Promise<string[]>;
  /** Each alert of this name that fires. */
  alertsOf(alert: string): Promise<Firing[]>;
  /** The values that an expression has now. */
  query(expr: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
  /** From now on it reads these processes. */
  read(targets: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** A real Prometheus that reads the targets every second and knows these rules. */
export async function startPrometheus(targets: readonly string[], groups: readonly Group[]): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'claims-prometheus-'));
  await writeFile(join(folder, 'rules.yaml'), stringify({ groups }));
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s', external_labels: { runbooks: RUNBOOKS_AT } },
    rule_files: ['rules.yaml'],
    scrape_configs: [{ job_name: 'claims', file_sd_configs: [{ files: ['targets.json'], refresh_interval: '1s' }] }],
  };
  const read = async (urls: readonly string[]): Promise<void> => {
    await writeFile(join(folder, 'new.json'), JSON.stringify([{ targets: urls.map((url) => new URL(url).host) }]));
    // It reads the file as soon as it changes.
    await rename(join(folder, 'new.json'), join(folder, 'targets.json'));
  };
  await read(targets);
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
  const firing = async (): Promise<Firing[]> => {
    const { alerts } = await ask<{ alerts: (Firing & { state: string })[] }>('alerts');
    return alerts.filter(({ state }) => state === 'firing');
  };
  return {
    firing: async () => [...new Set((await firing()).map(({ labels }) => labels.alertname!))].sort(),
    alertsOf: async (alert) => (await firing()).filter(({ labels }) => labels.alertname === alert),
    query: async (expr) => (await ask<{ result: never[] }>(`query?${new URLSearchParams({ query: expr })}`)).result,
    read,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
