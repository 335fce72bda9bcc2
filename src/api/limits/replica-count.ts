import { newId } from '../../kernel/ids.js';
import type { RedisClient } from '../../store/redis/connect-redis.js';

const KEY = 'claims:replicas';
const ANNOUNCE_EVERY_MS = 5000;
const GONE_AFTER_MS = 3 * ANNOUNCE_EVERY_MS;

/** How many serving replicas there were when Redis was last up. While Redis is down, a replica enforces its share of the limits. */
export class ReplicaCount {
  known = 1;
  private readonly id = newId();
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: RedisClient,
    { isServing }: { readonly isServing: boolean },
  ) {
    if (!isServing) return;
    this.timer = setInterval(() => void this.announce(), ANNOUNCE_EVERY_MS).unref();
    redis.on('ready', () => void this.announce());
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    if (this.timer !== undefined && this.redis.status === 'ready') await this.redis.zrem(KEY, this.id).catch(() => undefined);
  }

  private async announce(): Promise<void> {
    try {
      const now = Date.now();
      const answers = await this.redis
        .multi()
        .zadd(KEY, now, this.id)
        .zremrangebyscore(KEY, 0, now - GONE_AFTER_MS)
        .zcard(KEY)
        .exec();
      this.known = Math.max(1, Number(answers?.[2]?.[1] ?? 1));
    } catch {
      // Redis is down: the last known number stays.
    }
  }
}
