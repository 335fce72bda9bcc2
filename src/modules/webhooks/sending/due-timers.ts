import type { Clock } from '../../../kernel/time.js';

/** Wakes endpoints when their next delivery is due: one timer for each endpoint, for the earliest time that is known. */
export class DueTimers {
  private readonly timers = new Map<string, { readonly dueAt: number; readonly cancel: () => void }>();

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'schedule'>,
    private readonly wake: (webhookId: string) => void,
  ) {}

  set(webhookId: string, dueAt: Date): void {
    const known = this.timers.get(webhookId);
    if (known && known.dueAt <= dueAt.getTime()) return;
    known?.cancel();
    const run = (): void => {
      this.timers.delete(webhookId);
      this.wake(webhookId);
    };
    const cancel = this.clock.schedule(run, Math.max(0, dueAt.getTime() - this.clock.now().getTime()));
    this.timers.set(webhookId, { dueAt: dueAt.getTime(), cancel });
  }

  clear(): void {
    for (const { cancel } of this.timers.values()) cancel();
    this.timers.clear();
  }
}
