import { Injectable } from '@nestjs/common';
import { Problem } from '../../kernel/problems.js';
import { UnitOfWork, type Expectation, type WriteContext } from '../../store/database/unit-of-work.js';
import type { PolicyWriteContext, Principal } from '../access/principal.js';
import { Executor } from '../call/executor.js';
import { Idempotency, type KeyedOperation } from '../idempotency/idempotency.js';
import { Ports } from '../../store/discovery/ports.js';
import type { Change } from '../operation/operation.js';
import { Registry } from '../operation/registry.js';
import type { SentFile } from '../validation/read-files.js';
import { loadValidation } from '../validation/read-request.js';
import { type Answer, Form, type FormState, ONCE_FIELD, type PageContext } from './page.js';
import { type Brief, type Panel, RecordPanel } from './ports.js';
import { RelatedChoices } from './related-choices.js';
import { isShown } from './shown.js';

interface Given {
  /** The operation, if it is not that of the action. */
  readonly operation?: string;
  /** Parameters of the operation's path: `{ project_id }`. */
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Of an operation that takes one; then the body is the texts of its form. */
  readonly file?: SentFile;
  /** What is expected of the record, instead of `If-Match`. */
  readonly expectation?: Expectation;
}

export interface PanelsOfTab {
  readonly panels: readonly Panel[];
  readonly tabs: readonly (Brief & { readonly name: string; readonly isChosen: boolean })[];
}

const NO_RECORD = '00000000-0000-0000-0000-000000000000';

/** The context of one of several calls of a form. Each counts once by itself. */
export const forPart = (ctx: PageContext, part: string): PageContext => ({
  ...ctx,
  form: new Form(new URLSearchParams({ [ONCE_FIELD]: `${ctx.form.text(ONCE_FIELD)} ${part}` })),
});

/** Calls by pages: makes a call of what a form asks for. Its caller is the person; its key is the hidden field of the form. */
@Injectable()
export class ConsoleDoor {
  constructor(
    private readonly executor: Executor,
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    private readonly registry: Registry,
    private readonly ports: Ports,
    readonly related: RelatedChoices,
  ) {}

  /** What the tab of a record shows that the address names, or else the first one, which has all parts without a tab of their own. */
  async readPanels(ctx: PageContext, of: string, id: string): Promise<PanelsOfTab> {
    const isOfPage = (panel: RecordPanel): boolean => panel.of === of && isShown({ hidden: ctx.hidden }, panel.shows);
    const all = [...this.ports.all(RecordPanel)].filter(isOfPage).sort((one, other) => one.order - other.order);
    const tabbed = all.filter(({ tab }) => tab !== undefined);
    const chosen = tabbed.find(({ tab }) => tab === ctx.query.get('tab'));
    const shown = chosen ? [chosen] : all.filter(({ tab }) => tab === undefined);
    const [panels, tabs] = await Promise.all([
      Promise.all(shown.map((panel) => panel.show(ctx, id))),
      Promise.all(tabbed.map(async (panel) => ({ ...(await panel.readBrief!(ctx, id)), name: panel.tab!, isChosen: panel === chosen }))),
    ]);
    return { panels: panels.filter((panel) => panel !== null), tabs };
  }

  /** Does what an operation of the API does, and returns its record. Throws the problem if it is refused. */
  async call<Result>(ctx: PageContext, { operation: id, params = {}, body = {}, file, expectation }: Given = {}): Promise<Result> {
    const { actor, requestId, ipAddress, trace } = ctx;
    const { record, problem } = await this.executor.execute({
      operation: id === undefined ? ctx.operation! : this.registry.operationCalled(id),
      caller: callerOf(ctx),
      door: 'console',
      actor,
      requestId,
      ipAddress,
      trace,
      isDryRun: false,
      ask: () => ({ params, query: {}, body: { ...body }, file, url: '', key: keyOf(ctx), expectation }),
    });
    if (problem) throw problem;
    return record as Result;
  }

  /** Asks the policies about an operation, of records that a form has made without a call of it, in their transaction. */
  async askPolicies(ctx: PolicyWriteContext, operationId: string, change: Change, records: readonly object[]): Promise<void> {
    const { checkPolicies, writePolicies } = this.registry.operationCalled(operationId);
    await checkPolicies?.(ctx);
    for (const record of records) await writePolicies?.(change).around(ctx, () => Promise.resolve(record));
  }

  /** The body of the operation as its class reads it, without doing anything. What is wrong is refused as in the call itself. */
  async checked<Body extends object>(ctx: PageContext, body: object): Promise<Body> {
    return (await checkedCall(ctx, { query: {}, body: { ...body } })).body as Body;
  }

  /** The same for its query. */
  async checkedQuery<Query extends object>(ctx: PageContext, query: Readonly<Record<string, string>>): Promise<Query> {
    return (await checkedCall(ctx, { query })).query as Query;
  }

  /**
   * Does what no operation does, once for each form: sent again, it gets the first result, which is kept encrypted. `fields` are what
   * was sent.
   */
  async once<Result>(ctx: PageContext, fields: object, work: (ctx: WriteContext) => Promise<Result>): Promise<Result> {
    const operation: KeyedOperation = { id: `console ${ctx.path}`, status: 200, returnsSecret: true };
    const context = { ...ctx, operation };
    const key = keyOf(ctx);
    if (key === undefined) return this.unitOfWork.run(context, work);
    return (await this.idempotency.run(context, { key, params: {}, body: fields }, work)).record as Result;
  }
}

async function checkedCall(
  { operation }: PageContext,
  given: Omit<Parameters<Awaited<ReturnType<typeof loadValidation>>>[1], 'params' | 'url'>,
) {
  const params = Object.fromEntries(operation!.pathIds.map((name) => [name, NO_RECORD]));
  return (await loadValidation())(operation!, { ...given, params, url: '' });
}

function callerOf({ user, organization, environment }: PageContext): Principal {
  const { id, name, slug, plan, status } = organization;
  return {
    type: 'user',
    id: user.id,
    name: user.name,
    prefix: null,
    environment,
    scopes: undefined,
    expiresAt: null,
    ipAllowlist: [],
    audience: null,
    boundTo: null,
    organization: { id, name, slug, plan, status },
    application: null,
    user,
  };
}

function keyOf({ form, user }: PageContext): string | undefined {
  const once = form.given(ONCE_FIELD);
  return once === undefined ? undefined : `console ${user.id} ${once}`.slice(0, 255);
}

/** Shows the form again if the caller's input was refused. A failure of ours, such as a lost database, is a page of its own. */
export async function orAgain(ctx: PageContext, work: () => Promise<Answer>, again: (state: FormState) => Answer | Promise<Answer>) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && [400, 409].includes(error.status)) return again(ctx.form.refusedWith(error));
    throw error;
  }
}
