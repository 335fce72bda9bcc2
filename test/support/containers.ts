import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

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

/**
 * The settings of V8 in a container of this size. It takes half of the memory that it sees: here of the container, which it would
 * see there.
 */
export const heapOf = ({ memoryMib }: ContainerSizes): string => `--max-old-space-size=${memoryMib / 2}`;

/**
 * Holds a process to this memory of its own: an allocation beyond it fails, which ends the process. Stricter than a container, which
 * counts only the pages that were written to. Needs no rights and no cgroup.
 */
export async function confine(pid: number, { memoryMib }: ContainerSizes): Promise<void> {
  await run('prlimit', ['--pid', String(pid), `--data=${memoryMib * MIB}`]);
}

/** The memory of a process in MiB at its peak: `resident` is what a container counts, `data` what `confine` does. */
export function peakOf(pid: number): { resident: number; data: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (name: string): number => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)![1]) / 1024);
  return { resident: mib('VmHWM'), data: mib('VmData') };
}
