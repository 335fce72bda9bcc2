import { setTimeout as delay } from 'node:timers/promises';
import { acceptedContent, CLIENT_CAPABILITIES_META_KEY, inputRequired } from '@modelcontextprotocol/server';
import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { leadingOf } from '../../../kernel/empty-claim.js';
import { pathNamed, PROBLEMS, type problemBody } from '../../../kernel/problems.js';
import { snakeCase } from '../../../kernel/text.js';
import { DEPTH_MAX } from '../../../api/validation/read-request.js';
import { isUuid } from '../../../kernel/ids.js';
import { isDeeperThan } from '../../../kernel/json.js';
import { KEY_MAX_LENGTH } from '../../../kernel/product.js';
import { restCallOf, urlOf, type CallRest, type RestAnswer, type RestCall, type Tool } from './tool.js';
import { DETAIL } from './tools-of-contract.js';
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

function checkOf(tool: Tool): ValidateFunction {
  const known = checks.get(tool);
  if (known) return known;
  const { required, ...schema } = tool.inputSchema;
  const check = ajv.compile({ ...schema, required: required.filter((name) => name !== tool.confirmedBy) });
  checks.set(tool, check);
  return check;
}

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
  return ((await callTool(tool, inputs, callRest, { mcpReq: {} } as ServerContext)) as ToolAnswer).visible();
}

/**
 * Calls a tool. A call without confirmation or with invalid inputs is sent as a dry run: it counts against the same limits, and
 * the API reports everything that is wrong with it. If nothing is wrong but the confirmation, the person is asked for it.
 */
export async function callTool(
  tool: Tool,
  inputs: Members,
  callRest: CallRest,
  context: Pick<ServerContext, 'mcpReq'>,
): Promise<ToolAnswer | InputRequiredResult> {
  const person = personOf(context);
  if (person.agrees === false) return refusalDeclined(tool);
  const errors = errorsOf(tool, inputs);
  const isConfirmed = tool.confirmedBy === undefined || inputs[tool.confirmedBy] === true || person.agrees === true;
  if (errors.length === 0 && isConfirmed) {
    const ask = (): Promise<RestAnswer> => callRest(restCallOf(tool, inputs));
    const asksForProgress = context.mcpReq._meta?.progressToken !== undefined;
    return resultOf(tool, inputs, await (asksForProgress ? follow(tool, await ask(), callRest, context) : ask()));
  }
  const call = restCallOf(tool, sendable(tool, inputs, errors));
  const answer = await callRest({ ...call, isDryRun: true });
  const problem = (answer.body ?? {}) as ToolProblem;
  if (errors.length > 0) return isAboutInputs(problem) ? refusalOfInputs(tool, problem, errors) : refusalOf(tool, answer);
  if (problem.code !== 'confirmation_needed') return refusalOf(tool, answer);
  return person.canBeAsked ? askPerson(tool, call) : refusalUnconfirmed(tool, problem, call);
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

function resultOf(tool: Tool, inputs: Members, answer: RestAnswer): ToolAnswer {
  if (answer.status >= 400) return refusalOf(tool, answer);
  const isWhole = tool.leftOut.length === 0 || inputs[DETAIL] === 'full';
  const content = isWhole ? ((answer.record ?? answer.body ?? { deleted: true }) as Members) : leanList(tool, answer.body as Members);
  const json = (isWhole ? answer.text : undefined) ?? JSON.stringify(content);
  return new ToolAnswer([...emptyClaimsIn(content), headline(tool, content), json].join('\n'), json);
}

/** What a model must know before it reads the figures of runs that read no statement: else it reports zero as the claim. */
function emptyClaimsIn({ result, data }: { result?: unknown; data?: unknown }): string[] {
  if (!Array.isArray(data)) {
    const leading = leadingWarnings(result).map(({ message }) => message);
    // Quoted, as it names projects, which people may call what they like.
    return leading.length === 0 ? [] : [`WARNING: ${JSON.stringify(leading.join(' '))}`];
  }
  const empty = data.filter((record) => leadingWarnings((record as { result?: unknown } | null)?.result).length > 0).length;
  return empty === 0 ? [] : [`WARNING: ${empty} of these runs read no line of a bank statement. Their claim of zero is no result.`];
}

function leadingWarnings(result: unknown): Warning[] {
  const { warnings } = (result ?? {}) as { warnings?: readonly Warning[] };
  return warnings ? leadingOf(warnings, ({ code }) => code) : [];
}

type Warning = Readonly<Record<'code' | 'message', string>>;

/** The first line of the text, after such a warning: a summary of the structured content. */
function headline({ summary }: Tool, content: Members): string {
  const { data, pagination, id, name, code, status } = content as {
    data?: unknown[];
    pagination?: { total: number; hasMore: boolean };
  } & Record<string, unknown>;
  if (Array.isArray(data)) {
    const ofTotal = pagination ? ` of ${pagination.total}` : '';
    return `${summary}: ${data.length}${ofTotal}${pagination?.hasMore ? '; more pages follow' : ''}.`;
  }
  const named = [name ?? code, status, id]
    .filter((part) => typeof part === 'string')
    .map((part) => JSON.stringify(part))
    .join(', ');
  return `${summary}: ${named || 'done'}.`;
}

/** A record, the objects in it, and the objects in these: `changes.name.from`. Below are values of users, which stay as they are. */
const LEVELS = 3;

/** A list as its tool answers: without the fields that cost a model much and tell it little, and without members that are null. */
function leanList({ leftOut }: Tool, content: Members): Members {
  return { ...content, data: (content.data as Members[]).map((record) => lean(record, leftOut)) };
}

function lean(members: Members, leftOut: readonly string[], path: readonly string[] = []): Members {
  const kept = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    const place = [...path, name];
    if (value === null || leftOut.includes(place.join('.'))) return [];
    const isObject = typeof value === 'object' && !Array.isArray(value);
    return [[name, isObject && place.length < LEVELS ? lean(value as Members, leftOut, place) : value]];
  });
  return Object.fromEntries(kept);
}

