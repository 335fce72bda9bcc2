import { Module, type DynamicModule } from '@nestjs/common';
import type { Queue } from 'bull';
import type { Settings } from '../../kernel/settings/settings.js';
import { Log } from '../../kernel/log.js';
import { BullWakeUps } from './bull-wake-ups.js';
import { JobRegistry } from './job-registry.js';
import { LocalWakeUps } from './local-wake-ups.js';
import { WakeUps } from './wake-ups.js';
import { Worker } from './worker.js';

const QUEUE = 'wake-ups';

@Module({})
export class JobsModule {
  /** On Bull where there is Redis, else within the process. */
  static async on({ redisUrl }: Settings): Promise<DynamicModule> {
    const { imports, wakeUps } = redisUrl === undefined ? LOCAL : await onBull(redisUrl);
    return { module: JobsModule, global: true, imports, providers: [wakeUps, JobRegistry, Worker], exports: [WakeUps, JobRegistry] };
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
