import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../kernel/settings/settings.js';
import { Log } from '../../kernel/log.js';
import type { RedisClient } from './connect-redis.js';

/** The connection that limits share; null without REDIS_URL. */
export const REDIS = Symbol('redis');
const COMMAND_TIMEOUT_MS = 250;

/** One that has gone silent still looks connected. */
export const answers = async (redis: RedisClient): Promise<boolean> => redis.status === 'ready' && redis.ping().then(Boolean, () => false);

async function connect({ redisUrl }: Settings, log: Log): Promise<RedisClient | null> {
  if (redisUrl === undefined) return null;
  const { connectRedis, unusable } = await import('./connect-redis.js');
  // While Redis is unavailable commands fail at once: nothing in a request may wait for it.
  const redis = connectRedis(redisUrl, {
    enableOfflineQueue: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  redis.on('error', (error: Error) => log.warn({ reason: error.message }, 'redis unavailable'));
  redis.on('ready', () => {
    void unusable(redis).then(
      (why) => why === undefined || log.error({ reason: why }, 'redis cannot be used: limits and wake-ups are not shared'),
    );
  });
  return redis;
}

@Global()
@Module({ providers: [{ provide: REDIS, inject: [Settings, Log], useFactory: connect }], exports: [REDIS] })
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: RedisClient | null) {}

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}
