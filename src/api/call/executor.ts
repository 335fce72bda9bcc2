import { Injectable, StreamableFile, type Type, HttpException } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { newId } from '../../kernel/ids.js';
import { Problem, type ProblemCode } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { readError } from '../../store/database/database.js';
import { UnitOfWork, type InTransaction } from '../../store/database/unit-of-work.js';
import { Ports } from '../../store/discovery/ports.js';
import { Guards } from '../access/access.guards.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { handlerParameters, nestDecorations, type HandlerParameter } from '../operation/nest-metadata.js';
import type {
  AskedWrite,
  HandlerInput,
  KeyedContext,
  RegisteredOperation,
  RequestContext,
  Handle,
  OperationDeclaration,
} from '../operation/operation.js';
import { loadValidation } from '../validation/read-request.js';
import { Agreements, type Asking, askingOf, ConfirmationNeeded } from './agreements.js';
import { AnsweredCalls, type Answer, type Asked, type Call } from './call.js';
import { aheadOf, ctxOf } from './ctx.decorator.js';
import { expectationOf, recordHeaders } from './record-versions.js';
import type { HiddenSet } from './hidden-answers.js';
import { RecordChanged } from './write-policies.js';
import { SensitiveReads } from './sensitive-reads.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIST_MAX_BYTES } from '../../kernel/product.js';

export function handleOf(instance: object, controller: Type<unknown>, name: string): Handle {
  const method = (instance as Record<string, (...given: unknown[]) => Promise<unknown>>)[name]!;
  const sources = handlerParameters(controller, name).map(sourceOf);
  return async (given) => {
    const values = sources.map((source) => source(given));
    return await method.apply(instance, values);
  };
}

function sourceOf({ kind, data, factory }: HandlerParameter): (given: Parameters<Handle>[0]) => unknown {
  if (factory === ctxOf) return ({ ctx }) => ctx;
  if (factory === aheadOf) return ({ ahead }) => ahead;
  if (kind === 'PARAM') return ({ params }) => params[data as string];
  return kind === 'BODY' ? ({ body }) => body : ({ query }) => query;
}

export function handlerProblems(controller: Type<unknown>, name: string, { ahead }: OperationDeclaration): string[] {
  const [place, prototype] = [`${controller.name}.${name}`, controller.prototype as object];
  const strange = handlerParameters(controller, name).filter(
    ({ kind, data, factory, hasPipes }) =>
      hasPipes || !(factory === ctxOf || factory === aheadOf || (kind === 'PARAM' && data !== undefined) || isWhole(kind, data)),
  );
  return [
    ...strange.map(({ index }) => `${place}: its parameter ${index + 1} is neither @Ctx(), @Param('…'), @Query(), @Body() nor @Ahead().`),
    ...nestDecorations(controller, name).map(
      (decoration) => `${place} has ${decoration} of Nest, which are not asked: take a Policy, a ChangeHook, or \`ahead\`.`,
    ),
    ...(ahead !== undefined && !(ahead in prototype) ? [`${place} has a step ahead, but its controller has no method ${ahead}.`] : []),
  ];
}

const isWhole = (kind: HandlerParameter['kind'], data: unknown): boolean => (kind === 'BODY' || kind === 'QUERY') && data === undefined;

type Valid = Pick<HandlerInput, 'params' | 'query' | 'body'>;
type Done = Pick<Answer, 'status' | 'record' | 'body'> & Partial<Answer>;

/** That people have agreed to a change: it is used by the change itself. */
interface Permit {
  readonly isAgreed: boolean;
  readonly use: (ctx: InTransaction<RequestContext>) => Promise<void>;
}

/** A door (REST, tools, the console) makes a `Call`, which is carried out here, and shows the `Answer`. */
@Injectable()
export class Executor {
  constructor(
    private readonly guards: Guards,
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
    private readonly reads: SensitiveReads,
    private readonly ports: Ports,
  ) {}

