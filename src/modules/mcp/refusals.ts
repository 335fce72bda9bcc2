import type { CallToolResult } from '@modelcontextprotocol/server';
import { PROBLEMS } from '../../kernel/problems.js';
import type { InputError } from './check-inputs.js';
import { snakeCase } from './names.js';
import type { RestAnswer, RestCall } from './rest-call.js';
import type { Tool } from './tool.js';

/** A problem document, as far as tools look into it. */
export interface ToolProblem {
  readonly type?: string;
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly InputError[];
}

/** The problem document of the API, in the words of the tool. */
export function refusalOf(tool: Tool, { body, retryAfter }: RestAnswer): CallToolResult {
  const problem = (body ?? {}) as ToolProblem;
  const { code = 'internal_error', title = 'The call failed', detail = title } = problem;
  const errors = errorsIn(tool, problem);
  const named = listOf(errors);
  const said = inWordsOf(tool, detail);
  const what =
    code === 'validation_failed' && named !== '' ? named : errors.every(({ field }) => said.includes(field)) ? said : `${said} (${named})`;
  const when = retryAfter === undefined ? '' : ` Try again in ${retryAfter} s.`;
  return refusal(`${code}: ${what}${when}`, {
    ...problem,
    detail: said,
    errors,
    ...(retryAfter !== undefined && { retryAfterSeconds: Number(retryAfter) }),
  });
}

/** What the schema of the tool says against its inputs, and the API besides. */
export function refusalOfInputs(tool: Tool, problem: ToolProblem, errors: readonly InputError[]): CallToolResult {
  const told = errorsIn(tool, problem).filter(({ field }) => Object.hasOwn(tool.bodyInputs, field));
  const all = [...errors.filter(({ field }) => !told.some((other) => other.field === field)), ...told];
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

/** Shows what would be done. */
export function refusalUnconfirmed({ confirmedBy }: Tool, problem: ToolProblem, { method, url, body }: RestCall): CallToolResult {
  const wouldSend = { method, url, ...(body && { body }) };
  return refusal(`Nothing was done. With ${confirmedBy}: true this would be sent: ${JSON.stringify(wouldSend)}`, {
    ...problem,
    confirmWith: confirmedBy,
    wouldSend,
  });
}

function errorsIn(tool: Tool, { errors = [] }: ToolProblem): InputError[] {
  return errors.map((error) => ({
    ...error,
    field: error.field === 'Idempotency-Key' ? 'idempotency_key' : snakeCase(error.field),
    message: inWordsOf(tool, error.message),
  }));
}

/** Texts of the API name properties as the API does, and a model knows them as inputs. */
function inWordsOf({ bodyInputs }: Tool, text: string): string {
  return Object.entries(bodyInputs).reduce(
    (said, [input, property]) => (input === property ? said : said.replaceAll(new RegExp(`\\b${property}\\b`, 'g'), input)),
    text,
  );
}

/** More than a few are no help in a text; all of them stand in the structured content. */
const TOLD_AT_MOST = 10;

function listOf(errors: readonly InputError[]): string {
  const told = errors.slice(0, TOLD_AT_MOST).map(({ field, message }) => `${field} ${message}`);
  return [...told, ...(errors.length > TOLD_AT_MOST ? [`and ${errors.length - TOLD_AT_MOST} more`] : [])].join('; ');
}

function refusal(text: string, structuredContent: Record<string, unknown>): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }], structuredContent };
}
