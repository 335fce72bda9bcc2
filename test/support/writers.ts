import { expect } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import type { Answer, Client } from './client.js';
import { eventually } from './eventually.js';
import type { Figures } from './figures.js';
import { lossesOf } from './losses.js';

/** Settings of a service whose rate limits the writers do not reach. */
export const WITHOUT_LIMITS = { RATE_LIMITS: JSON.stringify({ enterprise: { perMinute: 1e6, burst: 1e6 } }) };

/** How long a writer waits before it repeats what was refused. */
const REPEAT_AFTER_MS = 50;
/** Writes before and after a fault; `npm run faults -- --ha` makes more. */
const WRITES = Number(process.env.TEST_WRITES ?? 100);
/** The status of a call that was not answered. */
export const UNANSWERED = 0;

interface Pace {
  /** How many write at the same time. */
  readonly clients: number;
  /** How many writes begin in a second, if they are answered in time. */
  readonly perSecond: number;
}

/** Clients that create projects, and repeat what was refused with the same Idempotency-Key, as the problem advises. */
export class Writers {
  readonly acknowledged: { readonly name: string; readonly atMs: number }[] = [];
  /** The statuses of what was refused. */
  readonly refusals: number[] = [];
  /** Refusals that did not say when to try again. */
  unadvised = 0;
  slowestRefusalMs = 0;
  private isStopped = false;
  private nextAt = performance.now();
  private readonly running: Promise<void>[];

  constructor(
    private readonly api: Client,
    private readonly pace: Pace = { clients: 8, perSecond: Infinity },
  ) {
    this.running = Array.from({ length: pace.clients }, () => this.write());
  }

  get names(): string[] {
    return this.acknowledged.map(({ name }) => name);
  }

  /** Waits for that many more writes than there are. */
  async untilMore(writes = WRITES): Promise<void> {
    const before = this.acknowledged.length;
    await eventually(() => expect(this.acknowledged.length).toBeGreaterThan(before + writes), 30_000 + writes * 20);
  }

  /** How long after a moment the first write was acknowledged. Waits for it. */
  async firstAfter(moment: number): Promise<number> {
    const first = () => this.acknowledged.find(({ atMs }) => atMs > moment);
    await eventually(() => expect(first()).toBeDefined());
    return first()!.atMs - moment;
  }

  /** The longest time between two acknowledged writes. */
  get longestPauseMs(): number {
    return Math.max(0, ...this.acknowledged.slice(1).map(({ atMs }, index) => atMs - this.acknowledged[index]!.atMs));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
  }

  /** Compares what was acknowledged with what a database has of the organization. There must have been no other writers. */
  async comparedWith(databaseUrl: string, organizationId: string): Promise<Pick<Figures, 'calls' | 'failed' | 'lost' | 'doubled'>> {
    const { lost, doubled } = await lossesOf(this.names, databaseUrl, organizationId);
    const failed = this.refusals.length;
    return { calls: this.acknowledged.length + failed, failed, lost: lost.length, doubled: doubled.length };
  }

  private async write(): Promise<void> {
    while (!this.isStopped) {
      await this.turn();
      const name = newId();
      while ((await this.create(name)) !== 201) await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS));
      this.acknowledged.push({ name, atMs: performance.now() });
    }
  }

  /** Waits until it is time for the next write. Those that were due during a fault are not made up for. */
  private async turn(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.nextAt);
    this.nextAt = at + 1000 / this.pace.perSecond;
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
  }

  private async create(name: string): Promise<number> {
    const since = performance.now();
    const answer = await this.api
      .post('/v1/claim-projects', { name, periodStart: '2026-01-01', periodEnd: '2026-12-31' }, { 'Idempotency-Key': name })
      .catch((): Pick<Answer, 'status' | 'headers'> => ({ status: UNANSWERED, headers: {} }));
    if (answer.status === 201) return 201;
    this.refusals.push(answer.status);
    this.slowestRefusalMs = Math.max(this.slowestRefusalMs, performance.now() - since);
    if (answer.status !== UNANSWERED && !(Number(answer.headers['retry-after']) > 0)) this.unadvised += 1;
    return answer.status;
  }
}
