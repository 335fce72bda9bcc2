import { Injectable, type CanActivate, type ExecutionContext, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problems.js';
import { inProcessCallOf } from '../http/in-process.js';
import { requireIdempotencyKey } from '../idempotency/require-key.js';
import { operationOf } from '../operation/operation.decorator.js';
import { acceptsJson } from './accepts-json.js';
import { readBody } from './read-body.js';
import type { validateRequest } from './validate-request.js';

declare module 'fastify' {
  interface FastifyRequest {
    idempotencyKey: string | undefined;
    /** The body as it was sent; `body` is the valid one, as an instance of its class. */
    sentBody: Record<string, unknown> | undefined;
  }
}

/** Last of the guards: is the request as its operation declares it? What the handler gets is the valid form of it. */
@Injectable()
export class RequestGuard implements CanActivate, OnModuleInit {
  private validateRequest: typeof validateRequest;

  constructor(private readonly http: HttpAdapterHost) {}

  /** Only where there are requests: class-validator takes long to load. */
  async onModuleInit(): Promise<void> {
    if (this.http.httpAdapter) ({ validateRequest: this.validateRequest } = await import('./validate-request.js'));
  }

  canActivate(execution: ExecutionContext): boolean | Promise<boolean> {
    const operation = operationOf(execution.getHandler());
    if (!operation) return true;
    const request = execution.switchToHttp().getRequest<FastifyRequest>();
    if (!acceptsJson(request.headers.accept)) throw new Problem('not_acceptable');
    if (operation.needsKey) request.idempotencyKey = requireIdempotencyKey(request.headers);
    const replaceByValid = (): boolean => {
      const given = {
        params: request.params as Record<string, unknown>,
        query: request.query as Record<string, unknown>,
        body: request.sentBody,
        url: request.url,
      };
      Object.assign(request, this.validateRequest(operation, given));
      if (inProcessCallOf(request)?.isDryRun) throw new Problem('confirmation_needed');
      return true;
    };
    if (!operation.body) return replaceByValid();
    return readBody(request).then((sent) => {
      request.sentBody = sent;
      return replaceByValid();
    });
  }
}
