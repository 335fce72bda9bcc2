import { newId } from '../../kernel/ids.js';
import { counter } from '../../kernel/metrics.js';
import type { Tier } from '../../kernel/plans.js';
import type { RedisClient } from '../../store/redis/connect-redis.js';
import { LocalRateLimiter, RateLimiter, toAllowance, type Allowance } from './rate-limiter.js';

/** `gcra` in microseconds of the Redis clock, so that the clocks of replicas need not agree. The tolerance is one microsecond. */
const GCRA = `
local now = redis.call('TIME')
now = now[1] * 1000000 + now[2]
local perRequest, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local before = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local after = before + perRequest * cost
local wait = after - perRequest * burst - now
if wait > 1 then return {0, math.ceil(before - now), math.ceil(wait)} end
if cost > 0 then redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', math.ceil((after - now) / 1000) + 1) end
return {1, math.ceil(after - now), 0}
`;

type GcraRedis = RedisClient & { gcra(key: string, perRequestUs: number, burst: number, cost: number): Promise<[number, number, number]> };

const NOT_SHARED = counter('limits_not_shared_total', 'Requests whose limit was that of one process, since Redis did not answer.');
/** How long Redis is not asked after a failure: requests must not wait for a server that is down. */
const PAUSE_MS = 1000;

/** Limits that all replicas share. While Redis is down, each replica enforces its share of the limit. */
export class RedisRateLimiter extends RateLimiter {
  private readonly redis: GcraRedis;
  private readonly local = new LocalRateLimiter();
  private pausedUntil = 0;

  constructor(
    redis: RedisClient,
    private readonly replicas: ReplicaCount,
  ) {
    super();
    redis.defineCommand('gcra', { numberOfKeys: 1, lua: GCRA });
    this.redis = redis as GcraRedis;
  }

  async take(key: string, tier: Tier, cost = 1): Promise<Allowance> {
    if (this.redis.status === 'ready' && performance.now() >= this.pausedUntil) {
      try {
        const [allowed, missingUs, waitUs] = await this.redis.gcra(`claims:limit:${key}`, 60_000_000 / tier.perMinute, tier.burst, cost);
        return toAllowance(allowed === 1, missingUs / 1000, waitUs / 1000, tier);
      } catch {
        this.pausedUntil = performance.now() + PAUSE_MS;
      }
    }
    NOT_SHARED.inc();
    return this.local.take(key, share(tier, this.replicas.known), cost);
  }
}

function share(tier: Tier, replicas: number): Tier {
  return { perMinute: Math.max(1, Math.floor(tier.perMinute / replicas)), burst: Math.max(1, Math.floor(tier.burst / replicas)) };
}

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