const QUESTION = 'confirmation';
/** More of a body would not fit into a dialogue. */
const SHOWN_MAX = 2_000;

/** `agrees` is undefined before they were asked. The server keeps no state: the answer (revision 2026-07-28) is a second request. */
function personOf({ mcpReq: { envelope, inputResponses } }: Pick<ServerContext, 'mcpReq'>) {
  const capabilities = (envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  const wasAsked = inputResponses?.[QUESTION] !== undefined;
  const agrees = wasAsked ? acceptedContent(inputResponses, QUESTION)?.confirm === true : undefined;
  return { canBeAsked: canBeAsked(capabilities), agrees };
}

export function canBeAsked(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { elicitation?: object };
  return elicitation !== undefined && ('form' in elicitation || Object.keys(elicitation).length === 0);
}

function askPerson({ summary }: Tool, call: RestCall): InputRequiredResult {
  const { method, body } = call;
  const json = body ? ` ${JSON.stringify(body)}` : '';
  const shown = json.length > SHOWN_MAX ? `${json.slice(0, SHOWN_MAX)}… (${json.length - SHOWN_MAX} more characters)` : json;
  const question = inputRequired.elicit({
    message: `${summary}? This will be sent: ${method} ${urlOf(call)}${shown}`,
    requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean', title: summary } }, required: ['confirm'] },
  });
  return inputRequired({ inputRequests: { [QUESTION]: question } });
}

/** What takes its time once it is made: the call that shows it, which a client may let wait by asking for progress. */
const SHOWN_BY: Readonly<Record<string, { readonly operation: string; readonly path: string; readonly id: string }>> = {
  claim_reports: { operation: 'claim_reports.get', path: '/v1/claim-reports/{report_id}', id: 'report_id' },
  bank_statements: { operation: 'bank_statements.get', path: '/v1/bank-statements/{statement_id}', id: 'statement_id' },
};
/** Clients give up after a minute, and proxies often sooner. */
const MAX_WAIT_MS = 20_000;
const ASKED_EVERY_MS = 1_000;

/** A run, or a statement that is being redacted. */
interface Followed {
  readonly id: string;
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

const stateOf = ({ status, redactionStatus }: Followed): string => status ?? redactionStatus ?? 'listed';
const isUnderWay = ({ body }: RestAnswer): boolean => ['pending', 'queued', 'running'].includes(stateOf(body as Followed));

function stepOf(record: Followed): { progress: number; message: string } {
  const [{ progress }, state] = [record, stateOf(record)];
  if (!progress) return { progress: state === 'running' ? 1 : 0, message: `It is ${state}.` };
  const { statements, statementsRead, linesRead, filesWritten } = progress;
  const read = `${statementsRead} of ${statements} bank statements read, ${linesRead} lines`;
  return { progress: 2 + linesRead + filesWritten, message: `The run is running: ${read}, ${filesWritten} files written.` };
}

/** A problem document. One over stdio may lack what it likes. */
type ToolProblem = Partial<ReturnType<typeof problemBody>>;

/** Its texts name inputs, too: the tool door has them written so. An API elsewhere, over stdio, writes the names of its own fields. */
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
  const { method, body } = call;
  const wouldSend = { method, url: urlOf(call), ...(body && { body }) };
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
