import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problems.js';
import { inProcessCallOf } from '../http/in-process.js';
import { isAddressIn } from '../../kernel/addresses.js';
import { Refusals } from './refusals.js';

/** A key with an allowlist works from the addresses on it, whatever the operation. */
@Injectable()
export class IpAllowlistGuard implements CanActivate {
  constructor(private readonly refusals: Refusals) {}

  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<FastifyRequest>();
    if (!request.ctx) return true;
    const { ipAllowlist, type, id, name, organization, environment } = request.ctx.principal;
    if (ipAllowlist.length > 0 && !isAddressIn(request.ip, ipAllowlist)) {
      this.refusals.note(request, { type, id, name, organizationId: organization.id, environment }, 'address');
      throw new Problem('ip_not_allowed', { detail: `The address ${request.ip} is not on the allowlist of this key.` });
    }
    request.counted = !inProcessCallOf(request)?.isDryRun;
    return true;
  }
}
