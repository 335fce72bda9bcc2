import type { ChildProcess } from 'node:child_process';
import type { Log } from '../kernel/log.js';
import { StartError } from '../kernel/settings/settings.js';
import { STOP } from '../program/stop.js';

/** A process that was lost is started again after this. The wait doubles each time, until the process has run for a while. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
const A_WHILE_MS = 60_000;

interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<void>;
  isReady: boolean;
  /** The addresses of its own probes and metrics. */
  probes?: string;
  metrics?: string;
}

/** They share endpoints and rows by leases, like workers on several machines. A lost one is started again, while another works. */
export class WorkerProcesses {
  private readonly running = new Map<number, Running>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly losses = new Map<number, number>();
  private isStarted = false;
  private isStopping = false;

  constructor(
    private readonly count: number,
    private readonly fork: (number: number) => ChildProcess,
    private readonly log: Log,
    /** Called when no worker is left. It ends this process, so that the orchestrator notices. */
    private readonly giveUp: () => void,
  ) {}

  /** Resolves when all are ready; with false if they were told to stop first. If one does not start, none stays. */
  async start(): Promise<boolean> {
    const numbers = Array.from({ length: this.count }, (_none, index) => index + 1);
    try {
      await Promise.all(numbers.map((number) => this.launch(number)));
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
    return !this.isStopping && this.running.size === this.count && [...this.running.values()].every(({ isReady }) => isReady);
  }

  addressesOf(listener: 'probes' | 'metrics'): string[] {
    return [...this.running.values()].flatMap((running) => running[listener] ?? []);
  }

  private launch(number: number): Promise<void> {
    const startedAt = performance.now();
    const child = this.fork(number);
    return new Promise((resolve, reject) => {
      const ended = new Promise<void>((end) => {
        child.once('exit', (code, signal) => {
          this.running.delete(number);
          reject(new StartError(`Worker process ${number} ended with ${code ?? signal} before it was ready.`));
          if (!this.isStopping && this.isStarted) this.lost(number, performance.now() - startedAt, { code, signal });
          // One that was told to stop ends with 0.
          else if (this.isStarted && code !== 0) process.exitCode = 1;
          end();
        });
      });
      child.on('error', (error) => this.log.error({ err: error, worker: number }, 'worker process'));
      const running: Running = { process: child, ended, isReady: false };
      this.running.set(number, running);
      child.once('message', (listeners: { probes?: string; metrics?: string }) => {
        Object.assign(running, { isReady: true, ...listeners });
        resolve();
      });
    });
  }

  private lost(number: number, ranForMs: number, how: { code: number | null; signal: string | null }): void {
    const losses = ranForMs > A_WHILE_MS ? 1 : (this.losses.get(number) ?? 0) + 1;
    this.losses.set(number, losses);
    const isAnyLeft = [...this.running.values()].some(({ isReady }) => isReady);
    const againInMs = isAnyLeft ? Math.min(FIRST_WAIT_MS * 2 ** (losses - 1), LONGEST_WAIT_MS) : undefined;
    this.log.error({ worker: number, ...how, againInMs }, 'worker process lost');
    if (againInMs === undefined) return this.giveUp();
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      // If it ends again, that is a loss, too.
      this.launch(number).then(
        () => this.log.info({ worker: number }, 'worker process is back'),
        () => undefined,
      );
    }, againInMs);
    this.timers.add(timer);
  }
}
