import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/time.js';
import { newId } from '../../kernel/ids.js';
import { AnsweredCalls, type AnsweredCall } from '../../api/call/answered-calls.js';
import { Log } from '../../kernel/log.js';
import type { UsageDay } from './usage-day.entity.js';
import { UsageRepository, type UsageBatch } from './usage.repository.js';

/** A process that is killed loses at most the counts of this time. */
const WRITE_EVERY_MS = 500;

/** Counts requests in memory and adds the counts to the database in one statement, twice a second: no write per request. */
@Injectable()
export class UsageCounter implements OnModuleInit, OnApplicationShutdown {
  private counts = new Map<string, UsageDay>();
  private readonly writerId = newId();
  private lastNumber = 0;
  private unwritten: UsageBatch | undefined;
  private writing: Promise<void> = Promise.resolve();
  /** The write that follows the current one. */
  private next: Promise<void> | undefined;
  private readonly timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref();

  constructor(
    private readonly calls: AnsweredCalls,
    private readonly usage: UsageRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.calls.onAnswered((call) => this.count(call));
  }

  /**
   * Writes the counts so far, so that a caller who then reads the usage sees their own requests. All who ask during a write share
   * the next one.
   */
  write(): Promise<void> {
    this.next ??= this.writing = this.writing.then(() => {
      this.next = undefined;
      return this.writeCounts();
    });
    return this.next;
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  private count({ caller, isCounted, operation, status }: AnsweredCall): void {
    if (!caller || !isCounted) return;
    const { organization, environment } = caller;
    const day = this.clock.timestamp().slice(0, 10);
    this.add({
      organizationId: organization.id,
      environment,
      day,
      capability: operation.capability,
      reads: operation.isWrite ? 0 : 1,
      writes: operation.isWrite ? 1 : 0,
      failed: status >= 400 ? 1 : 0,
    });
  }

  private add(count: UsageDay): void {
    const key = `${count.organizationId}:${count.environment}:${count.day}:${count.capability}`;
    const known = this.counts.get(key);
    if (!known) return void this.counts.set(key, count);
    known.reads += count.reads;
    known.writes += count.writes;
    known.failed += count.failed;
  }

  /** Not until there are none: while requests come in, there are always more. */
  private async writeCounts(): Promise<void> {
    try {
      if (this.unwritten) await this.usage.add(this.unwritten);
      this.unwritten = this.nextBatch();
      if (this.unwritten) await this.usage.add(this.unwritten);
      this.unwritten = undefined;
    } catch (error) {
      this.log.warn({ err: error }, 'usage not written, will retry');
    }
  }

  private nextBatch(): UsageBatch | undefined {
    if (this.counts.size === 0) return undefined;
    const counts = [...this.counts.values()];
    this.counts = new Map();
    return { writerId: this.writerId, number: (this.lastNumber += 1), counts };
  }
}