  /** These lines are the order of the checks. It never throws: what is refused has its reason as `problem`. */
  async execute(call: Call): Promise<Answer> {
    const { operation, caller, arrival, isLetIn } = call;
    const headers: Record<string, string> = {};
    let isCounted = false;
    try {
      if (operation.environment && operation.environment !== caller.environment) throw new Problem('route_not_found'); // is it there: 404
      this.guards.allowlist.check(caller, call); // from where: 403
      isCounted = !call.isDryRun; // from here on the call counts as usage
      if (!call.isDryRun) await this.guards.planned.give(call); // what a test has asked for
      if (!isLetIn) await this.guards.rateLimit.enter(caller, arrival, headers); // how often, how many at once: 429
      if (isByTool(call)) await this.guards.rateLimit.agents.requireTokens(caller); // how much by tools: 429
      this.guards.scope.check(call); // may they: 403
      this.guards.plan.check(call); // may their organization: 403
      const ctx = contextOf(call);
      if (operation.checkPolicies) await operation.checkPolicies(forPolicies(ctx));
      const asked = await call.ask();
      const valid = (await loadValidation())(operation, asked); // what do they ask for: 400
      const hidden = operation.hiddenFrom?.(caller); // what is hidden from them: 403
      hidden?.requireShowable(operation, asked.query);
      const asking = askingOf(call, asked); // may a model decide it: 428
      if (call.isDryRun) throw asking ? await this.agreements.ask(asking) : new Problem('confirmation_needed');
      if (operation.isWrite && !asking) await this.requireWrite(call);
      const write = (): Promise<Done> => (asking ? this.writeAgreed(ctx, asking, valid, headers) : this.write(ctx, asked, valid, headers));
      const done = operation.isWrite ? cutDone(operation, await write(), hidden) : await this.read(ctx, asked, valid, hidden);
      return { file: undefined, problem: undefined, isReplay: false, isCounted, ...done, headers: { ...headers, ...done.headers } };
    } catch (error) {
      return refused(error, headers, isCounted);
    }
  }

  /** When nothing but itself can refuse it any more: what is only shown, or asked for, takes nothing. */
  private async requireWrite(call: Call): Promise<void> {
    if (isByTool(call)) await this.guards.rateLimit.agents.requireWrite(call.caller);
  }

  private get agreements(): Agreements {
    return this.ports.only(Agreements)!;
  }

  /** Also without an agreement: a call that is repeated with its key is answered as before. */
  private async writeAgreed(ctx: RequestContext, asking: Asking, valid: Valid, headers: Record<string, string>): Promise<Done> {
    const agreed = await this.agreements.find(asking);
    if (agreed !== undefined) await this.requireWrite(asking.call);
    const actor = agreed === undefined ? ctx.actor : asking.tool.confirmedActor(agreed);
    const use = async (inner: InTransaction<RequestContext>): Promise<void> => {
      if (agreed === undefined) throw new ConfirmationNeeded('');
      await this.agreements.use(inner, asking, agreed);
    };
    try {
      return await this.write({ ...ctx, actor }, asking.sent, valid, headers, { use, isAgreed: agreed !== undefined });
    } catch (error) {
      throw error instanceof ConfirmationNeeded ? await this.agreements.ask(asking) : error;
    }
  }

  private async read(ctx: RequestContext, asked: Asked, valid: Valid, hidden?: HiddenSet): Promise<Done> {
    const { operation } = ctx;
    const { user } = ctx.principal;
    const { reads } = operation;
    const whole = await operation.handle({ ctx, ...valid, ahead: undefined });
    const record = hidden ? hidden.cut(operation.returns!, whole) : whole;
    const file = record instanceof StreamableFile ? record : undefined;
    const body = file ? undefined : await answerText(operation, asked.query, record);
    if (reads && user) await this.reads.note(ctx, { userId: user.id, reads, params: valid.params, opened: file?.getStream() });
    if (file) return { status: operation.status, record: undefined, body, file };
    return { status: operation.status, record, body, headers: recordHeaders(operation, record, this.settings.publicUrl) };
  }

