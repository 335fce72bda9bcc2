import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../kernel/time.js';
import { Log } from '../kernel/log.js';
import { Settings } from '../kernel/settings/settings.js';
import { DatabaseModule } from './database/database.module.js';
import { DiscoveryModule } from './discovery/discovery.module.js';
import { EventsModule } from './events/events.module.js';
import { FilesModule } from './files/files.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { MailModule } from './mail/mail.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { RedisModule } from './redis/redis.module.js';
import { Reencryption } from './secrets/reencryption.js';
import { Secrets } from './secrets/secrets.js';
import { TracingModule } from './tracing/tracing.module.js';
import { Threads } from './threads/threads.js';

/** What the service keeps and does later: Postgres, Redis, events, files, jobs, mail, secrets, threads. No HTTP, and no resource. */
@Global()
@Module({})
export class StoreModule {
  static with(settings: Settings, log: Log): DynamicModule {
    return {
      module: StoreModule,
      imports: [
        DatabaseModule.on(settings),
        RedisModule,
        DiscoveryModule,
        EventsModule,
        FilesModule,
        JobsModule.on(settings),
        MailModule,
        MetricsModule,
        TracingModule,
      ],
      providers: [{ provide: Settings, useValue: settings }, { provide: Log, useValue: log }, Clock, Secrets, Reencryption, Threads],
      exports: [Settings, Log, Clock, Secrets, Reencryption, Threads],
    };
  }
}
