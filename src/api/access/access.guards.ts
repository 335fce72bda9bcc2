import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAddressIn } from '../../kernel/addresses.js';
import { PLANS } from '../../kernel/plans.js';
import { Problem } from '../../kernel/problems.js';
import type { RequestContext } from '../call/request-context.js';
import { TenantLimits } from '../limits/tenant-limits.js';
import { Challenge } from './challenge.js';
import { Refusals } from './refusals.js';

// The guards of every operation, in the order in which the pipeline asks them (call/pipeline.ts).

const ctxOf = (execution: ExecutionContext): RequestContext => execution.switchToHttp().getRequest<FastifyRequest>().ctx!;

/** A key with an IP allowlist works from the addresses on it only, whatever the operation. */
@Injectable()
export class IpAllowlistGuard implements CanActivate {
  constructor(private readonly refusals: Refusals) {}

  canActivate(execution: ExecutionContext): boolean {
    const { principal, ipAddress, requestId } = ctxOf(execution);
    const { ipAllowlist, type, id, name, organization, environment } = principal;
    if (ipAllowlist.length === 0 || isAddressIn(ipAddress, ipAllowlist)) return true;
    this.refusals.note({ ip: ipAddress, id: requestId }, { type, id, name, organizationId: organization.id, environment }, 'address');
    throw new Problem('ip_not_allowed', { detail: `The address ${ipAddress} is not on the allowlist of this key.` });
  }
}

/** Takes one request off the tenant's rate limit, and says in every answer what is left. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limits: TenantLimits) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const { principal } = ctxOf(execution);
    const allowance = await this.limits.take(principal);
    const { tier } = allowance;
    execution
      .switchToHttp()
      .getResponse<FastifyReply>()
      .headers({
        'RateLimit-Policy': `"${principal.organization.plan}";q=${tier.perMinute};w=60`,
        RateLimit: `"${principal.organization.plan}";r=${allowance.remaining};t=${allowance.resetSeconds}`,
      });
    if (allowance.allowed) return true;
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
      headers: { 'WWW-Authenticate': this.challenge.insufficientScope(scope) },
    });
  }
}

/** The organization needs the plan that the operation declares, or a higher one. */
@Injectable()
export class PlanGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const { operation, principal } = ctxOf(execution);
    const { plan } = operation;
    if (!plan || PLANS.indexOf(principal.organization.plan) >= PLANS.indexOf(plan)) return true;
    throw new Problem('plan_required', { detail: `This operation needs the plan ${plan}.` });
  }
}
