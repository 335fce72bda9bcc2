import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastValueFrom, of, type Observable } from 'rxjs';
import type { InTransaction } from '../../store/database/transaction.js';
import type { RequestContext } from '../call/request-context.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { Idempotency, type Answer } from './idempotency.js';

/** Runs the handler of a write inside its transaction; a POST or PATCH once per Idempotency-Key. */
@Injectable()
export class WriteInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async intercept(execution: ExecutionContext, handler: CallHandler): Promise<Observable<unknown>> {
    const request = execution.switchToHttp().getRequest<FastifyRequest>();
    const ctx = request.ctx!;
    const work = (inner: InTransaction<RequestContext>): Promise<unknown> => {
      request.ctx = inner;
      return lastValueFrom(handler.handle(), { defaultValue: undefined });
    };
    const { idempotencyKey: key, params, sentBody: body } = request;
    if (key === undefined) return of(await this.unitOfWork.run(ctx, work));
    const answer = await this.idempotency.run(ctx, { key, params, body }, work);
    return of(present(answer, execution.switchToHttp().getResponse<FastifyReply>()));
  }
}

/** The answer as it was remembered, byte for byte. */
function present(answer: Answer, reply: FastifyReply): string {
  if (answer.replayed) reply.header('Idempotent-Replayed', 'true');
  reply.status(answer.status).header('Content-Type', 'application/json; charset=utf-8');
  return answer.body;
}
