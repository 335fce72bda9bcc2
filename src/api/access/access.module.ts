import { Global, Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { IpAllowlistGuard, PlanGuard, RateLimitGuard, ScopeGuard } from './access.guards.js';
import { ApiKeyStrategy, Authenticator, BearerStrategy } from './authenticator.js';
import { Challenge } from './challenge.js';
import { CredentialResolvers } from './credential-resolver.js';
import { FailedCredentials } from './failed-credentials.js';
import { Refusals } from './refusals.js';

const GUARDS = [IpAllowlistGuard, RateLimitGuard, ScopeGuard, PlanGuard];

/** Who calls, and what they may do. The order of the checks is in call/pipeline.ts. */
@Global()
@Module({
  imports: [PassportModule],
  providers: [CredentialResolvers, FailedCredentials, Challenge, Refusals, ApiKeyStrategy, BearerStrategy, Authenticator, ...GUARDS],
  exports: [CredentialResolvers, FailedCredentials, Challenge, Authenticator, ...GUARDS],
})
export class AccessModule {}
