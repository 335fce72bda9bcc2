import { Global, Module } from '@nestjs/common';
import { AccessModule } from './access/access.module.js';
import { CallModule } from './call/call.module.js';
import { ConsoleKitModule } from './console/console-kit.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { RequestMetricsModule } from './metrics/request-metrics.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { OutboundModule } from './outbound/outbound.module.js';
import { OperationModule } from './operation/operation.module.js';

/** What happens to every call, whatever the resource: access, limits, validation, idempotency, errors. */
@Global()
@Module({
  imports: [
    LimitsModule,
    OperationModule,
    AccessModule,
    IdempotencyModule,
    CallModule,
    HealthModule,
    RequestMetricsModule,
    HttpModule,
    OutboundModule,
    ConsoleKitModule,
  ],
})
export class ApiCoreModule {}
