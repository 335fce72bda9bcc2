import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Queue, QueueOptions } from 'bull';
import type { Redis } from 'ioredis';
import { Log } from '../../kernel/log.js';
import { Settings } from '../../kernel/settings/settings.js';
import type { Manner, RedisClient } from '../redis/connect-redis.js';
import { BullWakeUps } from './bull-wake-ups.js';
import { DailyJobs } from './daily-jobs.js';
import { JobRegistry } from './job-registry.js';
import { JobTurn } from './job-turn.entity.js';
import { QueueConsumers } from './queue-consumer.js';
import { WakeUps, LocalWakeUps } from './wake-ups.js';

/** No job has a shorter interval. */
const TICK_MS = 1000;

/** Runs all jobs in a process that is a worker, each at least at its interval. Those that are due together look for work together. */
@Injectable()
export class JobScheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly registry: JobRegistry,
    private readonly wakeUps: WakeUps,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role === 'api') return;
    const due = new Map(this.registry.jobs.map((job) => [job, 0]));
    for (const job of due.keys()) this.wakeUps.register(job);
    const wakeThoseDue = (): void => {
      const now = performance.now();
      for (const [job, dueMs] of due) {
        if (now < dueMs) continue;
        // Locally, not through Redis: the interval is there for the time when Redis is down.
        this.wakeUps.wakeLocally(job.id);
        // A tick that comes a little early is this one.
        due.set(job, now + job.everyMs - TICK_MS / 2);
      }
    };
    wakeThoseDue();
    this.timer = setInterval(wakeThoseDue, TICK_MS).unref();
  }

  /** Before anything that a job needs is shut down. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.wakeUps.stop();
  }
}

const QUEUE = 'wake-ups';

@Module({})
export class JobsModule {
  static async on({ redisUrl }: Settings): Promise<DynamicModule> {
    const { imports, wakeUps } = redisUrl === undefined ? LOCAL : await onBull(redisUrl);
    const providers = [wakeUps, JobRegistry, JobScheduler, DailyJobs, QueueConsumers];
    const entities = TypeOrmModule.forFeature([JobTurn]);
    return {
      module: JobsModule,
      global: true,
      imports: [...imports, entities],
      providers,
      exports: [WakeUps, JobRegistry, QueueConsumers],
    };
  }
}

const LOCAL = { imports: [], wakeUps: { provide: WakeUps, inject: [Log], useFactory: (log: Log) => new LocalWakeUps(log) } };
/** In braces: a cluster keeps all keys of Bull on one node, as its scripts need. */
const PREFIX = '{claims}';
/** Bull waits for Redis as long as it must, and wants connections that do. */
const FOR_BULL: Manner = { enableReadyCheck: false, maxRetriesPerRequest: null, retryStrategy: (attempt) => Math.min(attempt * 100, 2000) };

/** Bull is loaded only where it is used. */
async function onBull(redisUrl: string) {
  const [{ BullModule, getQueueToken }, { connectRedis }] = await Promise.all([
    import('@nestjs/bull'),
    import('../redis/connect-redis.js'),
  ]);
  const connections: RedisClient[] = [];
  const createClient = (): Redis => {
    const made = connectRedis(redisUrl, FOR_BULL);
    // Bull says what fails, until it closes: then nobody else listens.
    made.on('error', () => undefined);
    connections.push(made);
    // Bull takes either; its types know one.
    return made as Redis;
  };
  return {
    imports: [BullModule.forRoot({ createClient, prefix: PREFIX } satisfies QueueOptions), BullModule.registerQueue({ name: QUEUE })],
    wakeUps: {
      provide: WakeUps,
      inject: [getQueueToken(QUEUE), Log],
      useFactory: (queue: Queue, log: Log) => new BullWakeUps(queue, createClient, connections, log),
    },
  };
}
