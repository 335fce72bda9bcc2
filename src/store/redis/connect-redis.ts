import { Cluster, Redis, type CommonRedisOptions } from 'ioredis';
import { parseRedisUrl, type RedisAddress } from '../../kernel/settings/redis-url.js';

export type RedisClient = Redis | Cluster;

/** What a connection does when its server is away or answers late. */
export type Manner = Pick<
  CommonRedisOptions,
  'enableOfflineQueue' | 'commandTimeout' | 'maxRetriesPerRequest' | 'enableReadyCheck' | 'lazyConnect' | 'connectTimeout'
> & {
  /** How long to wait before another try; null to give up. */
  readonly retryStrategy: (attempt: number) => number | null;
};

/** Half a second for Sentinels and nodes to be asked who leads now. */
const TOPOLOGY_TIMEOUT_MS = 500;
/** A server that has become a replica refuses writes. The connection is made anew, to the one that leads, and the command repeated. */
const RECONNECT_AND_REPEAT = 2;

/** Connects to what REDIS_URL names. */
export function connectRedis(url: string, { retryStrategy, ...manner }: Manner): RedisClient {
  const address = parseRedisUrl(url);
  const { username, password } = address;
  const tls = tlsOf(address);
  const common = {
    ...manner,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls }),
  };
  const single = {
    ...common,
    retryStrategy,
    reconnectOnError: ({ message }: Error) => (message.startsWith('READONLY') ? RECONNECT_AND_REPEAT : false),
  };
  if (address.kind === 'server') return new Redis({ ...single, ...address.nodes[0], db: address.db });
  if (address.kind === 'cluster') {
    const { enableOfflineQueue = true, lazyConnect = false, ...redisOptions } = common;
    return new Cluster([...address.nodes], {
      enableOfflineQueue,
      lazyConnect,
      clusterRetryStrategy: retryStrategy,
      slotsRefreshTimeout: TOPOLOGY_TIMEOUT_MS,
      // The certificate is for the name, not for the address that it stands for.
      ...(tls && { dnsLookup: (host: string, done: (error: null, address: string) => void) => done(null, host) }),
      redisOptions,
    });
  }
  const { nodes, group: name, db, sentinelPassword } = address;
  return new Redis({
    ...single,
    sentinels: [...nodes],
    name,
    db,
    sentinelRetryStrategy: retryStrategy,
    sentinelCommandTimeout: TOPOLOGY_TIMEOUT_MS,
    failoverDetector: true,
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: tls }),
  });
}

const tlsOf = ({ isEncrypted, ca }: RedisAddress): { ca?: string } | undefined => {
  if (!isEncrypted) return undefined;
  return ca === undefined ? {} : { ca };
};
