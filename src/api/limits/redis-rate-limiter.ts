import { newId } from '../../kernel/ids.js';
import { counter } from '../../kernel/metrics.js';
import type { Tier } from '../../kernel/plans.js';
import type { RedisClient } from '../../store/redis/connect-redis.js';
import type { OwnLimits } from './own-limits.js';
import { LocalRateLimiter, ofDay, ofShare, RateLimiter, shareIn, toAllowance, type Allowance, type Share } from './rate-limiter.js';

/**
 * `gcra` in microseconds of the Redis clock, so that the clocks of replicas need not agree. The tolerance is one microsecond. The second
 * bucket is that of a share, and the third key the number of calls of a UTC day: each is asked only if those before allow the call.
 */
const GCRA = `
local now = redis.call('TIME')
now = now[1] * 1000000 + now[2]
local function full(key) return math.max(tonumber(redis.call('GET', key) or now), now) end
local function set(key, at) redis.call('SET', key, string.format('%.0f', at), 'PX', math.ceil((at - now) / 1000) + 1) end
local perRequest, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local before = full(KEYS[1])
local after = before + perRequest * cost
local wait = after - perRequest * burst - now
if wait > 1 then return {0, math.ceil(before - now), math.ceil(wait)} end
local own, next, used, left = now, now, 0, 0
if KEYS[2] then
  own = full(KEYS[2])
  next = own
  local ofOwn = math.min(cost, (after - now) / perRequest - (burst - tonumber(ARGV[6])))
  if ofOwn > 0 then
    next = own + tonumber(ARGV[4]) * ofOwn
    local ownWait = next - tonumber(ARGV[4]) * tonumber(ARGV[5]) - now
    if ownWait > 1 then return {1, math.ceil(before - now), 0, 0, math.ceil(own - now), math.ceil(ownWait)} end
  end
end
if KEYS[3] then
  left = 86400000 - math.floor(now / 1000) % 86400000
  local known = tonumber(redis.call('GET', KEYS[3]) or 0)
  used = known + cost
  if used > tonumber(ARGV[7]) then return {1, math.ceil(before - now), 0, 1, math.ceil(own - now), 0, 0, known, left} end
  if cost > 0 then redis.call('SET', KEYS[3], used, 'PX', left) end
end
if cost > 0 then
  set(KEYS[1], after)
  if next > own then set(KEYS[2], next) end
end
return {1, math.ceil(after - now), 0, 1, math.ceil(next - now), 0, 1, used, left}
`;

const usOf = ({ perMinute }: Tier): number => 60_000_000 / perMinute;
const allowanceOf = (tier: Tier, [allowed, missingUs, waitUs]: readonly number[]): Allowance =>
  toAllowance(allowed === 1, missingUs! / 1000, waitUs! / 1000, tier);

type GcraRedis = RedisClient & { gcra(keys: number, ...given: (string | number)[]): Promise<number[]> };

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
    redis.defineCommand('gcra', { lua: GCRA });
    this.redis = redis as GcraRedis;
  }

  async take(key: string, tier: Tier, cost = 1, share?: Share): Promise<Allowance> {
    if (this.redis.status === 'ready' && performance.now() >= this.pausedUntil) {
      try {
        const dailyCalls = share?.limits?.dailyCalls ?? null;
        const keys = [key, ...(share ? [share.key] : []), ...(share && dailyCalls !== null ? [`${share.key}:day`] : [])];
        const own = share ? [usOf(share.tier), share.tier.burst, share.reserve, dailyCalls ?? 0] : [];
        const names = keys.map((name) => `claims:limit:${name}`);
        return allowanceIn(await this.redis.gcra(keys.length, ...names, usOf(tier), tier.burst, cost, ...own), tier, share);
      } catch {
        this.pausedUntil = performance.now() + PAUSE_MS;
      }
    }
    NOT_SHARED.inc();
    const part = partOf(tier, this.replicas.known);
    return this.local.take(key, part, cost, share && shareIn(part, share.key, limitsIn(share, this.replicas.known)));
  }
}

function allowanceIn(found: readonly number[], tier: Tier, share: Share | undefined): Allowance {
  const whole = allowanceOf(tier, found);
  if (!share || !whole.allowed) return whole;
  const rate = ofShare(whole, allowanceOf(share.tier, found.slice(3)), share);
  const dailyCalls = share.limits?.dailyCalls ?? null;
  if (!rate.allowed || dailyCalls === null) return rate;
  const [allowed, used, leftMs] = found.slice(6);
  return ofDay(rate, { allowed: allowed === 1, used: used!, leftMs: leftMs! }, dailyCalls);
}

function limitsIn({ limits }: Share, replicas: number): OwnLimits | undefined {
  const dailyCalls = limits?.dailyCalls ?? null;
  return limits && dailyCalls !== null ? { ...limits, dailyCalls: Math.max(1, Math.floor(dailyCalls / replicas)) } : limits;
}

function partOf(tier: Tier, replicas: number): Tier {
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
