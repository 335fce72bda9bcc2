import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { acceptedContent, CLIENT_CAPABILITIES_META_KEY, inputRequired } from '@modelcontextprotocol/server';
import type { InputRequiredResult, RequestStateCodec, ServerContext } from '@modelcontextprotocol/server';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { getOrCreate } from '../../../kernel/get-or-create.js';
import { pathNamed, PROBLEMS, type problemBody } from '../../../kernel/problems.js';
import { snakeCase } from '../../../kernel/text.js';
import { DEPTH_MAX } from '../../../api/validation/read-request.js';
import { isUuid } from '../../../kernel/ids.js';
import { canonicalJson, isDeeperThan } from '../../../kernel/json.js';
import { KEY_MAX_LENGTH } from '../../../kernel/product.js';
import { canBeAsked, type Needed, neededIn, refusalNeeded, sentBy } from './agreement.js';
import { answerOf } from './answer-of.js';
import { restCallOf, urlOf, type CallRest, type RestAnswer, type RestCall, type Tool } from './tool.js';
import { ToolAnswer } from './visible-text.js';

/** What is wrong with an input, in the form of `errors` of a problem document. */
export type InputError = Readonly<Record<'field' | 'code' | 'message', string>>;

/** Codes of inputs that are left out even of a dry run. */
export const UNSENDABLE: readonly string[] = ['too_deep', 'too_many'];

type Inputs = Readonly<Record<string, unknown>>;

/** More items than any list of a tool may have. It bounds how many errors one list can cause. */
const ITEMS_MAX = 1000;
const UNKNOWN_MAX = 20;
// The API has better messages for the other formats.
const ajv = new Ajv({ allErrors: true, strict: false, logger: false, formats: { uuid: isUuid } });
const checks = new WeakMap<Tool, ValidateFunction>();

/** At most one error for each input. Whether the call is confirmed is checked elsewhere: so a dry run gets the same errors. */
export function errorsOf(tool: Tool, inputs: Inputs): InputError[] {
  const names = Object.keys(inputs);
  const isKnown = (name: string): boolean => Object.hasOwn(tool.inputSchema.properties, name);
  const isPlain = names.every((name) => isKnown(name) && excessOf(name, inputs[name]).length === 0);
  if (isPlain && checkOf(tool)(inputs) && keyErrors(inputs).length === 0) return [];
  const unknown = names
    .filter((name) => !isKnown(name))
    .slice(0, UNKNOWN_MAX)
    .map((name) => unknownInput(tool, name));
  const excessive = names.filter(isKnown).flatMap((name) => excessOf(name, inputs[name]));
  const checked = Object.fromEntries(
    Object.entries(inputs).filter(([name]) => isKnown(name) && !excessive.some(({ field }) => field === name)),
  );
  return firstOfEach([...unknown, ...excessive, ...schemaErrors(tool, checked), ...keyErrors(inputs)]);
}

function unknownInput({ inputSchema }: Tool, name: string): InputError {
  return {
    field: name.slice(0, 100).toWellFormed(),
    code: 'unknown_property',
    message: `is not an input of this tool (inputs: ${Object.keys(inputSchema.properties).join(', ')})`,
  };
}

function excessOf(field: string, value: unknown): InputError[] {
  if (Array.isArray(value) && value.length > ITEMS_MAX)
    return [{ field, code: 'too_many', message: `must have at most ${ITEMS_MAX} items` }];
  return isDeeperThan(value, DEPTH_MAX) ? [{ field, code: 'too_deep', message: `must be nested at most ${DEPTH_MAX} levels` }] : [];
}

function schemaErrors(tool: Tool, inputs: Inputs): InputError[] {
  const check = checkOf(tool);
  return check(inputs) ? [] : check.errors!.map(inputError);
}

/** The key is sent as a header: printable ASCII only, and spaces around it are dropped. */
function keyErrors({ idempotency_key: key }: Inputs): InputError[] {
  const isKey = typeof key !== 'string' || (key.trim() !== '' && /^[\x20-\x7e]+$/.test(key));
  return isKey
    ? []
    : [{ field: 'idempotency_key', code: 'not_allowed', message: `must be 1 to ${KEY_MAX_LENGTH} printable ASCII characters` }];
}

function firstOfEach(errors: readonly InputError[]): InputError[] {
  const first = new Map<string, InputError>();
  for (const error of errors) if (!first.has(error.field)) first.set(error.field, error);
  return [...first.values()];
}

