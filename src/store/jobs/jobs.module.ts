import { BullModule, getQueueToken } from '@nestjs/bull';
import { Module, type DynamicModule } from '@nestjs/common';
import type { Queue } from 'bull';
import type { Settings } from '../../kernel/settings/settings.js';
import { Log } from '../../kernel/log.js';
import { BullWakeUps } from './bull-wake-ups.js';
import { JobRegistry } from './job-registry.js';
import { LocalWakeUps } from './local-wake-ups.js';
import { WakeUps } from './wake-ups.js';
import { JobScheduler } from './job-scheduler.js';

const QUEUE = 'wake-ups';

@Module({})
export class JobsModule {
  /** Wake-ups go through Bull if there is a Redis, else they stay within the process. */
  static on({ redisUrl }: Settings): DynamicModule {
    const bull =
      redisUrl === undefined ? [] : [BullModule.forRoot({ url: redisUrl, prefix: 'claims' }), BullModule.registerQueue({ name: QUEUE })];
    const wakeUps =
      redisUrl === undefined
        ? { provide: WakeUps, inject: [Log], useFactory: (log: Log) => new LocalWakeUps(log) }
        : { provide: WakeUps, inject: [getQueueToken(QUEUE), Log], useFactory: (queue: Queue, log: Log) => new BullWakeUps(queue, log) };
    return {
      module: JobsModule,
      global: true,
      imports: bull,
      providers: [wakeUps, JobRegistry, JobScheduler],
      exports: [WakeUps, JobRegistry],
    };
  }
}
