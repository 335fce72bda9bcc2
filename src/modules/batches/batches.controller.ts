import { Body, Controller } from '@nestjs/common';
import { Guards } from '../../api/access/access.guards.js';
import { AnsweredCalls } from '../../api/call/call.js';
import { Ctx } from '../../api/call/ctx.decorator.js';
import { Executor } from '../../api/call/executor.js';
import { mostAtOnce } from '../../api/limits/rate-limiter.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import type { KeyedContext, RequestContext } from '../../api/operation/operation.js';
import { Registry } from '../../api/operation/registry.js';
import type { FreeForm } from '../../kernel/json.js';
import { tierOf } from '../../kernel/plans.js';
import { Problem, problemBody } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { BatchDto, type BatchItemDto, CreateBatchDto } from './batches.dto.js';

@Capability({
  about: 'Many calls of one operation in one request, such as all categories of a new client.',
  guide: 'docs/idempotency.md',
})
@Controller('v1/batches')
export class BatchesController {
  constructor(
    private readonly registry: Registry,
    private readonly executor: Executor,
    private readonly guards: Guards,
    private readonly answered: AnsweredCalls,
    private readonly settings: Settings,
  ) {}

  @Operation({
    id: 'batches.create',
    route: 'POST /',
    status: 200,
    summary: 'Create up to 100 records',
    description:
      'Calls an operation with each item, one after the other, each in a transaction of its own: one that is refused does not hold up ' +
      'the others. It takes the scope of the operation, and each item counts against the rate limit. Repeated with its key, what was ' +
      'done is answered again, and what was not done is tried again. An addition.',
    returns: BatchDto,
    problems: ['scope_missing', 'plan_required'],
    effects: 'byCalls',
    ahead: 'letIn',
  })
  async create(@Ctx() ctx: KeyedContext, @Body() { operation, items }: CreateBatchDto): Promise<BatchDto> {
    const done: BatchItemDto[] = [];
    for (const [index, item] of items.entries()) done.push(await this.call(ctx, operation, item, index));
    const succeeded = done.filter(({ problem }) => problem === null).length;
    return { succeeded, failed: done.length - succeeded, items: done };
  }

  /** As the guards of the operation would, for all items at once: a batch is refused before its key is claimed. */
  async letIn({ principal }: RequestContext, { operation: id, items }: CreateBatchDto, headers: Record<string, string>): Promise<void> {
    const operation = this.registry.operationCalled(id);
    this.guards.scope.check({ caller: principal, operation });
    this.guards.plan.check({ caller: principal, operation });
    // The batch itself is a request, too. More could never be let in, however long their sender waited.
    const most = mostAtOnce(tierOf(this.settings.rateLimits, principal.organization), principal.limits) - 1;
    if (items.length > most)
      throw Problem.invalidField('items', 'too_many', `must have at most ${most} items: each counts against the rate limit`);
    await this.guards.rateLimit.take(principal, headers, items.length);
  }

  private async call(ctx: KeyedContext, id: string, body: FreeForm, index: number): Promise<BatchItemDto> {
    const [operation, began] = [this.registry.operationCalled(id), performance.now()];
    const { principal: caller, actor, requestId, ipAddress, trace } = ctx;
    // No caller can send such a key: a header has no line breaks.
    const key = `batch\n${index}\n${ctx.key}`;
    const asked = { operation, caller, door: 'api', requestId, ipAddress, isDryRun: false } as const;
    const ask = () => ({ params: {}, query: {}, body, url: '', key });
    const answer = await this.executor.execute({ ...asked, actor, trace, isLetIn: true, ask });
    const { status, record, problem, isCounted, isReplay } = answer;
    this.answered.tellFailure({ requestId, trace }, answer);
    const became = { path: operation.path, status, problem: problem?.code, durationMs: performance.now() - began, isCounted, isReplay };
    this.answered.tell({ surface: 'api', ...asked, traceId: trace?.traceId, ...became });
    if (!problem) return { index, status, record: record as FreeForm, problem: null };
    return { index, status, record: null, problem: problemBody(problem, { baseUrl: this.settings.publicUrl, requestId }) };
  }
}
