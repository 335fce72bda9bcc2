import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AddressLimiter } from '../limits/address-limiter.js';
import { protocolOf } from '../operation/operation.js';

/** Limits the routes with `@Protocol` by address, since their callers have no credential yet. */
@Injectable()
export class OpenRouteGuard implements CanActivate {
  constructor(private readonly limiter: AddressLimiter) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    // The handlers of operations are called by the executor, without Nest.
    const { limit } = protocolOf(execution.getHandler())!;
    // Handlers count failures themselves, once they know of one.
    if (limit === 'probes' || limit === 'failures') return true;
    const refusal = await this.limiter.findRefusal(limit, execution.switchToHttp().getRequest<FastifyRequest>().ip);
    if (refusal) throw refusal;
    return true;
  }
}