  private async write(
    inCall: RequestContext,
    { key, ifMatch, ...asked }: Asked,
    valid: Valid,
    inAnswer: Record<string, string>,
    permit?: Permit,
  ): Promise<Done> {
    const { operation } = inCall;
    const { params, body } = valid;
    const { hooks, writePolicies, effects, needsKey } = operation;
    const isAfterClaim = effects === 'afterClaim' && needsKey && key !== undefined;
    const change = { input: body, params };
    let allowed: AskedWrite | undefined;
    const lookAhead = async (): Promise<unknown> => {
      if (permit?.isAgreed === false) return undefined;
      if (effects === 'afterClaim' && writePolicies) {
        allowed = writePolicies(change);
        await this.unitOfWork.run(inCall, (inner) => allowed!.requireAllowed(forPolicies(inner)));
      }
      return operation.lookAhead?.(inCall, body, inAnswer, params);
    };
    let ahead = isAfterClaim ? undefined : await lookAhead();
    const effect = isAfterClaim ? async (): Promise<void> => void (ahead = await lookAhead()) : undefined;
    if (effects === 'byCalls') return this.writeByCalls({ ...inCall, key: key ?? newId() }, asked, valid);
    const expectation = asked.expectation ?? expectationOf(ifMatch, params);
    const ctx = expectation ? { ...inCall, expectation } : inCall;
    const work = async (inner: InTransaction<RequestContext>): Promise<unknown> => {
      await permit?.use(inner);
      const handle = (seen: RequestContext = inner): Promise<unknown> => operation.handle({ ctx: seen, ...valid, ahead });
      const asked = allowed ?? writePolicies?.(change); // each attempt is asked about anew
      const write = asked ? () => asked.around(forPolicies(inner), handle) : handle;
      return hooks ? hooks.around(inner, change, write) : write();
    };
    // A DELETE takes no key: it is repeated safely as it is.
    if (!needsKey || key === undefined) return doneWith(operation, await begunAnew(() => this.unitOfWork.run(ctx, work)));
    const once = { key, params, body: identityOf(asked), effect };
    const answer = await begunAnew(() => this.idempotency.run(ctx, once, work));
    const headers = recordHeaders(operation, answer.record, this.settings.publicUrl);
    const { status, body: text, record, replayed } = answer; // as it was remembered, byte for byte
    return { status, record, body: text, isReplay: replayed, headers: { ...headers, ...headersOfReplay(replayed) } };
  }

  /** Its key only says that the body is the same as before: what was done is known by the keys of its calls. */
  private async writeByCalls(ctx: KeyedContext, asked: Omit<Asked, 'key'>, valid: Valid): Promise<Done> {
    const { operation, key } = ctx;
    const request = { key, params: valid.params, body: identityOf(asked) };
    const { replayed } = await this.idempotency.run(ctx, request, () => Promise.resolve(null));
    const done = doneWith(operation, await operation.handle({ ctx, ...valid, ahead: undefined }));
    return { ...done, isReplay: replayed, headers: headersOfReplay(replayed) };
  }
}

/** Not what the tool server asks for itself, such as who calls. */
const isByTool = ({ operation, door }: Call): boolean => operation.tool !== undefined && typeof door !== 'string';

export const CALLS = [Executor, SensitiveReads, AnsweredCalls];

const headersOfReplay = (isReplay: boolean): Record<string, string> => (isReplay ? { 'Idempotent-Replayed': 'true' } : {});

/** What makes two bodies the same call. */
function identityOf({ body, file, isMerge }: Pick<Asked, 'body' | 'file' | 'isMerge'>): unknown {
  if (file) return [body, file.name, file.sha256];
  return isMerge ? [body, 'merge'] : body;
}

function doneWith({ status }: RegisteredOperation, record: unknown): Done {
  return { status, record, body: record === undefined ? undefined : JSON.stringify(record) };
}

/** Also of what was remembered for a repeated call. */
function cutDone({ returns }: RegisteredOperation, done: Done, hidden: HiddenSet | undefined): Done {
  if (!hidden || !returns || done.record === undefined) return done;
  const record = hidden.cut(returns, done.record);
  return { ...done, record, body: JSON.stringify(record) };
}

function contextOf({ operation, caller, actor, requestId, ipAddress, trace }: Call): RequestContext {
  const { organization, environment, projects } = caller;
  const { emits } = operation;
  return {
    organizationId: organization.id,
    environment,
    projects,
    actor,
    requestId,
    ipAddress,
    emits,
    trace,
    principal: caller,
    operation,
  };
}

const ATTEMPTS = 8;

async function begunAnew<Result>(attempt: () => Promise<Result>, left = ATTEMPTS): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof RecordChanged) || left === 1) throw error;
    return begunAnew(attempt, left - 1);
  }
}

function forPolicies<Context extends RequestContext>(ctx: Context) {
  const { organization, user } = ctx.principal;
  return { ...ctx, organization, user };
}

/** The problems for what Fastify throws, and a handler that throws an exception of Nest. */
const BY_STATUS: ReadonlyMap<unknown, ProblemCode> = new Map([
  [404, 'not_found'],
  [413, 'body_too_large'],
  [415, 'unsupported_media_type'],
  [503, 'unavailable'],
]);

