import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/time.js';
import { Database, type Statement } from './database.js';

const READ_EVERY_MS = 10_000;
const TIME: Statement = { name: 'database_clock.time', text: 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms' };

/**
 * The time that all processes share: that of the database. What one process does to the work of others goes by it, such as leases, due
 * deliveries and retention. So on a machine whose clock is wrong it takes nothing from them, delays nothing and deletes nothing too early.
 * Between two readings it is measured by what has elapsed, which no correction of this machine's clock changes.
 */
@Injectable()
export class DatabaseClock extends Clock implements OnModuleInit, OnModuleDestroy {
  /** The time of the database when nothing had elapsed. */
  private originMs: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {
    super();
  }

  async onModuleInit(): Promise<void> {
    await this.read();
    this.timer = setInterval(() => void this.read(), READ_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  override now(): Date {
    return this.originMs === undefined ? super.now() : new Date(this.originMs + this.elapsedMs());
  }

  /** While the database is unavailable, the last reading counts. */
  private async read(): Promise<void> {
    const before = this.elapsedMs();
    const [row] = await this.database.rows<{ ms: number }>(TIME, []).catch(() => []);
    const after = this.elapsedMs();
    if (!row) return;
    const originMs = row.ms - (before + after) / 2;
    // A difference that the time of the reading explains is none.
    if (this.originMs === undefined || Math.abs(originMs - this.originMs) > after - before) this.originMs = originMs;
  }
}
