import { Injectable, Inject } from '@nestjs/common';
import { collectDefaultMetrics, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import { DataSource } from 'typeorm';
import { inTime } from '../../kernel/in-time.js';
import { Log } from '../../kernel/log.js';
import { gauge, METRICS } from '../../kernel/metrics.js';
import { API_VERSION } from '../../kernel/product.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock } from '../../kernel/time.js';
import { poolOf } from '../database/borrowed.js';
import { Ports, Implements } from '../discovery/ports.js';
import type { RedisClient } from '../redis/connect-redis.js';
import { answers, REDIS } from '../redis/redis.module.js';
import { Gauges, COUNTED_ROWS, WaitingWork } from './gauges.js';

const INFO = gauge('info', 'The version of this process and what it does; always 1.', ['version', 'role']);
const UNREAD = gauge('gauges_unread', 'Groups of gauges that could not be read this time, as while the database is away.');
/** Prometheus waits for ten seconds by default. What the database does not say within this is left out. */
const READ_WITHIN_MS = 2000;

/** A metric with its values, for another process. */
export type Metric = MetricObjectWithValues<MetricValue<string>>;

@Injectable()
export class MetricsReader {
  private reading: Promise<void> | undefined;

  constructor(
    private readonly ports: Ports,
    private readonly settings: Settings,
    private readonly log: Log,
  ) {}

  /** Before the first reading, in a process that is asked for its metrics: memory, garbage collection, event loop. */
  begin(): void {
    // Looks at the event loop twenty times a second. A hundred times, as is usual, is half of what an idle process does.
    collectDefaultMetrics({ register: METRICS, eventLoopMonitoringPrecision: 50 });
    INFO.set({ version: API_VERSION, role: this.settings.role }, 1);
  }

  async text(): Promise<string> {
    await this.read();
    return METRICS.metrics();
  }

  async values(): Promise<Metric[]> {
    await this.read();
    return METRICS.getMetricsAsJSON();
  }

  /** All who ask at once share one reading. */
  private read(): Promise<void> {
    return (this.reading ??= this.readAll().finally(() => (this.reading = undefined)));
  }

  private async readAll(): Promise<void> {
    const read = await Promise.all(this.ports.all(Gauges).map((gauges) => this.isRead(gauges)));
    UNREAD.set(read.filter((isRead) => !isRead).length);
  }

  private async isRead(gauges: Gauges): Promise<boolean> {
    try {
      await inTime(gauges.readGauges(), READ_WITHIN_MS, () => new Error('It takes too long.'));
      return true;
    } catch (error) {
      this.log.debug({ err: error }, 'gauges not read');
      return false;
    }
  }
}

const LENGTH = gauge(
  'queue_length',
  `What waits for a worker, by the table that it is in; counted up to ${COUNTED_ROWS}.`,
  ['table'],
  'max',
);
const AGE = gauge(
  'queue_age_seconds',
  'How long the first of what is in a table has been waiting for a worker; 0 if nothing is.',
  ['table'],
  'max',
);

/** However often somebody asks, the tables are not looked at more often. */
const KEPT_MS = 5000;

/** The queues that all processes share, as the workers see them: every worker reports the same, so take the maximum. */
@Implements(Gauges)
export class WaitingGauges extends Gauges {
  private readAt = -Infinity;

  constructor(
    private readonly ports: Ports,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    super();
  }

  async readGauges(): Promise<void> {
    if (this.settings.role === 'api' || this.clock.elapsedMs() < this.readAt + KEPT_MS) return;
    await Promise.all(this.ports.all(WaitingWork).map((work) => this.read(work)));
    this.readAt = this.clock.elapsedMs();
  }

  private async read(work: WaitingWork): Promise<void> {
    const { table } = work;
    // What is not known must not look like what was.
    LENGTH.remove({ table });
    AGE.remove({ table });
    const { length, since } = await work.waiting();
    LENGTH.set({ table }, length);
    AGE.set({ table }, since === null ? 0 : Math.max(0, (this.clock.now().getTime() - Date.parse(since)) / 1000));
  }
}

const CONNECTIONS = gauge('database_connections', 'Connections of the pool.', ['state']);
const MAXIMUM = gauge('database_connections_max', 'The size of the pool: DATABASE_POOL_SIZE.');
const WAITING = gauge('database_connections_awaited', 'Statements and transactions that wait for a connection of the pool.');

@Implements(Gauges)
export class DatabaseGauges extends Gauges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
  ) {
    super();
  }

  readGauges(): void {
    const { totalCount, idleCount, waitingCount } = poolOf(this.dataSource);
    CONNECTIONS.set({ state: 'idle' }, idleCount);
    CONNECTIONS.set({ state: 'used' }, totalCount - idleCount);
    MAXIMUM.set(this.settings.databasePoolSize);
    WAITING.set(waitingCount);
  }
}

const IS_SHARED = gauge(
  'redis_up',
  'Whether Redis is there: 1 or 0. Without it each process enforces its share of the limits, and jobs run at their intervals.',
);

@Implements(Gauges)
export class RedisGauges extends Gauges {
  constructor(@Inject(REDIS) private readonly redis: RedisClient | null) {
    super();
  }

  async readGauges(): Promise<void> {
    if (this.redis) IS_SHARED.set((await answers(this.redis)) ? 1 : 0);
  }
}
