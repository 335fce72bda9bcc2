import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problems.js';
import { PLANS } from '../../kernel/plans.js';

@Injectable()
export class PlanGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const { ctx } = execution.switchToHttp().getRequest<FastifyRequest>();
    const needed = ctx?.operation.plan;
    if (!ctx || !needed || PLANS.indexOf(ctx.principal.organization.plan) >= PLANS.indexOf(needed)) return true;
    throw new Problem('plan_required', { detail: `This operation needs the plan ${needed}.` });
  }
}
