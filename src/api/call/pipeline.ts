import { Injectable, type CallHandler, type CanActivate, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { type InTransaction, UnitOfWork } from '../../store/database/unit-of-work.js';
import { Guards } from '../access/access.guards.js';
import { Authenticator } from '../access/authenticator.js';
import { OpenRouteGuard } from '../access/open-route.guard.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { deprecationHeaders } from '../operation/deprecation.js';
import { Registry } from '../operation/registry.js';
import { readRequest } from '../validation/read-request.js';
import { expectationOf, recordHeaders } from './record-versions.js';
import type { RequestContext } from './request-context.js';

/**
 * Before every handler: who calls, may they, what do they ask for? These lines are the order of the checks. What follows a read
 * is its handler; what follows a write is `WriteInterceptor`, below.
 */
@Injectable()
export class CallGuard implements CanActivate {
  constructor(
    private readonly registry: Registry,
    private readonly authenticator: Authenticator,
    private readonly guards: Guards,
    private readonly openRoute: OpenRouteGuard,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const operation = this.registry.operationOf(execution.getHandler());
    // Routes with @Protocol (documents, health, pages) have rules of their own, and are limited by address.
    if (!operation) return this.openRoute.canActivate(execution);
    const request = execution.getArgByIndex<FastifyRequest>(0);
    if (operation.deprecated) execution.getArgByIndex<FastifyReply>(1).headers(deprecationHeaders(operation.deprecated));
    request.principal = await this.authenticator.principalOf(execution); // who calls: 401
    request.ctx = this.authenticator.contextOf(request, request.principal, operation);
    this.guards.allowlist.canActivate(execution); // from where: 403
    request.isCounted = !request.ctx.isDryRun; // from here on the call counts as usage
    await this.guards.rateLimit.canActivate(execution); // how often: 429
    this.guards.scope.canActivate(execution); // may they: 403
    this.guards.plan.canActivate(execution); // may their organization: 403
    if (operation.checkPolicies) await operation.checkPolicies({ ...request.ctx, organization: request.principal.organization });
    Object.assign(request, await readRequest(request, operation)); // what do they ask for: 400
    if (request.ctx.isDryRun) throw new Problem('confirmation_needed');
    return true;
  }
}

/** Around the handler of a write: claim the key or replay, do the work, write down and commit, answer. */
@Injectable()
export class WriteInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  async intercept(execution: ExecutionContext, handler: CallHandler): Promise<Observable<unknown>> {
    const request = execution.getArgByIndex<FastifyRequest>(0);
    const { sentBody: body, idempotencyKey: key } = request;
    const params = request.params as Record<string, string>;
    const { hooks } = request.ctx!.operation;
    const expectation = expectationOf(request);
    const ctx = expectation ? { ...request.ctx!, expectation } : request.ctx!;
    const work = (inTransaction: InTransaction<RequestContext>): Promise<unknown> => {
      request.ctxInTransaction = inTransaction; // what `@Ctx()` gives the handler
      const handle = (): Promise<unknown> => lastValueFrom(handler.handle(), { defaultValue: undefined });
      return hooks ? hooks.around(inTransaction, { input: request.body as object, params }, handle) : handle();
    };
    // A DELETE takes no key: it is repeated safely as it is.
    if (key === undefined) return of(await this.unitOfWork.run(ctx, work));
    const answer = await this.idempotency.run(ctx, { key, params, body, isClaimedFirst: hooks !== undefined }, work);
    const reply = execution.getArgByIndex<FastifyReply>(1);
    if (answer.replayed) reply.header('Idempotent-Replayed', 'true');
    reply.headers(recordHeaders(ctx.operation, answer.record, this.settings.publicUrl));
    reply.status(answer.status).header('Content-Type', 'application/json; charset=utf-8');
    return of(answer.body); // as it was remembered, byte for byte
  }
}
