import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { Challenge } from './challenge.js';
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

@Global()
@Module({
  imports: [PassportModule],
  providers: [
    CredentialResolvers,
    FailedCredentials,
    Challenge,
    Refusals,
    ApiKeyStrategy,
    BearerStrategy,
    ...GUARDS.map((guard) => ({ provide: APP_GUARD, useClass: guard })),
  ],
  exports: [CredentialResolvers, FailedCredentials, Challenge],
})
export class AccessModule {}