const checkOf = (tool: Tool): ValidateFunction =>
  getOrCreate(checks, tool, () => {
    const { required, ...schema } = tool.inputSchema;
    return ajv.compile({ ...schema, required: required.filter((name) => name !== tool.confirmedBy) });
  });

function inputError({ keyword, params, instancePath, message = 'is not allowed' }: ErrorObject): InputError {
  if (keyword === 'required') return { field: params.missingProperty as string, code: 'required', message: 'is required' };
  const [, field = ''] = instancePath.split('/');
  if (keyword === 'enum')
    return { field, code: 'not_allowed', message: `must be one of ${(params.allowedValues as unknown[]).join(', ')}` };
  if (keyword === 'format')
    return { field, code: `invalid_${params.format as string}`, message: `must be a ${(params.format as string).toUpperCase()}` };
  return { field, code: keyword === 'type' ? 'wrong_type' : 'not_allowed', message };
}

type Members = Readonly<Record<string, unknown>>;

/** Calls a tool for a client that wants nothing but the answer, and whose person cannot be asked. */
export async function callPlainly(tool: Tool, inputs: Members, callRest: CallRest): Promise<ToolAnswer> {
  return ((await callTool(tool, inputs, callRest, { mcpReq: {} } as ServerContext, undefined)) as ToolAnswer).visible();
}

/**
 * Calls a tool. A call without confirmation or with invalid inputs is sent as a dry run: it counts against the same limits, and
 * the API reports everything that is wrong with it. If nothing is wrong but the confirmation, the person is asked for it.
 */
export async function callTool(
  tool: Tool,
  inputs: Members,
  callRest: CallRest,
  context: ServerContext,
  questions: Questions | undefined,
): Promise<ToolAnswer | InputRequiredResult> {
  const person = await findPerson(tool, inputs, context, questions);
  const call = restCallOf(tool, inputs);
  if (person.agrees === false) {
    if (person.reply) await callRest({ ...call, isDryRun: true, reply: person.reply });
    return refusalDeclined(tool);
  }
  const askPeople = async (needed: Needed, answer: RestAnswer): Promise<ToolAnswer | InputRequiredResult> => {
    const isForClient = needed?.state === 'open' && needed.rule === 'person' && person.canBeAsked && person.agrees === undefined;
    return isForClient && questions ? askPerson(tool, call, { context, questions }, needed.id) : refusalNeeded(tool, needed, call, answer);
  };
  const isConfirmed = tool.confirmedBy === undefined || inputs[tool.confirmedBy] === true || person.agrees === true;
  const isShown = !isConfirmed && !person.canBeAsked;
  const errors = errorsOf(tool, inputs).filter(({ field, code }) => !(isShown && field === 'idempotency_key' && code === 'required'));
  if (errors.length === 0 && isConfirmed) {
    const answer = await callRest({ ...call, reply: person.reply });
    const needed = neededIn(answer);
    if (needed !== undefined) return askPeople(needed, answer);
    const asksForProgress = context.mcpReq._meta?.progressToken !== undefined;
    const done = asksForProgress ? await follow(tool, answer, callRest, context) : answer;
    return done.status >= 400 ? refusalOf(tool, done) : answerOf(tool, inputs, done);
  }
  const isPart = errors.length > 0;
  const answer = await callRest({ ...restCallOf(tool, sendable(tool, inputs, errors)), isDryRun: true, isPart });
  const needed = neededIn(answer);
  if (needed !== undefined) return askPeople(needed, answer);
  const problem = (answer.body ?? {}) as ToolProblem;
  if (isPart) return isAboutInputs(problem) ? refusalOfInputs(tool, problem, errors) : refusalOf(tool, answer);
  if (problem.code !== 'confirmation_needed') return refusalOf(tool, answer);
  return person.canBeAsked && questions ? askPerson(tool, call, { context, questions }) : refusalUnconfirmed(tool, problem, call);
}

const isAboutInputs = ({ code }: ToolProblem): boolean =>
  ['confirmation_needed', 'validation_failed', 'idempotency_key_missing'].includes(code ?? '');

/** Invalid inputs of the body are sent, so that the API reports them. In the path or query they could address something else. */
function sendable({ bodyInputs }: Tool, inputs: Members, errors: readonly InputError[]): Members {
  const leftOut = new Set(
    errors.filter(({ field, code }) => !Object.hasOwn(bodyInputs, field) || UNSENDABLE.includes(code)).map(({ field }) => field),
  );
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !leftOut.has(name)));
}

