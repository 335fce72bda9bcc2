import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAddressIn } from '../../kernel/addresses.js';
import { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import type { RequestContext } from '../call/request-context.js';
import { inProcessCallOf } from '../http/in-process.js';
import { CallsAtOnce } from '../limits/calls-at-once.js';
import { TenantLimits } from '../limits/rate-limiter.js';
import { Challenge } from './challenge.js';
import type { Principal } from './principal.js';
import { Refusals } from './refusals.js';

// The guards of every operation, in the order in which the pipeline asks them (call/pipeline.ts). The first two need no operation:
// the tool server asks them, too.

// Not by `switchToHttp()`, which makes an object with three functions each time.
const requestOf = (execution: ExecutionContext): FastifyRequest => execution.getArgByIndex<FastifyRequest>(0);
const ctxOf = (execution: ExecutionContext): RequestContext => requestOf(execution).ctx!;

/** A key with an IP allowlist works from the addresses on it only, whatever it calls. */
@Injectable()
export class IpAllowlistGuard implements CanActivate {
  constructor(private readonly refusals: Refusals) {}

  canActivate(execution: ExecutionContext): boolean {
    const request = requestOf(execution);
    const { ipAllowlist, type, id, name, organization, environment } = request.principal!;
    if (ipAllowlist.length === 0 || isAddressIn(request.ip, ipAllowlist)) return true;
    this.refusals.note(request, { type, id, name, organizationId: organization.id, environment }, 'address');
    throw new Problem('ip_not_allowed', { detail: `The address ${request.ip} is not on the allowlist of this key.` });
  }
}

/** Takes each request off the tenant's rate limit, says in every answer what is left, and bounds how many are in progress at once. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly limits: TenantLimits,
    private readonly callsAtOnce: CallsAtOnce,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = requestOf(execution);
    // The request that an in-process call serves was counted when it arrived.
    if (inProcessCallOf(request)?.principal) return true;
    await this.enter(request, execution.getArgByIndex<FastifyReply>(1));
    return true;
  }

  async enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.take(request.principal!, reply);
    await this.callsAtOnce.enter(request.principal!, request, reply);
  }

  /** `calls`: how many calls the request carries. All of them are taken, or none. */
  async take(principal: Principal, reply: FastifyReply, calls = 1): Promise<void> {
    const { allowance, tier } = await this.limits.take(principal, calls);
    reply.headers({
      'RateLimit-Policy': `"${principal.organization.plan}";q=${tier.perMinute};w=60`,
      RateLimit: `"${principal.organization.plan}";r=${allowance.remaining};t=${allowance.resetSeconds}`,
    });
    if (allowance.allowed) return;
    throw new Problem('rate_limited', {
      detail: `The limit of ${tier.perMinute} requests a minute, at most ${tier.burst} at once, is used up.`,
      headers: { 'Retry-After': String(allowance.retryAfterSeconds) },
    });
  }
}

/** The credential needs the scope that the operation declares. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly challenge: Challenge) {}

  canActivate(execution: ExecutionContext): boolean {
    const { operation, principal } = ctxOf(execution);
    const { scope } = operation;
    if (!scope || principal.scopes.has(scope)) return true;
    throw new Problem('scope_missing', {
      detail: `This operation needs the scope ${scope}.`,
      headers: { 'WWW-Authenticate': this.challenge.insufficientScope(scope, '', principal.boundTo === null ? 'Bearer' : 'DPoP') },
    });
  }
}

/** The organization needs the plan that the operation declares, or a higher one. */
@Injectable()
export class PlanGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(execution: ExecutionContext): boolean {
    const { operation, principal } = ctxOf(execution);
    const { plan } = operation;
    if (!plan || this.settings.plans.includes(principal.organization.plan, plan)) return true;
    throw new Problem('plan_required', { detail: `This operation needs the plan ${plan}.` });
  }
}

/** All of them, for the pipeline. */
@Injectable()
export class Guards {
  constructor(
    readonly allowlist: IpAllowlistGuard,
    readonly rateLimit: RateLimitGuard,
    readonly scope: ScopeGuard,
    readonly plan: PlanGuard,
  ) {}
}
