import type { CallToolResult } from '@modelcontextprotocol/server';
import { PROBLEMS } from '../../../kernel/problems.js';
import { snakeCase } from '../../../kernel/text.js';
import type { InputError } from './check-inputs.js';
import { urlOf, type RestAnswer, type RestCall } from './rest-call.js';
import type { Tool } from './tool.js';

/** The fields of a problem document that tools read. */
export interface ToolProblem {
  readonly type?: string;
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly InputError[];
}

/** The problem document of the API as a tool error, with fields named as the inputs of the tool. */
export function refusalOf(tool: Tool, { body, retryAfter }: RestAnswer): CallToolResult {
  const problem = (body ?? {}) as ToolProblem;
  const { code = 'internal_error', title = 'The call failed', detail = title } = problem;
  const errors = errorsIn(tool, problem);
  const inputDetail = inInputNames(tool, detail);
  const retry = retryAfter === undefined ? '' : ` Try again in ${retryAfter} s.`;
  return refusal(`${code}: ${reasonOf(code, inputDetail, errors)}${retry}`, {
    ...problem,
    detail: inputDetail,
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

/** Refuses inputs: with the errors found by the schema of the tool and those found by the API. */
export function refusalOfInputs(tool: Tool, problem: ToolProblem, errors: readonly InputError[]): CallToolResult {
  const ofApi = errorsIn(tool, problem).filter(({ field }) => Object.hasOwn(tool.bodyInputs, inputOf(field)));
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

/** Refuses a call without confirmation and shows what it would send. */
export function refusalUnconfirmed({ confirmedBy }: Tool, problem: ToolProblem, call: RestCall): CallToolResult {
  const { method, body } = call;
  const wouldSend = { method, url: urlOf(call), ...(body && { body }) };
  return refusal(`Nothing was done. With ${confirmedBy}: true, this would be sent: ${JSON.stringify(wouldSend)}`, {
    ...problem,
    confirmWith: confirmedBy,
    wouldSend,
  });
}

/** Does not say how to confirm the call without the person. */
export function refusalDeclined({ summary }: Tool): CallToolResult {
  const { status, title, retry } = PROBLEMS.confirmation_needed;
  const detail = `The person did not agree: ${summary}. Nothing was done. Repeat the call only if they ask for it.`;
  return refusal(detail, { code: 'confirmation_needed', status, title, retry, detail });
}

function errorsIn(tool: Tool, { errors = [] }: ToolProblem): InputError[] {
  return errors.map((error) => ({
    ...error,
    field: error.field === 'Idempotency-Key' ? 'idempotency_key' : inputPath(error.field),
    message: inInputNames(tool, error.message),
  }));
}

/** `sourceMapping.rules[0].claimablePercent` is `source_mapping.rules[0].claimablePercent`: only the first name is an input. */
const inputPath = (field: string): string => field.replace(/^\w+/, snakeCase);

/** The input that a path is in. */
const inputOf = (field: string): string => /^\w*/.exec(field)![0];

/** Texts of the API name the properties of its body; the model knows them by the names of the inputs. */
function inInputNames({ bodyInputs }: Tool, text: string): string {
  return Object.entries(bodyInputs).reduce(
    (renamed, [input, property]) => (input === property ? renamed : renamed.replaceAll(new RegExp(`\\b${property}\\b`, 'g'), input)),
    text,
  );
}

/** How many errors the text lists. The structured content has all of them. */
const LISTED_MAX = 10;

function listOf(errors: readonly InputError[]): string {
  const listed = errors.slice(0, LISTED_MAX).map(({ field, message }) => `${field} ${message}`);
  return [...listed, ...(errors.length > LISTED_MAX ? [`and ${errors.length - LISTED_MAX} more`] : [])].join('; ');
}

function refusal(text: string, structuredContent: Record<string, unknown>): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }], structuredContent };
}
