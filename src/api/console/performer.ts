import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Problem } from '../../kernel/problems.js';
import { UnitOfWork, type WriteContext } from '../../store/database/unit-of-work.js';
import { Idempotency, type KeyedOperation } from '../idempotency/idempotency.js';
import type { RegisteredOperation } from '../operation/operation.js';
import { Registry } from '../operation/registry.js';
import { loadValidation } from '../validation/read-request.js';
import { requireAccess } from './checks.js';
import type { Answer } from './page.js';
import { Form, type FormState } from './form.js';
import type { PageContext } from './page-context.js';

interface Given {
  /** The operation, if it is not that of the action. */
  readonly operation?: string;
  /** Parameters of the operation's path: `{ project_id }`. */
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const NO_RECORD = '00000000-0000-0000-0000-000000000000';

/** The name of the hidden field that makes a form count once, however often it is sent. */
export const ONCE_FIELD = 'once';
export const onceToken = (): string => randomUUID();

/** The context of one of several calls of a form. Each counts once by itself. */
export const forPart = (ctx: PageContext, part: string): PageContext => ({
  ...ctx,
  form: new Form(new URLSearchParams({ [ONCE_FIELD]: `${ctx.form.text(ONCE_FIELD)} ${part}` })),
});

/**
 * Does in a page what an operation of the API does: its body is checked by the same class, its events are those that the operation
 * declares, and change, event, audit row and remembered answer are one transaction. The actor is the user.
 */
@Injectable()
export class Performer {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    private readonly registry: Registry,
  ) {}

  /** The body of the operation as its class reads it, without doing anything. What is wrong is refused as in the call itself. */
  async checked<Body extends object>({ operation }: PageContext, body: object): Promise<Body> {
    const params = Object.fromEntries(operation!.pathIds.map((name) => [name, NO_RECORD]));
    return (await this.valid(operation!, { params, body })).body as Body;
  }

  /** `work` calls the module's service, and returns the record as the API does. */
  async perform<Body extends object, Result>(
    ctx: PageContext,
    { operation: id, params = {}, body = {} }: Given,
    work: (ctx: WriteContext, body: Body) => Promise<Result>,
  ): Promise<Result> {
    const operation = id === undefined ? ctx.operation! : this.registry.operationCalled(id);
    if (id !== undefined) {
      requireAccess({ ...ctx, operation });
      await operation.checkPolicies?.(ctx);
    }
    const valid = await this.valid(operation, { params, body });
    const context = { ...ctx, emits: operation.emits, operation };
    const { hooks } = operation;
    const run = (inner: WriteContext): Promise<Result> => {
      const perform = () => work(inner, valid.body as Body);
      return hooks ? hooks.around(inner, { input: valid.body, params: valid.params }, perform) : perform();
    };
    const key = keyOf(ctx);
    if (!operation.needsKey || key === undefined) return this.unitOfWork.run(context, run);
    const request = { key, params: valid.params, body, isClaimedFirst: hooks !== undefined };
    return (await this.idempotency.run(context, request, run)).record as Result;
  }

  /**
   * Does what no operation does, once for each form: who sends it again gets the first result, which is kept encrypted. `fields` are
   * what was sent.
   */
  async once<Result>(ctx: PageContext, fields: object, work: (ctx: WriteContext) => Promise<Result>): Promise<Result> {
    const operation: KeyedOperation = { id: `console ${ctx.path}`, status: 200, returnsSecret: true };
    const context = { ...ctx, operation };
    const key = keyOf(ctx);
    if (key === undefined) return this.unitOfWork.run(context, work);
    return (await this.idempotency.run(context, { key, params: {}, body: fields }, work)).record as Result;
  }

  private async valid(operation: RegisteredOperation, { params = {}, body = {} }: Given) {
    const validate = await loadValidation();
    return validate(operation, { params, query: {}, body: body as Record<string, unknown>, url: '' });
  }
}

/** undefined for a form without its hidden field. */
function keyOf({ form, user }: PageContext): string | undefined {
  const once = form.given(ONCE_FIELD);
  return once === undefined ? undefined : `console ${user.id} ${once}`.slice(0, 255);
}

/** Shows the form again if the caller's input was refused. What is nobody's input, such as a lost database, is a page of its own. */
export async function orAgain(ctx: PageContext, work: () => Promise<Answer>, again: (state: FormState) => Answer | Promise<Answer>) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && [400, 409].includes(error.status)) return again(ctx.form.refusedWith(error));
    throw error;
  }
}
