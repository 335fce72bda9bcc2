import type { RedisClient } from './connect-redis.js';

/** So many that a node of a cluster does not have all of them. */
const KEYS = Array.from({ length: 16 }, (_, index) => `claims:check:${index}`);
/** What limits and wake-ups do: a script that writes. A Sentinel refuses it, and so does a single node of a cluster. */
const SCRIPT = "return redis.call('SET', KEYS[1], ARGV[1], 'PX', 1000)";
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^MOVED|^CLUSTERDOWN/, 'It belongs to a cluster: use redis+cluster://.'],
  [/unknown command/i, 'If it is a Sentinel, use redis+sentinel://.'],
  [/^WRONGPASS|authentication/i, 'Its address needs a user and a password, or other ones.'],
];

/** Why this Redis cannot be used, although it answers; undefined if it can be, or does not answer. */
export async function unusable(redis: RedisClient): Promise<string | undefined> {
  try {
    await Promise.all(KEYS.map((key) => redis.eval(SCRIPT, 1, key, '1')));
    return undefined;
  } catch (error) {
    const { name, message } = error as Error;
    if (name !== 'ReplyError') return undefined;
    const advice = ADVICE.find(([pattern]) => pattern.test(message))?.[1];
    return advice === undefined ? message : `${message}. ${advice}`;
  }
}