/** What callers may know of an error. What they may not is its cause, for the log. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const status = statusOf(error);
  const code = BY_STATUS.get(status);
  if (code !== undefined) return new Problem(code, { cause: error });
  if (typeof status === 'number' && status >= 400 && status < 500) return new Problem('bad_request', { cause: error });
  const read = isNetworkError(error) || error instanceof QueryFailedError ? readError(error) : error;
  return read instanceof Problem ? read : new Problem('internal_error', { cause: error });
}

export function refused(error: unknown, headers: Answer['headers'] = {}, isCounted = false): Answer {
  const problem = asProblem(error);
  const { status } = problem;
  const nothing = { record: undefined, body: undefined, file: undefined, isReplay: false };
  return { ...nothing, status, headers: { ...headers, ...problem.headers }, problem, isCounted };
}

export function statusOf(error: unknown): unknown {
  return error instanceof HttpException ? error.getStatus() : (error as { statusCode?: unknown } | null)?.statusCode;
}

function isNetworkError(error: unknown): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(String((error as { code?: unknown } | null)?.code));
}

const SIZE_PARAMETERS = ['page_size', 'limit'];
/** From this size on, a text is made bytes once. Node would do so twice: to find the length and to send it. */
const LARGE = 64 * 1024;
/** How much of a list is made in one turn of the event loop: a few milliseconds. The calls of others go on in between. */
const SLICE_LENGTH = 512 * 1024;

type List = Readonly<Record<string, unknown>> & { readonly data: readonly unknown[] };

const isList = (record: unknown): record is List =>
  typeof record === 'object' && record !== null && 'data' in record && Array.isArray(record.data);

/** Beyond `LIST_MAX_BYTES`, the caller asks for a smaller page: one with fewer records than asked for would look like the last one. */
export async function answerText(
  { query: type }: Pick<RegisteredOperation, 'query'>,
  query: Readonly<Record<string, unknown>>,
  record: unknown,
): Promise<Answer['body']> {
  const text = isList(record) ? await listText(record) : (JSON.stringify(record) as string | undefined);
  if (text === undefined || (typeof text === 'string' && text.length < LARGE)) return text;
  const slices = typeof text === 'string' ? [Buffer.from(text)] : text;
  const bytes = lengthOf(slices);
  const field = bytes > LIST_MAX_BYTES ? sizeParameterOf(type, query) : undefined;
  if (field !== undefined) throw tooLarge(field, bytes);
  return slices;
}

export const lengthOf = (slices: readonly Buffer[]): number => slices.reduce((bytes, slice) => bytes + slice.length, 0);

/** Lists become text record by record. As a whole, one of 8 MiB would hold up the calls of others while it is made. */
async function listText(list: List): Promise<string | Buffer[]> {
  const slices = slicesOf(list);
  const [first, second] = [slices.next(), slices.next()];
  if (second.done) return first.value!;
  const bytes = [first.value!, second.value].map((slice) => Buffer.from(slice));
  for (const slice of slices) {
    await nextTurn();
    bytes.push(Buffer.from(slice));
  }
  return bytes;
}

/** The same text as that of `JSON.stringify`. */
function* slicesOf({ data, ...others }: List): Generator<string, undefined> {
  let slice = '{"data":[';
  let separator = '';
  for (const record of data) {
    slice += separator + JSON.stringify(record);
    separator = ',';
    if (slice.length < SLICE_LENGTH) continue;
    yield slice;
    slice = '';
  }
  const rest = JSON.stringify(others).slice(1);
  yield `${slice}]${rest === '}' ? '' : ','}${rest}`;
  return undefined;
}

function sizeParameterOf(type: RegisteredOperation['query'], query: Readonly<Record<string, unknown>>): string | undefined {
  const fields = type ? Object.keys(new type()) : [];
  // No page has less than one record.
  return SIZE_PARAMETERS.find((name) => fields.includes(name) && Number(query[name]) !== 1);
}

function tooLarge(field: string, bytes: number): Problem {
  const mebibytes = (size: number): string => (size / 1024 ** 2).toFixed(1);
  const message = `must be smaller: the answer would have ${mebibytes(bytes)} MiB, and a list has at most ${mebibytes(LIST_MAX_BYTES)} MiB`;
  return Problem.validation([{ location: 'query', field, code: 'answer_too_large', message }]);
}
