import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/time.js';
import { Database, prepared } from './database.js';

const READ_EVERY_MS = 20_000;
const FIRST_READINGS = 3;
const TIME = prepared({ name: 'database_clock.time', text: 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms' });

/**
 * The time that all processes share: that of the database. What one process does to the work of others goes by it, such as leases, due
 * deliveries and retention. So on a machine whose clock is wrong it takes nothing from them, delays nothing and deletes nothing too early.
 * Between two readings it is measured by what has elapsed, which no correction of this machine's clock changes.
 */
@Injectable()
export class DatabaseClock extends Clock implements OnModuleInit, OnModuleDestroy {
  /** The time of the database when nothing had elapsed, and how long it took to learn it. */
  private last: { readonly originMs: number; readonly tookMs: number } | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {
    super();
  }

  async onModuleInit(): Promise<void> {
    // The quickest of some tells the time best.
    for (let count = 0; count < FIRST_READINGS; count += 1) await this.read();
    this.timer = setInterval(() => void this.read(), READ_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  override now(): Date {
    return this.last ? new Date(this.last.originMs + this.elapsedMs()) : super.now();
  }

  /** While the database is unavailable, the last reading counts. */
  private async read(): Promise<void> {
    const before = this.elapsedMs();
    const [row] = await this.database.rows<{ ms: number }>(TIME, []).catch(() => []);
    const tookMs = this.elapsedMs() - before;
    if (!row) return;
    const reading = { originMs: row.ms - before - tookMs / 2, tookMs };
    const { last } = this;
    // A difference that the time of the readings explains is none, unless this one is more exact.
    const isExplained = last && Math.abs(reading.originMs - last.originMs) <= (tookMs + last.tookMs) / 2;
    if (!isExplained || tookMs < last.tookMs) this.last = reading;
  }
}
