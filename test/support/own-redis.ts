import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePorts } from './free-port.js';
import { RedisServers } from './redis-engines.js';
import { TcpProxy } from './tcp-proxy.js';

/** A Redis of a test's own, which can be lost and come back at the same address. */
export class OwnRedis {
  private readonly servers = new RedisServers();
  private server: ChildProcess | undefined;

  static async start(): Promise<OwnRedis> {
    const [port] = await freePorts(1);
    const redis = new OwnRedis(port!, await TcpProxy.to(`redis://127.0.0.1:${port}`));
    await redis.startAgain();
    return redis;
  }

  private constructor(
    private readonly port: number,
    readonly proxy: TcpProxy,
  ) {}

  async kill(): Promise<void> {
    this.server!.kill('SIGKILL');
    await once(this.server!, 'exit');
  }

  /** Empty, like every Redis that keeps nothing on its disk. */
  async startAgain(): Promise<void> {
    this.server = await this.servers.server(this.port);
  }

  async flush(): Promise<void> {
    const redis = new Redis(this.port);
    await redis.flushall();
    redis.disconnect();
  }

  async stop(): Promise<void> {
    await this.proxy.close();
    await this.servers.stop();
  }
}
