import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Settings } from '../../kernel/settings/settings.js';
import { Log } from '../../kernel/log.js';

/** The connection that limits share; null without REDIS_URL. */
export const REDIS = Symbol('redis');

/** How long a request waits for Redis at most. */
const COMMAND_TIMEOUT_MS = 250;

async function connect(settings: Settings, log: Log): Promise<Redis | null> {
  if (!settings.redisUrl) return null;
  const { Redis } = await import('ioredis');
  // While Redis is unavailable commands fail at once: nothing in a request may wait for it.
  const redis = new Redis(settings.redisUrl, {
    enableOfflineQueue: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  redis.on('error', (error) => log.warn({ reason: error.message }, 'redis unavailable'));
  return redis;
}

@Global()
@Module({
  providers: [{ provide: REDIS, inject: [Settings, Log], useFactory: connect }],
  exports: [REDIS],
})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: Redis | null) {}

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}
