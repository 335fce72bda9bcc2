import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { MemoryGroup } from './memory-group.js';
import { startProcess, type TestProcess } from './process.js';

const run = promisify(execFile);
const BASE = 'docker/kubernetes/base';
const MIB = 2 ** 20;

/** What the manifests say of a container. */
export interface ContainerSizes {
  readonly memoryMib: number;
  /** Its settings, without addresses and secrets. */
  readonly env: Readonly<Record<string, string>>;
}

interface Deployment {
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          {
            readonly env: readonly { readonly name: string; readonly value?: string }[];
            readonly resources: { readonly limits: { readonly memory: string } };
          },
        ];
      };
    };
  };
}

/** The sizes of the pods of docs/kubernetes.md, from the manifests themselves. */
export function sizesOf(role: 'api' | 'worker'): ContainerSizes {
  const documents = parseAllDocuments(readFileSync(`${BASE}/${role}.yaml`, 'utf8')).map((document) => document.toJS() as Deployment);
  const [{ env, resources }] = documents.find(({ kind }) => kind === 'Deployment')!.spec.template.spec.containers;
  const shared = readFileSync(`${BASE}/settings.env`, 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm);
  const own = env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]));
  const [, digits, unit] = /^(\d+)(Mi|Gi)$/.exec(resources.limits.memory)!;
  return {
    memoryMib: Number(digits) * (unit === 'Gi' ? 1024 : 1),
    env: Object.fromEntries([...[...shared].map(([, name, value]) => [name, value]), ...own]) as Record<string, string>,
  };
}

export interface Contained {
  readonly service: TestProcess;
  /** Undefined where control groups cannot be created. */
  readonly group: MemoryGroup | undefined;
}

/** Starts a process with the settings of a container, held to its memory: as there, by a control group. */
export async function startContained({ memoryMib, env }: ContainerSizes, more: Readonly<Record<string, string>>): Promise<Contained> {
  const group = MemoryGroup.ofMib(memoryMib);
  if (group) return { service: await startProcess({ ...env, ...more }, { group }), group };
  // V8 takes half of the memory that it sees. An allocation beyond the limit fails, which ends the process. That is stricter than a
  // container, which counts only the pages that were written to.
  const service = await startProcess({ ...env, ...more, NODE_OPTIONS: `--max-old-space-size=${memoryMib / 2}` });
  await run('prlimit', ['--pid', String(service.pid), `--data=${memoryMib * MIB}`]);
  return { service, group };
}

/** The memory of a process in MiB at its peak: `resident` is what a container counts, `data` what prlimit does. */
export function peakOf(pid: number): { resident: number; data: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (name: string): number => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)![1]) / 1024);
  return { resident: mib('VmHWM'), data: mib('VmData') };
}
