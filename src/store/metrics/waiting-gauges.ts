import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { gauge } from '../../kernel/metrics.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock } from '../../kernel/time.js';
import { poolOf } from '../database/borrowed.js';
import { Implements, Ports } from '../discovery/ports.js';
import type { RedisClient } from '../redis/connect-redis.js';
import { REDIS } from '../redis/redis.module.js';
import { COUNTED_ROWS, Gauges, WaitingWork } from './gauges.js';

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
@Injectable()
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
@Injectable()
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
@Injectable()
export class RedisGauges extends Gauges {
  constructor(@Inject(REDIS) private readonly redis: RedisClient | null) {
    super();
  }

  readGauges(): void {
    if (this.redis) IS_SHARED.set(this.redis.status === 'ready' ? 1 : 0);
  }
}
