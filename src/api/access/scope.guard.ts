import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problems.js';
import { Challenge } from './challenge.js';

@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly challenge: Challenge) {}

  canActivate(execution: ExecutionContext): boolean {
    const { ctx } = execution.switchToHttp().getRequest<FastifyRequest>();
    const scope = ctx?.operation.scope;
    if (!ctx || !scope || ctx.principal.scopes.has(scope)) return true;
    throw new Problem('scope_missing', {
      detail: `This operation needs the scope ${scope}.`,
      headers: { 'WWW-Authenticate': this.challenge.insufficientScope(scope) },
    });
  }
}