const QUESTION = 'confirmation';
/** More of a body would not fit into a dialogue. */
const SHOWN_MAX = 2_000;

/**
 * What a person is asked about: the digest of all that would be sent, and the id of their confirmation where the organization wants one. It
 * comes back sealed, so that their yes is for nothing else.
 */
export type Questions = RequestStateCodec<string>;

/** The same for calls that ask for the same: a new key for each does not make them others. */
export const callText = ({ name }: Tool, { idempotency_key: _new, ...inputs }: Members): string => `${name} ${canonicalJson(inputs)}`;

const digestOf = (call: RestCall): string => createHash('sha256').update(canonicalJson(call)).digest('base64url');

/**
 * `agrees` is undefined before they were asked, or where they were asked about another call. The server keeps no state: the reply (revision
 * 2026-07-28) is a second request.
 */
async function findPerson(tool: Tool, inputs: Members, context: ServerContext, questions: Questions | undefined) {
  const { envelope, inputResponses, requestState } = context.mcpReq;
  const asks = canBeAsked((envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY]);
  if (!asks || inputResponses?.[QUESTION] === undefined) return { canBeAsked: asks, agrees: undefined, reply: undefined };
  const isYes = acceptedContent(inputResponses, QUESTION)?.confirm === true;
  // The client brings it: without the seal it is nothing.
  const sealed = await questions?.verify(requestState<string>() ?? '', context).catch(() => undefined);
  const [shown, confirmation] = sealed?.split(' ') ?? [];
  const isSame = shown === digestOf(restCallOf(tool, inputs));
  const reply = isSame && confirmation !== undefined ? { confirmation, isYes } : undefined;
  return { canBeAsked: asks, agrees: isYes && !isSame ? undefined : isYes, reply };
}

async function askPerson(
  { summary }: Tool,
  call: RestCall,
  { context, questions }: { readonly context: ServerContext; readonly questions: Questions },
  confirmation?: string,
): Promise<InputRequiredResult> {
  const { method, body } = call;
  const json = body ? ` ${JSON.stringify(body)}` : '';
  const shown = json.length > SHOWN_MAX ? `${json.slice(0, SHOWN_MAX)}… (${json.length - SHOWN_MAX} more characters)` : json;
  const sealed = [digestOf(call), confirmation].filter(Boolean).join(' ');
  const question = inputRequired.elicit({
    message: `${summary}? This will be sent: ${method} ${urlOf(call)}${shown}`,
    requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean', title: summary } }, required: ['confirm'] },
  });
  return inputRequired({ inputRequests: { [QUESTION]: question }, requestState: await questions.mint(sealed, context) });
}

/** What takes its time once it is made: the call that shows it, which a client may let wait by asking for progress. */
export const SHOWN_BY: Readonly<Record<string, { readonly operation: string; readonly path: string; readonly id: string }>> = {
  claim_reports: { operation: 'claim_reports.get', path: '/v1/claim-reports/{report_id}', id: 'report_id' },
  bank_statements: { operation: 'bank_statements.get', path: '/v1/bank-statements/{statement_id}', id: 'statement_id' },
};
/** Clients give up after a minute, and proxies often sooner. */
const MAX_WAIT_MS = 20_000;
const ASKED_EVERY_MS = 1_000;

/** A run, or a statement that is being redacted. */
export interface Followed {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly status?: string;
  readonly redactionStatus?: string;
  readonly progress?: { statements: number; statementsRead: number; linesRead: number; filesWritten: number } | null;
}

/** Asks for a record again until it has ended or the client has waited long enough, and tells the client how far it is. */
async function follow(
  tool: Tool,
  first: RestAnswer,
  callRest: CallRest,
  { mcpReq: { _meta, signal, notify } }: Pick<ServerContext, 'mcpReq'>,
): Promise<RestAnswer> {
  let answer = first;
  let told = -1;
  const shownBy = SHOWN_BY[tool.capability];
  if (!shownBy || answer.status >= 300) return answer;
  const { id, ...get } = { ...shownBy, method: 'GET', query: {} };
  const ask = () => callRest({ ...get, params: { [id]: (answer.body as Followed).id } });
  for (const end = Date.now() + MAX_WAIT_MS; isUnderWay(answer) && Date.now() < end && !signal.aborted;) {
    const step = stepOf(answer.body as Followed);
    // The protocol wants a number that grows.
    if (step.progress > told) await notify({ method: 'notifications/progress', params: { progressToken: _meta!.progressToken!, ...step } });
    told = Math.max(told, step.progress);
    await delay(ASKED_EVERY_MS, undefined, { signal }).catch(() => undefined);
    const next = await ask();
    // A refusal, such as that of a limit, would tell less than the last answer.
    if (next.status !== 200) break;
    answer = next;
  }
  return answer;
}

