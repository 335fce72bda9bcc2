import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../kernel/settings/settings.js';
import type { RedisClient } from '../../store/redis/connect-redis.js';
import { REDIS } from '../../store/redis/redis.module.js';
import { AddressLimiter } from './address-limiter.js';
import { CallsAtOnce } from './calls-at-once.js';
import { LocalRateLimiter, RateLimiter, TenantLimits } from './rate-limiter.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';
import { ReplicaCount } from './replica-count.js';

/** A worker answers no calls, so it takes no share of the limits. */
const countReplicas = (redis: RedisClient | null, { role }: Settings): ReplicaCount | null =>
  redis && new ReplicaCount(redis, { isServing: role !== 'worker' });

@Global()
@Module({
  providers: [
    { provide: ReplicaCount, inject: [REDIS, Settings], useFactory: countReplicas },
    {
      provide: RateLimiter,
      inject: [REDIS, ReplicaCount],
      useFactory: (redis: RedisClient | null, replicas: ReplicaCount) =>
        redis ? new RedisRateLimiter(redis, replicas) : new LocalRateLimiter(),
    },
    TenantLimits,
    AddressLimiter,
    CallsAtOnce,
  ],
  exports: [RateLimiter, TenantLimits, AddressLimiter, CallsAtOnce],
})
export class LimitsModule implements OnApplicationShutdown {
  constructor(@Inject(ReplicaCount) private readonly replicas: ReplicaCount | null) {}

  async onApplicationShutdown(): Promise<void> {
    await this.replicas?.stop();
  }
}
