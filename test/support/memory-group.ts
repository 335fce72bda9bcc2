import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../src/kernel/ids.js';

const MIB = 2 ** 20;

/** Where control groups for memory are, in the order in which they are looked for, and the names of their files. */
const VERSIONS = [
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', kills: 'memory.oom_control' },
  { root: '/sys/fs/cgroup', limit: 'memory.max', kills: 'memory.events' },
];

/**
 * Processes that may have this much memory together, as those of a container have: the kernel counts what they have written to, and ends
 * one of them if there is too much. Needs the right to create control groups, which root has on most machines.
 */
export class MemoryGroup {
  /** Undefined where groups cannot be created. */
  static ofMib(limitMib: number): MemoryGroup | undefined {
    for (const version of VERSIONS) {
      const folder = join(version.root, `claims-${newId()}`);
      try {
        mkdirSync(folder);
      } catch {
        continue;
      }
      const group = new MemoryGroup(folder, version, limitMib);
      try {
        writeFileSync(join(folder, version.limit), String(limitMib * MIB));
        return group;
      } catch {
        group.remove();
      }
    }
    return undefined;
  }

  private constructor(
    private readonly folder: string,
    private readonly version: (typeof VERSIONS)[number],
    readonly limitMib: number,
  ) {
    process.once('exit', this.remove);
  }

  /** A command that starts another one in this group, so that it finds the limit when it begins. */
  get wrap(): readonly [string, ...string[]] {
    return ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(this.folder, 'cgroup.procs')];
  }

  /** How many processes the kernel has ended because there was no memory left. */
  get kills(): number {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(this.folder, this.version.kills), 'utf8'))![1]);
  }

  /** After its processes have ended. */
  readonly remove = (): void => {
    process.off('exit', this.remove);
    try {
      rmdirSync(this.folder);
    } catch {
      // A process is still in it: it goes with the machine.
    }
  };
}

export function canLimitMemory(): boolean {
  const group = MemoryGroup.ofMib(64);
  group?.remove();
  return group !== undefined;
}

const EATEN_AT_ONCE = 4 * MIB;

/** Takes all memory of a group, so that the kernel ends a process in it: this one. The one that takes it is to be killed afterwards. */
export function eatMemory(group: MemoryGroup, victim: number): ChildProcess {
  writeFileSync(`/proc/${victim}/oom_score_adj`, '1000');
  const times = (group.limitMib * MIB) / EATEN_AT_ONCE;
  const script = `for (const eaten = []; eaten.length < ${times};) eaten.push(Buffer.alloc(${EATEN_AT_ONCE}, 1));`;
  const [program, ...args] = [...group.wrap, process.execPath, '-e', script];
  return spawn(program, args, { stdio: 'ignore' });
}
