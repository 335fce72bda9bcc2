import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AccessModule } from './access/access.module.js';
import { Clock } from './clock/clock.js';
import { Settings } from './config/settings.js';
import { DatabaseModule } from './database/database.module.js';
import { EventsModule } from './events/events.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { Log } from './logging/log.js';
import { OperationModule } from './operation/operation.module.js';
import { Secrets } from './secrets/secrets.js';
import { RedisModule } from './redis/redis.module.js';

/** Everything that knows no resource. */
@Global()
@Module({})
export class PlatformModule {
  static with(settings: Settings, log: Log): DynamicModule {
    return {
      module: PlatformModule,
      imports: [DatabaseModule.on(settings), RedisModule, LimitsModule, OperationModule, AccessModule, EventsModule, IdempotencyModule, JobsModule.on(settings), HealthModule, HttpModule],
      providers: [{ provide: Settings, useValue: settings }, { provide: Log, useValue: log }, Clock, Secrets],
      exports: [Settings, Log, Clock, Secrets],
    };
  }
}
