import { expect } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import type { Client } from './client.js';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import type { Figures } from './figures.js';

/** Settings of a service whose rate limits the writers do not reach. */
export const WITHOUT_LIMITS = { RATE_LIMITS: JSON.stringify({ enterprise: { perMinute: 1e6, burst: 1e6 } }) };

const WRITERS = 8;
/** How long a writer waits before it repeats what was refused. */
const REPEAT_AFTER_MS = 50;
/** Writes before and after a fault; `npm run faults -- --ha` makes more. */
const WRITES = Number(process.env.TEST_WRITES ?? 100);

/** Clients that create projects, and repeat what was refused with the same Idempotency-Key, as the problem advises. */
export class Writers {
  readonly acknowledged: { readonly name: string; readonly atMs: number }[] = [];
  /** The statuses of what was refused. */
  readonly refusals: number[] = [];
  private isStopped = false;
  private readonly running: Promise<void>[];

  constructor(private readonly api: Client) {
    this.running = Array.from({ length: WRITERS }, () => this.write());
  }

  /** Waits for that many more writes than there are. */
  async untilMore(): Promise<void> {
    const before = this.acknowledged.length;
    await eventually(() => expect(this.acknowledged.length).toBeGreaterThan(before + WRITES), 30_000 + WRITES * 20);
  }

  /** How long after a moment the first write was acknowledged. Waits for it. */
  async firstAfter(moment: number): Promise<number> {
    const first = () => this.acknowledged.find(({ atMs }) => atMs > moment);
    await eventually(() => expect(first()).toBeDefined());
    return first()!.atMs - moment;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
  }

  /** Compares what was acknowledged with what a database has. There must have been no other writers. */
  async comparedWith(databaseUrl: string): Promise<Omit<Figures, 'fault' | 'firstWriteMs'>> {
    const rows = await rowsOf<{ name: string }>(databaseUrl, 'SELECT name FROM claim_projects');
    const events = await rowsOf(databaseUrl, "SELECT 1 FROM events WHERE kind = 'claim_project.created'");
    const stored = new Set(rows.map(({ name }) => name));
    const lost = this.acknowledged.filter(({ name }) => !stored.has(name)).length;
    const doubled = Math.max(rows.length, events.length) - stored.size;
    return { calls: this.acknowledged.length + this.refusals.length, failed: this.refusals.length, lost, doubled };
  }

  private async write(): Promise<void> {
    while (!this.isStopped) {
      const name = newId();
      for (;;) {
        const { status } = await this.api.post(
          '/v1/claim-projects',
          { name, periodStart: '2026-01-01', periodEnd: '2026-12-31' },
          { 'Idempotency-Key': name },
        );
        if (status === 201) break;
        this.refusals.push(status);
        await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS));
      }
      this.acknowledged.push({ name, atMs: performance.now() });
    }
  }
}
