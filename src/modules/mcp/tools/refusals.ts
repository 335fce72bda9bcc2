import { pathNamed, PROBLEMS, type problemBody } from '../../../kernel/problems.js';
import { snakeCase } from '../../../kernel/text.js';
import type { InputError } from './check-inputs.js';
import { urlOf, type RestAnswer, type RestCall } from './rest-call.js';
import type { Tool } from './tool.js';
import { ToolAnswer } from './visible-text.js';

/** A problem document. One over stdio may lack what it likes. */
export type ToolProblem = Partial<ReturnType<typeof problemBody>>;

/**
 * The problem document of the API as a tool error. Its errors are at inputs of the tool. Its texts name these, too: the tool door has
 * them written so. An API elsewhere, of a server over stdio, writes them with the names of its own fields.
 */
export function refusalOf(tool: Tool, { body, retryAfter }: RestAnswer): ToolAnswer {
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

/** Refuses inputs: with the errors found by the schema of the tool and those found by the API. */
export function refusalOfInputs(tool: Tool, problem: ToolProblem, errors: readonly InputError[]): ToolAnswer {
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

/** Refuses a call without confirmation and shows what it would send. */
export function refusalUnconfirmed({ confirmedBy }: Tool, problem: ToolProblem, call: RestCall): ToolAnswer {
  const { method, body } = call;
  const wouldSend = { method, url: urlOf(call), ...(body && { body }) };
  return refusal(`Nothing was done. With ${confirmedBy}: true, this would be sent: ${JSON.stringify(wouldSend)}`, {
    ...problem,
    confirmWith: confirmedBy,
    wouldSend,
  });
}

/** Does not say how to confirm the call without the person. */
export function refusalDeclined({ summary }: Tool): ToolAnswer {
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
