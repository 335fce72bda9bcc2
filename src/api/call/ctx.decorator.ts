import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { InTransaction } from '../../store/database/unit-of-work.js';
import type { Principal } from '../access/principal.js';
import type { RequestContext } from './request-context.js';

/** What the pipeline (pipeline.ts) notes on a request. The guard of the tool server notes the principal; nothing else writes these. */
declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null until the credential was checked, and on routes that need none. */
    principal: Principal | null;
    /** Who calls which operation; null until the credential was checked, and on routes with `@Protocol`. */
    ctx: RequestContext | null;
    /** The same inside the transaction of a write. */
    ctxInTransaction: InTransaction<RequestContext> | null;
    /** Whether the call counts as usage: it got past the credential and the allowlist. */
    isCounted: boolean;
    idempotencyKey: string | undefined;
    /** The entity tags of the header `If-Match`. */
    ifMatch: readonly string[] | undefined;
    /** Why the call was refused. Noted by the problem filter. */
    problemCode: string | undefined;
    /** The body as it was sent; `body` is the validated instance of its class. */
    sentBody: Record<string, unknown> | undefined;
  }
}

/** The context of the call, as the first parameter of a handler. The handler of a write gets it with the open transaction. */
export const Ctx: () => ParameterDecorator = createParamDecorator((_data: unknown, execution: ExecutionContext) => {
  const { ctx, ctxInTransaction } = execution.getArgByIndex<FastifyRequest>(0);
  return ctxInTransaction ?? ctx;
});
