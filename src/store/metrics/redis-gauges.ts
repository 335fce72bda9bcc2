import { Inject, Injectable } from '@nestjs/common';
import { gauge } from '../../kernel/metrics.js';
import { Implements } from '../discovery/ports.js';
import type { RedisClient } from '../redis/connect-redis.js';
import { REDIS } from '../redis/redis.module.js';
import { Gauges } from './gauges.js';

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
