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
  static async on({ redisUrl }: Settings): Promise<DynamicModule> {
    const { imports, wakeUps } = redisUrl === undefined ? LOCAL : await onBull(redisUrl);
    const providers = [wakeUps, JobRegistry, JobScheduler];
    return { module: JobsModule, global: true, imports, providers, exports: [WakeUps, JobRegistry] };
  }
}

const LOCAL = { imports: [], wakeUps: { provide: WakeUps, inject: [Log], useFactory: (log: Log) => new LocalWakeUps(log) } };

/** Bull is loaded only where it is used. */
async function onBull(redisUrl: string) {
  const { BullModule, getQueueToken } = await import('@nestjs/bull');
  return {
    imports: [BullModule.forRoot({ url: redisUrl, prefix: 'claims' }), BullModule.registerQueue({ name: QUEUE })],
    wakeUps: {
      provide: WakeUps,
      inject: [getQueueToken(QUEUE), Log],
      useFactory: (queue: Queue, log: Log) => new BullWakeUps(queue, log),
    },
  };
}
