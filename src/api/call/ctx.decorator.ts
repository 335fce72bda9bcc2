import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from './request-context.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the credential guard; replaced by the one with the transaction inside a write. */
    ctx: RequestContext | null;
    /** Whether the call counts as usage: it got past credential and allowlist. */
    counted: boolean;
  }
}

/** The context of the call, as the first parameter of a handler. */
export const Ctx = createParamDecorator(
  (_data: unknown, execution: ExecutionContext) => execution.switchToHttp().getRequest<FastifyRequest>().ctx,
);
