import { Global, Module, Inject, type OnApplicationShutdown } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '../kernel/settings/settings.js';
import type { RedisClient } from '../store/redis/connect-redis.js';
import { REDIS } from '../store/redis/redis.module.js';
import { OpenRouteGuard, Guards, IpAllowlistGuard, PlanGuard, RateLimitGuard, ScopeGuard, Challenge } from './access/access.guards.js';
import { FailedCredentials, Refusals } from './access/access.guards.js';
import { Authenticator, CredentialResolvers, STRATEGIES, TokenUse } from './access/authenticator.js';
import { EventReaders } from './access/event-readers.js';
import { CALLS } from './call/executor.js';
import { AssetsController, Assets } from './console/assets.js';
import { ConsoleDoor } from './console/console-door.js';
import { RelatedChoices } from './console/related-choices.js';
import { Frame } from './console/frame.js';
import { LostConsolePage } from './console/lost-console-page.js';
import { OwnForms } from './console/own-form.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { IdempotencyKey } from './idempotency/idempotency-key.entity.js';
import { IdempotencyExpiry, Idempotency } from './idempotency/idempotency.js';
import { AgentLimits } from './limits/agent-limits.js';
import { AddressLimiter, LocalRateLimiter, RateLimiter, TenantLimits } from './limits/rate-limiter.js';
import { CallsAtOnce } from './limits/calls-at-once.js';
import { PlannedAnswers } from './limits/planned-answers.js';
import { RedisRateLimiter, ReplicaCount } from './limits/redis-rate-limiter.js';
import { RequestMetrics } from './metrics/request-metrics.js';
import { Registry } from './operation/registry.js';
import { LookUps } from './outbound/look-ups.js';

/** Every call of an operation goes through the executor. Nest's own guards are asked for other routes alone. */
@Global()
@Module({ providers: [{ provide: APP_GUARD, useClass: OpenRouteGuard }, ...CALLS], exports: CALLS })
class CallModule {}

@Global()
@Module({ imports: [TypeOrmModule.forFeature([IdempotencyKey])], providers: [Idempotency, IdempotencyExpiry], exports: [Idempotency] })
class IdempotencyModule {}

/** A worker answers no calls, so it takes no share of the limits. */
const countReplicas = (redis: RedisClient | null, { role }: Settings): ReplicaCount | null =>
  redis && new ReplicaCount(redis, { isServing: role !== 'worker' });

@Global()
@Module({
  providers: [
    { provide: ReplicaCount, inject: [REDIS, Settings], useFactory: countReplicas },
    {
      provide: RateLimiter,
      inject: [REDIS, ReplicaCount],
      useFactory: (redis: RedisClient | null, replicas: ReplicaCount) =>
        redis ? new RedisRateLimiter(redis, replicas) : new LocalRateLimiter(),
    },
    TenantLimits,
    AgentLimits,
    AddressLimiter,
    CallsAtOnce,
    PlannedAnswers,
  ],
  exports: [RateLimiter, TenantLimits, AgentLimits, AddressLimiter, CallsAtOnce, PlannedAnswers],
})
class LimitsModule implements OnApplicationShutdown {
  constructor(@Inject(ReplicaCount) private readonly replicas: ReplicaCount | null) {}

  async onApplicationShutdown(): Promise<void> {
    await this.replicas?.stop();
  }
}

@Module({ providers: [RequestMetrics] })
class RequestMetricsModule {}

@Global()
@Module({ providers: [Registry], exports: [Registry] })
class OperationModule {}

@Global()
@Module({ providers: [LookUps], exports: [LookUps] })
class OutboundModule {}

const GUARDS = [IpAllowlistGuard, RateLimitGuard, ScopeGuard, PlanGuard, Guards, OpenRouteGuard];

/** Who calls, and what they may do. The order of the checks is in call/executor.ts. */
@Global()
@Module({
  imports: [PassportModule],
  providers: [CredentialResolvers, EventReaders, FailedCredentials, Challenge, Refusals, TokenUse, Authenticator, ...STRATEGIES, ...GUARDS],
  exports: [CredentialResolvers, EventReaders, FailedCredentials, Challenge, Authenticator, ...GUARDS],
})
class AccessModule {}

const PROVIDED = [Assets, Frame, ConsoleDoor, OwnForms, RelatedChoices];

@Global()
@Module({ controllers: [AssetsController], providers: [...PROVIDED, LostConsolePage], exports: PROVIDED })
class ConsoleKitModule {}

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
