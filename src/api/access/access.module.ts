import { Global, Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { Guards, IpAllowlistGuard, PlanGuard, RateLimitGuard, ScopeGuard } from './access.guards.js';
import { Authenticator, CredentialResolvers, STRATEGIES, TokenUse } from './authenticator.js';
import { Challenge } from './challenge.js';
import { EventReaders } from './event-readers.js';
import { FailedCredentials } from './failed-credentials.js';
import { OpenRouteGuard } from './open-route.guard.js';
import { Refusals } from './refusals.js';

const GUARDS = [IpAllowlistGuard, RateLimitGuard, ScopeGuard, PlanGuard, Guards, OpenRouteGuard];

/** Who calls, and what they may do. The order of the checks is in call/executor.ts. */
@Global()
@Module({
  imports: [PassportModule],
  providers: [CredentialResolvers, EventReaders, FailedCredentials, Challenge, Refusals, TokenUse, Authenticator, ...STRATEGIES, ...GUARDS],
  exports: [CredentialResolvers, EventReaders, FailedCredentials, Challenge, Authenticator, ...GUARDS],
})
export class AccessModule {}
