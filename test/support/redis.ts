import { Redis } from 'ioredis';

/** The Redis that tests may use, if there is one. */
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
