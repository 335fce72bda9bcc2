import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LookUps, type ResolvedTarget } from '../../../api/outbound/look-ups.js';

type TargetRequest = FastifyRequest & { body?: { targetUrl?: string }; resolvedTarget?: ResolvedTarget };

/**
 * Looks up the host of a `targetUrl` before the transaction of the write opens: DNS may be slow, and an open transaction occupies
 * a connection. It refuses no target: an Idempotency-Key may have an answer already.
 */
@Injectable()
export class TargetGuard implements CanActivate {
  constructor(private readonly lookUps: LookUps) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<TargetRequest>();
    const targetUrl = request.body?.targetUrl;
    if (targetUrl !== undefined) request.resolvedTarget = await this.lookUps.resolve(targetUrl, request.ctx!.organizationId);
    return true;
  }
}

/** What `TargetGuard` has found out about the `targetUrl` of the request; undefined if there is none. */
export const Target = createParamDecorator((_data: unknown, execution: ExecutionContext): ResolvedTarget | undefined => {
  return execution.switchToHttp().getRequest<TargetRequest>().resolvedTarget;
});
