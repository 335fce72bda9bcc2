import { Clock } from '../../src/kernel/time.js';

interface Timer {
  readonly atMs: number;
  /** Of two at the same time, the one that was scheduled first comes first. */
  readonly order: number;
  run: (() => void) | undefined;
}

/** A clock whose time passes as fast as what happens in it can be computed. In whole milliseconds. */
export class VirtualClock extends Clock {
  private nowMs: number;
  private scheduled = 0;
  /** A heap: the first is the earliest. */
  private readonly timers: Timer[] = [];

  constructor(start: Date) {
    super();
    this.nowMs = start.getTime();
  }

  override now(): Date {
    return new Date(this.nowMs);
  }

  override elapsedMs(): number {
    return this.nowMs;
  }

  override schedule(run: () => void, afterMs: number): () => void {
    const timer: Timer = { atMs: this.nowMs + Math.max(0, Math.ceil(afterMs)), order: (this.scheduled += 1), run };
    this.insert(timer);
    return () => (timer.run = undefined);
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.schedule(resolve, ms));
  }

  /** Lets time pass. Before each step, everything that the step before has caused at once has happened. */
  async pass(ms: number): Promise<void> {
    const end = this.nowMs + ms;
    for (;;) {
      await settled();
      const next = this.timers[0];
      if (!next || next.atMs > end) break;
      this.nowMs = next.atMs;
      while (this.timers[0] && this.timers[0].atMs <= this.nowMs) this.takeFirst().run?.();
    }
    this.nowMs = end;
  }

  private insert(timer: Timer): void {
    let index = this.timers.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (isEarlier(this.timers[parent]!, timer)) break;
      this.timers[index] = this.timers[parent]!;
      index = parent;
    }
    this.timers[index] = timer;
  }

  private takeFirst(): Timer {
    const first = this.timers[0]!;
    const last = this.timers.pop()!;
    if (this.timers.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= this.timers.length) break;
      if (child + 1 < this.timers.length && isEarlier(this.timers[child + 1]!, this.timers[child]!)) child += 1;
      if (isEarlier(last, this.timers[child]!)) break;
      this.timers[index] = this.timers[child]!;
      index = child;
    }
    this.timers[index] = last;
    return first;
  }
}

const isEarlier = (one: Timer, other: Timer): boolean => one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);

/** The code under test waits for promises, and at one place for a turn of the event loop (`EventReader`). */
async function settled(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}
