import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Settings } from '../../kernel/settings/settings.js';
import { Problem } from '../../kernel/problems.js';
import { resourceMetadata } from './challenge.js';

@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(execution: ExecutionContext): boolean {
    const { ctx } = execution.switchToHttp().getRequest<FastifyRequest>();
    const scope = ctx?.operation.scope;
    if (!ctx || !scope || ctx.principal.scopes.has(scope)) return true;
    throw new Problem('scope_missing', {
      detail: `This operation needs the scope ${scope}.`,
      headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}", ${resourceMetadata(this.settings)}` },
    });
  }
}
