import { Global, Module } from '@nestjs/common';
import { APP_GUARD, HttpAdapterHost } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { CredentialResolvers } from './credential-resolver.js';
import { CredentialGuard } from './credential.guard.js';
import { FailedCredentials } from './failed-credentials.js';
import { IpAllowlistGuard } from './ip-allowlist.guard.js';
import { PlanGuard } from './plan.guard.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { ScopeGuard } from './scope.guard.js';
import { Refusals } from './refusals.js';
import { RequestGuard } from '../validation/request.guard.js';
import { ApiKeyStrategy, BearerStrategy } from './strategies.js';

/** Every call passes these in this order; a refusal answers with the status of the first that refuses. */
const GUARDS = [CredentialGuard, IpAllowlistGuard, RateLimitGuard, ScopeGuard, PlanGuard, RequestGuard];

/** Only where there is HTTP: Passport has one list of strategies per process, and a command's must not replace an API's. */
const STRATEGIES = [ApiKeyStrategy, BearerStrategy].map((strategy) => ({
  provide: strategy,
  inject: [HttpAdapterHost, CredentialResolvers],
  useFactory: ({ httpAdapter }: Partial<HttpAdapterHost>, resolvers: CredentialResolvers) => (httpAdapter ? new strategy(resolvers) : null),
}));

@Global()
@Module({
  imports: [PassportModule],
  providers: [
    CredentialResolvers,
    FailedCredentials,
    Refusals,
    ...STRATEGIES,
    ...GUARDS.map((guard) => ({ provide: APP_GUARD, useClass: guard })),
  ],
  exports: [CredentialResolvers, FailedCredentials],
})
export class AccessModule {}