export const stateOf = ({ status, redactionStatus }: Followed): string => status ?? redactionStatus ?? 'listed';
export const isUnderWay = ({ body }: RestAnswer): boolean => ['pending', 'queued', 'running'].includes(stateOf(body as Followed));

export function stepOf(record: Followed): { progress: number; message: string } {
  const [{ progress }, state] = [record, stateOf(record)];
  if (!progress) return { progress: state === 'running' ? 1 : 0, message: `It is ${state}.` };
  const { statements, statementsRead, linesRead, filesWritten } = progress;
  const read = `${statementsRead} of ${statements} bank statements read, ${linesRead} lines`;
  return { progress: 2 + linesRead + filesWritten, message: `The run is running: ${read}, ${filesWritten} files written.` };
}

/** A problem document. */
type ToolProblem = Partial<ReturnType<typeof problemBody>>;

/** Its texts name inputs, too: the tool door has them written so. */
function refusalOf(tool: Tool, { body, retryAfter }: RestAnswer): ToolAnswer {
  const problem = (body ?? {}) as ToolProblem;
  const { code = 'internal_error', title = 'The call failed', detail = title } = problem;
  const errors = errorsIn(problem);
  const retry = retryAfter === undefined ? '' : ` Try again in ${retryAfter} s.`;
  return refusal(`${code}: ${reasonOf(code, detail, errors)}${retry}`, {
    ...problem,
    detail,
    errors,
    ...(code === 'scope_missing' && { scope: tool.scope }),
    ...(retryAfter !== undefined && { retryAfterSeconds: Number(retryAfter) }),
  });
}

function reasonOf(code: string, detail: string, errors: readonly InputError[]): string {
  const list = listOf(errors);
  if (code === 'validation_failed' && list !== '') return list;
  return errors.every(({ field }) => detail.includes(field)) ? detail : `${detail} (${list})`;
}

function refusalOfInputs(tool: Tool, problem: ToolProblem, errors: readonly InputError[]): ToolAnswer {
  const ofApi = errorsIn(problem).filter(({ field }) => Object.hasOwn(tool.bodyInputs, inputOf(field)));
  const all = [...errors.filter(({ field }) => !ofApi.some((other) => inputOf(other.field) === field)), ...ofApi];
  const code = 'validation_failed';
  const { status, title, retry } = PROBLEMS[code];
  const detail = `${listOf(all)}.`;
  return refusal(`${code}: ${detail}`, {
    ...problem,
    type: problem.type?.replace(/[^/]+$/, code),
    title,
    status,
    detail,
    code,
    retry,
    errors: all,
  });
}

function refusalUnconfirmed({ confirmedBy }: Tool, problem: ToolProblem, call: RestCall): ToolAnswer {
  const wouldSend = sentBy(call);
  return refusal(`Nothing was done. With ${confirmedBy}: true, this would be sent: ${JSON.stringify(wouldSend)}`, {
    ...problem,
    confirmWith: confirmedBy,
    wouldSend,
  });
}

/** Does not say how to confirm the call without the person. */
function refusalDeclined({ summary }: Tool): ToolAnswer {
  const { status, title, retry } = PROBLEMS.confirmation_needed;
  const detail = `The person did not agree: ${summary}. Nothing was done. Repeat the call only if they ask for it.`;
  return refusal(detail, { code: 'confirmation_needed', status, title, retry, detail });
}

const errorsIn = ({ errors = [] }: ToolProblem): InputError[] =>
  errors.map((error) => ({ ...error, field: error.field === 'Idempotency-Key' ? 'idempotency_key' : pathNamed(error.field, snakeCase) }));

const inputOf = (field: string): string => /^\w*/.exec(field)![0];

/** How many errors the text lists. The structured content has all of them. */
const LISTED_MAX = 10;

function listOf(errors: readonly InputError[]): string {
  const listed = errors.slice(0, LISTED_MAX).map(({ field, message }) => `${field} ${message}`);
  return [...listed, ...(errors.length > LISTED_MAX ? [`and ${errors.length - LISTED_MAX} more`] : [])].join('; ');
}

function refusal(text: string, structuredContent: Record<string, unknown>): ToolAnswer {
  return new ToolAnswer(text, JSON.stringify(structuredContent), true);
}
