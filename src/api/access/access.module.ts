import { Global, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { IpAllowlistGuard, RateLimitGuard, ScopeGuard } from './access.guards.js';
import { Authenticator } from './authenticator.js';
import { Challenge } from './challenge.js';
import { FailedCredentials } from './failed-credentials.js';
import { ApiKeyStrategy, BearerStrategy, DPoPStrategy } from './passport.js';
import { CredentialResolvers } from './ports.js';
import { OpenRouteGuard } from './open-route.guard.js';
import { Refusals } from './refusals.js';
import { TokenUse } from './token-use.js';

const GUARDS = [IpAllowlistGuard, RateLimitGuard, ScopeGuard, OpenRouteGuard];

/** Only where there is HTTP: Passport has one list of strategies per process, and a command's must not replace an API's. */
const STRATEGIES = [ApiKeyStrategy, BearerStrategy, DPoPStrategy].map((strategy) => ({
  provide: strategy,
  inject: [HttpAdapterHost, CredentialResolvers],
  useFactory: ({ httpAdapter }: Partial<HttpAdapterHost>, resolvers: CredentialResolvers) => (httpAdapter ? new strategy(resolvers) : null),
}));

/** Who calls, and what they may do. The order of the checks is in call/pipeline.ts. */
@Global()
@Module({
  imports: [PassportModule],
  providers: [CredentialResolvers, FailedCredentials, Challenge, Refusals, TokenUse, Authenticator, ...STRATEGIES, ...GUARDS],
  exports: [CredentialResolvers, FailedCredentials, Challenge, Authenticator, ...GUARDS],
})
export class AccessModule {}
