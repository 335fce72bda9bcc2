/** Wakes endpoints when their next delivery is due: one timer for each endpoint, for the earliest time that is known. */
export class DueTimers {
  private readonly timers = new Map<string, { readonly dueAt: number; readonly timer: NodeJS.Timeout }>();

  constructor(
    private readonly now: () => Date,
    private readonly wake: (webhookId: string) => void,
  ) {}

  set(webhookId: string, dueAt: Date): void {
    const known = this.timers.get(webhookId);
    if (known && known.dueAt <= dueAt.getTime()) return;
    clearTimeout(known?.timer);
    const timer = setTimeout(
      () => {
        this.timers.delete(webhookId);
        this.wake(webhookId);
      },
      Math.max(0, dueAt.getTime() - this.now().getTime()),
    ).unref();
    this.timers.set(webhookId, { dueAt: dueAt.getTime(), timer });
  }

  clear(): void {
    for (const { timer } of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }
}
