import type { ChildProcess } from 'node:child_process';
import type { Log } from '../kernel/log.js';
import { StartError } from '../kernel/settings/settings.js';
import type { Listeners } from '../program/start.js';
import { STOP } from '../program/stop.js';

/** A process that was lost is started again after this. The wait doubles each time, until the process has run for a while. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
const A_WHILE_MS = 60_000;

/** One of the processes under this one: an API that shares its port with others, or a worker. */
export interface Child {
  readonly role: 'api' | 'worker';
  readonly number: number;
}

/** In each log line of it. */
export const namedIn = ({ role, number }: Child): Readonly<Record<string, number>> => ({ [role]: number });

interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<void>;
  /** Once it is ready. */
  listeners?: Listeners;
}

/**
 * Workers share endpoints and rows by leases, like those on several machines; APIs share a port. A lost one is started again, while another
 * of its role works.
 */
export class ChildProcesses {
  private readonly running = new Map<Child, Running>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly losses = new Map<Child, number>();
  private isStarted = false;
  private isStopping = false;

  constructor(
    private readonly children: readonly Child[],
    private readonly fork: (child: Child) => ChildProcess,
    private readonly log: Log,
    /** Called when none of a role is left. It ends this process, so that the orchestrator notices. */
    private readonly giveUp: (role: Child['role']) => void,
  ) {}

  /** Resolves when all are ready; with false if they were told to stop first. If one does not start, none stays. */
  async start(): Promise<boolean> {
    try {
      await Promise.all(this.children.map((child) => this.launch(child)));
      this.isStarted = true;
      return true;
    } catch (error) {
      if (this.isStopping) return false;
      await this.stop();
      throw error;
    }
  }

  /** Tells all to stop, and waits until they have finished what they do. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.timers.forEach(clearTimeout);
    for (const { process } of this.running.values()) if (process.connected) process.send(STOP, () => undefined);
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  kill(): void {
    for (const { process } of this.running.values()) process.kill('SIGKILL');
  }

  get isReady(): boolean {
    return !this.isStopping && this.children.every((child) => this.running.get(child)?.listeners !== undefined);
  }

  addressesOf(listener: keyof Listeners): string[] {
    return [...this.running.values()].flatMap(({ listeners }) => listeners?.[listener] ?? []);
  }

  private launch(child: Child): Promise<void> {
    const startedAt = performance.now();
    const forked = this.fork(child);
    return new Promise((resolve, reject) => {
      const ended = new Promise<void>((end) => {
        forked.once('exit', (code, signal) => {
          this.running.delete(child);
          reject(new StartError(`The process of ${child.role} ${child.number} ended with ${code ?? signal} before it was ready.`));
          if (!this.isStopping && this.isStarted) this.lost(child, performance.now() - startedAt, { code, signal });
          // One that was told to stop ends with 0.
          else if (this.isStarted && code !== 0) process.exitCode = 1;
          end();
        });
      });
      forked.on('error', (error) => this.log.error({ err: error, ...namedIn(child) }, 'process'));
      const running: Running = { process: forked, ended };
      this.running.set(child, running);
      forked.on('message', (message: { readonly ready?: Listeners }) => {
        if (message.ready === undefined) return;
        running.listeners = message.ready;
        resolve();
      });
    });
  }

  private lost(child: Child, ranForMs: number, how: { code: number | null; signal: string | null }): void {
    const losses = ranForMs > A_WHILE_MS ? 1 : (this.losses.get(child) ?? 0) + 1;
    this.losses.set(child, losses);
    const isAnyLeft = [...this.running].some(([{ role }, { listeners }]) => role === child.role && listeners !== undefined);
    const againInMs = isAnyLeft ? Math.min(FIRST_WAIT_MS * 2 ** (losses - 1), LONGEST_WAIT_MS) : undefined;
    this.log.error({ ...namedIn(child), ...how, againInMs }, 'process lost');
    if (againInMs === undefined) return this.giveUp(child.role);
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      // If it ends again, that is a loss, too.
      this.launch(child).then(
        () => this.log.info(namedIn(child), 'process is back'),
        () => undefined,
      );
    }, againInMs);
    this.timers.add(timer);
  }
}
