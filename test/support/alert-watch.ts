import { setTimeout as delay } from 'node:timers/promises';
import type { Prometheus } from './prometheus.js';

/** Which alerts a fault raises. What spends a budget over hours may still be firing, or begin to, some faults later. */
export interface Alerting {
  readonly must?: readonly string[];
  readonly may?: readonly string[];
}

const POLL_MS = 500;
/** For so many faults after one that fails calls, alerts about service levels may begin. */
const REMEMBERED = 3;
const ABOUT_LATENCY = ['ClaimsReadsSlow', 'ClaimsWritesSlow'];
export const ABOUT_LEVELS = ['ClaimsErrors', 'ClaimsJobsFail', ...ABOUT_LATENCY];
/** Of reads: so many must have been slow, or an alert about latency is wrong. On a machine that has much else to do they are. */
const SLOW_SHARE = 0.05;
/** So many, and the machine has so much else to do that statements do not get a connection in time. */
const OVERLOADED_SHARE = 0.5;
const OF_OVERLOAD = [...ABOUT_LEVELS, 'ClaimsDatabaseUnavailable'];

interface Seen {
  readonly fault: string;
  readonly fired: Set<string>;
  readonly began: Set<string>;
  /** The share of reads that were slow for those who made them. */
  slowShare: number;
}

/** Notes which alerts fire while which fault happens. */
export class AlertWatch {
  /** By fault, in order: what fired, and of that what did not fire before. */
  readonly seen: Seen[] = [];
  private isStopped = false;
  private readonly running: Promise<void>;

  constructor(private readonly prometheus: Prometheus) {
    this.running = this.look();
  }

  next(fault: string): void {
    this.seen.push({ fault, fired: new Set(), began: new Set(), slowShare: 0 });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  /** What fired without a reason, and what should have fired. */
  mistakes(of: (fault: string) => Alerting): string[] {
    return this.seen.flatMap(({ fault, fired, began }, index) => {
      const { must = [], may = [] } = of(fault);
      const recent = this.seen.slice(Math.max(0, index - REMEMBERED), index + 1);
      const before = recent.flatMap((earlier) => [...(of(earlier.fault).may ?? []), ...(of(earlier.fault).must ?? [])]);
      const wereSlow = recent.some(({ slowShare }) => slowShare > SLOW_SHARE);
      const wasOverloaded = recent.some(({ slowShare }) => slowShare > OVERLOADED_SHARE);
      const remembered = before.filter((alert) => ABOUT_LEVELS.includes(alert));
      const allowed = new Set([...must, ...may, ...remembered, ...(wereSlow ? ABOUT_LATENCY : []), ...(wasOverloaded ? OF_OVERLOAD : [])]);
      return [
        ...must.filter((alert) => !fired.has(alert)).map((alert) => `${fault} (${index + 1}): ${alert} is missing`),
        ...[...began].filter((alert) => !allowed.has(alert)).map((alert) => `${fault} (${index + 1}): ${alert} has no reason`),
      ];
    });
  }

  private async look(): Promise<void> {
    for (let before: string[] = []; !this.isStopped; await delay(POLL_MS)) {
      const firing = await this.prometheus.firing();
      const now = this.seen.at(-1);
      for (const alert of now ? firing : []) {
        now!.fired.add(alert);
        if (!before.includes(alert)) now!.began.add(alert);
      }
      before = firing;
    }
  }
}
