import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CHART, helm } from '../support/run-helm.js';
import { chart, lint } from './support/chart.js';

const GUIDE = readFileSync('docs/helm.md', 'utf8');
const VALUES = parse(readFileSync(`${CHART}/values.yaml`, 'utf8')) as object;
const shell = [...GUIDE.matchAll(/```sh\n([^]*?)```/g)].map(([, text]) => text!.replaceAll('\\\n', ' '));
const yaml = [...GUIDE.matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) => parse(text!) as object);
/** Each command of a block, in one line. */
const commandsOf = (text: string): string[] => text.trim().split('\n');
const ofHelm = shell.flatMap(commandsOf).filter((command) => command.startsWith('helm '));

const has = (path: string): boolean =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], VALUES) !== undefined;

describe('the guide to Helm', () => {
  it('installs in five commands', () => {
    expect(commandsOf(shell[0]!).map((command) => command.split(' ')[0])).toEqual(['kubectl', 'kubectl', 'kubectl', 'kubectl', 'helm']);
  });

  it('has commands that Helm carries out: all is rendered that they name', () => {
    expect(ofHelm.length).toBe(3);
    for (const command of ofHelm) {
      const args = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
        .trim()
        .split('\n');
      const [, verb, ...rest] = args;
      expect(['install', 'upgrade']).toContain(verb);
      const timeout = rest.indexOf('--timeout');
      expect(rest[timeout + 1]).toMatch(/^\d+[mh]$/);
      const { ok, stderr } = helm('template', ...rest.toSpliced(timeout, 2), ...(verb === 'upgrade' ? ['--is-upgrade'] : []));
      expect(ok, stderr).toBe(true);
    }
  });

  it('has values that the chart takes', () => {
    expect(yaml.length).toBe(2);
    for (const values of yaml) {
      const { ok, stdout } = lint(values);
      expect(ok, stdout).toBe(true);
    }
    const kinds = chart(yaml[0]!).all.map(({ kind }) => kind);
    expect(kinds).toContain('Ingress');
    expect(kinds).not.toContain('ScaledObject');
  });

  it('names values and files that there are', () => {
    const section = /## Values that matter\n([^]*?)\nFor example/.exec(GUIDE)![1]!;
    const named = [...section.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([\w.]+)`/g)].map(([, name]) => name!),
    );
    const paths = named.map((name) => (name.startsWith('.') ? `network${name}` : name));
    const ofParts = ['replicas', 'volumes', 'volumeMounts'];
    for (const path of paths) expect(has(ofParts.includes(path) ? `api.${path}` : path), path).toBe(true);
    const files = [...GUIDE.matchAll(/docker\/[\w./-]+\w/g)].map(([path]) => path);
    expect(files.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('creates the Secrets that the pods of the chart name, with their keys', () => {
    const created = [...shell.join('\n').matchAll(/create secret generic ([\w-]+) (.*)/g)].map(([, name, rest]) => [
      name!,
      [...rest!.matchAll(/--from-literal=([\w]+)=/g)].map(([, key]) => key!),
    ]);
    const secrets = Object.fromEntries(created) as Record<string, string[]>;
    const values = { restoreDrill: { enabled: true, dumps: { claim: 'dumps' } }, auditVerify: { enabled: true } };
    for (const { template } of chart(values).makers)
      for (const { env = [] } of [...template.spec!.containers, ...(template.spec!.initContainers ?? [])])
        for (const { valueFrom } of env.filter((variable) => variable.valueFrom))
          expect(secrets[valueFrom!.secretKeyRef!.name!]).toContain(valueFrom!.secretKeyRef!.key);
  });
});
