import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { REDIS } from '../../store/redis/redis.module.js';
import { AddressLimiter } from './address-limiter.js';
import { CallsAtOnce } from './calls-at-once.js';
import { LocalRateLimiter, RateLimiter, TenantLimits } from './rate-limiter.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';
import { ReplicaCount } from './replica-count.js';

@Global()
@Module({
  providers: [
    { provide: ReplicaCount, inject: [REDIS], useFactory: (redis: Redis | null) => redis && new ReplicaCount(redis) },
    {
      provide: RateLimiter,
      inject: [REDIS, ReplicaCount],
      useFactory: (redis: Redis | null, replicas: ReplicaCount) => (redis ? new RedisRateLimiter(redis, replicas) : new LocalRateLimiter()),
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
