import { Redis } from 'ioredis';

/** The URL of the Redis for the tests, or undefined if none answers. */
export async function findRedis(): Promise<string | undefined> {
  const url = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: 1000, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return url;
  } catch {
    return undefined;
  } finally {
    redis.disconnect();
  }
}
