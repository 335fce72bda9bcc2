import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problems.js';
import { TenantLimits } from '../limits/tenant-limits.js';

@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limits: TenantLimits) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const http = execution.switchToHttp();
    const { ctx } = http.getRequest<FastifyRequest>();
    if (!ctx) return true;
    const allowance = await this.limits.take(ctx.principal);
    const { tier } = allowance;
    http.getResponse<FastifyReply>().headers({
      'RateLimit-Policy': `"${ctx.principal.organization.plan}";q=${tier.perMinute};w=60`,
      RateLimit: `"${ctx.principal.organization.plan}";r=${allowance.remaining};t=${allowance.resetSeconds}`,
    });
    if (allowance.allowed) return true;
    throw new Problem('rate_limited', {
      detail: `The limit of ${tier.perMinute} requests a minute, at most ${tier.burst} at once, is used up.`,
      headers: { 'Retry-After': String(allowance.retryAfterSeconds) },
    });
  }
}
