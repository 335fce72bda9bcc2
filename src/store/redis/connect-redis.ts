import { Cluster, type CommonRedisOptions, Redis } from 'ioredis';
import { connect } from 'node:tls';
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
  if (address.kind === 'server') {
    const redis = new Redis({ ...single, ...address.nodes[0], db: address.db });
    return tls ? bearing(redis, true) : redis;
  }
  if (address.kind === 'cluster') {
    const { enableOfflineQueue = true, lazyConnect = false, ...redisOptions } = common;
    const cluster = new Cluster([...address.nodes], {
      enableOfflineQueue,
      lazyConnect,
      clusterRetryStrategy: retryStrategy,
      slotsRefreshTimeout: TOPOLOGY_TIMEOUT_MS,
      // The certificate is for the name, not for the address that it stands for.
      ...(tls && { dnsLookup: (host: string, done: (error: null, address: string) => void) => done(null, host) }),
      redisOptions,
    });
    return tls ? cluster.on('+node', (node: Redis) => bearing(node, false)) : cluster;
  }
  const { nodes, group: name, db, sentinelPassword } = address;
  const redis = new Redis({
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
  return bearingSentinels(tls ? bearing(redis, false) : redis);
}

/**
 * A connection by TLS may fail twice, also while it is being closed, and ioredis listens for the first error only: another one would end
 * the process. Before there is a connection, the first error is the time to listen.
 */
function bearing(redis: Redis, isSingle: boolean): Redis {
  const bear = (): void => {
    (redis as Partial<Redis>).stream?.on('error', () => undefined);
  };
  // Listening for it with Sentinels has kept processes under load from finding a new leader; why is not known.
  if (isSingle) redis.on('error', bear);
  return redis.on('connect', bear);
}

/** Nothing listens for errors of the connections on which Sentinels tell of a new leader, so ioredis would print them. */
function bearingSentinels(redis: Redis): Redis {
  const { connector } = redis as unknown as { connector: { connectToSentinel: (...given: unknown[]) => Redis } };
  const connectToSentinel = connector.connectToSentinel.bind(connector);
  connector.connectToSentinel = (...given) => connectToSentinel(...given).on('error', () => undefined);
  return redis;
}

const tlsOf = ({ isEncrypted, ca }: RedisAddress): { ca?: string } | undefined => {
  if (!isEncrypted) return undefined;
  return ca === undefined ? {} : { ca };
};

const TIMEOUT_MS = 2000;

/** Why the certificate of a server is refused: what ioredis reports may only be that the connection was closed. */
export function certificateProblem({ isEncrypted, nodes, ca }: RedisAddress): Promise<string | undefined> {
  const [node] = nodes;
  if (!isEncrypted || node === undefined) return Promise.resolve(undefined);
  const { host, port } = node;
  const socket = connect({ host, port, timeout: TIMEOUT_MS, ...(ca !== undefined && { ca }) });
  return new Promise<string | undefined>((resolve) => {
    // Not once: an error that nobody listens for would end the process, and a server that speaks no TLS may cause several.
    socket.on('error', ({ message }: Error) => resolve(message));
    for (const event of ['secureConnect', 'timeout', 'close']) socket.once(event, () => resolve(undefined));
  }).finally(() => socket.destroy());
}

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
