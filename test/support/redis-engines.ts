import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import { freePorts } from './free-port.js';

const SERVER = '/usr/bin/redis-server';
/** Whether this machine can start servers of Redis. */
export const canStartRedis = (): boolean => existsSync(SERVER);

const HOST = '127.0.0.1';
/** In milliseconds: how long a server must be silent until its Sentinels or its cluster replace it. */
const DOWN_AFTER_MS = 500;

/** Starts servers of Redis, each with a folder of its own. */
export class RedisServers {
  private readonly started: ChildProcess[] = [];
  private readonly folders: string[] = [];

  async server(port: number, ...options: string[]): Promise<ChildProcess> {
    return this.run(port, ['--save', '', '--appendonly', 'no', ...options]);
  }

  async sentinel(port: number, watched: { group: string; port: number; quorum: number }, ...options: string[]): Promise<ChildProcess> {
    const { group, quorum } = watched;
    const lines = [
      `sentinel monitor ${group} ${HOST} ${watched.port} ${quorum}`,
      `sentinel down-after-milliseconds ${group} ${DOWN_AFTER_MS}`,
      `sentinel failover-timeout ${group} 3000`,
    ];
    return this.run(port, ['--sentinel', ...options], lines);
  }

  async stop(): Promise<void> {
    for (const child of this.started) child.kill('SIGKILL');
    await Promise.all(this.folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }

  private async run(port: number, options: readonly string[], lines: readonly string[] = []): Promise<ChildProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'claims-redis-'));
    this.folders.push(folder);
    const file = join(folder, 'redis.conf');
    await writeFile(file, [`port ${port}`, `bind ${HOST}`, `dir ${folder}`, ...lines, ''].join('\n'));
    const child = spawn(SERVER, [file, ...options], { stdio: 'ignore' });
    this.started.push(child);
    await eventually(() => answers(port));
    return child;
  }
}

/** Three servers that share all keys. */
export async function startCluster(servers: RedisServers) {
  const ports = await freePorts(3);
  // The bus of a cluster has a port of its own, which must be free, too.
  const buses = await freePorts(3);
  const [first] = await Promise.all(
    ports.map((port, index) =>
      servers.server(
        port,
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        String(buses[index]),
        '--cluster-node-timeout',
        String(DOWN_AFTER_MS),
      ),
    ),
  );
  const nodes = ports.map((port) => `${HOST}:${port}`);
  await promisify(execFile)('redis-cli', ['--cluster', 'create', ...nodes, '--cluster-yes']);
  await eventually(async () => {
    for (const port of ports)
      if (!(await asked(port, (redis) => redis.cluster('INFO'))).includes('cluster_state:ok')) throw new Error('not ready');
  });
  return { url: `redis+cluster://${nodes.join(',')}`, ports, killLeader: () => killed(first!) };
}

/** A server, its replica, and three Sentinels that let the replica lead when the server is gone. */
export async function startWatched(servers: RedisServers) {
  const [leader, replica, ...sentinels] = await freePorts(5);
  const leading = await servers.server(leader!);
  await servers.server(replica!, '--replicaof', HOST, String(leader));
  await eventually(async () => {
    if (!(await asked(replica!, (redis) => redis.info('replication'))).includes('master_link_status:up')) throw new Error('not linked');
  });
  for (const port of sentinels) await servers.sentinel(port, { group: 'main', port: leader!, quorum: 2 });
  // Each: one that does not know the replica yet never will once the leader is gone, and may be the one that has to choose.
  for (const port of sentinels) {
    const known = (what: string) => asked(port, (redis) => redis.call('SENTINEL', what, 'main') as Promise<unknown[]>);
    await eventually(async () => {
      const [others, replicas] = [await known('SENTINELS'), await known('REPLICAS')];
      if (others.length < sentinels.length - 1 || replicas.length === 0) throw new Error('a Sentinel does not know all others yet');
    });
  }
  const url = `redis+sentinel://${sentinels.map((port) => `${HOST}:${port}`).join(',')}/main`;
  return { url, leader: leader!, sentinel: sentinels[0]!, killLeader: () => killed(leading) };
}

async function killed(server: ChildProcess): Promise<void> {
  server.kill('SIGKILL');
  await once(server, 'exit');
}

async function asked<T>(port: number, question: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(port, HOST, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null, enableReadyCheck: false });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}

const answers = async (port: number): Promise<void> => void (await asked(port, (redis) => redis.ping()));
