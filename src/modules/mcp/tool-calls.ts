import type { CallToolResult } from '@modelcontextprotocol/server';
import { errorsOf, UNSENDABLE, type InputError } from './check-inputs.js';
import { refusalOf, refusalOfInputs, refusalUnconfirmed, type ToolProblem } from './refusals.js';
import { restCallOf, type Rest, type RestAnswer } from './rest-call.js';
import type { Tool } from './tool.js';

type Inputs = Readonly<Record<string, unknown>>;

/**
 * Calls a tool. What is not confirmed, or cannot be sent as it is, goes the way of every call to where it would be done, and is
 * only checked: so it meets the same limits, and is told all that is wrong with it.
 */
export async function callTool(tool: Tool, inputs: Inputs, rest: Rest): Promise<CallToolResult> {
  const errors = errorsOf(tool, inputs);
  const isConfirmed = tool.confirmedBy === undefined || inputs[tool.confirmedBy] === true;
  if (errors.length === 0 && isConfirmed) return resultOf(tool, await rest(restCallOf(tool, inputs)));
  const call = restCallOf(tool, sendable(tool, inputs, errors));
  const answer = await rest({ ...call, isDryRun: true });
  const problem = (answer.body ?? {}) as ToolProblem;
  if (errors.length > 0) return isAboutInputs(problem) ? refusalOfInputs(tool, problem, errors) : refusalOf(tool, answer);
  return problem.code === 'confirmation_needed' ? refusalUnconfirmed(tool, problem, call) : refusalOf(tool, answer);
}

const isAboutInputs = ({ code = '' }: ToolProblem): boolean =>
  ['confirmation_needed', 'validation_failed', 'idempotency_key_missing'].includes(code);

/** What is in the body the API looks at itself, however wrong it is; elsewhere a wrong value might mean something else. */
function sendable({ bodyInputs }: Tool, inputs: Inputs, errors: readonly InputError[]): Inputs {
  const left = new Set(
    errors.filter(({ field, code }) => !Object.hasOwn(bodyInputs, field) || UNSENDABLE.includes(code)).map(({ field }) => field),
  );
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !left.has(name)));
}

function resultOf(tool: Tool, answer: RestAnswer): CallToolResult {
  const { status, body, text } = answer;
  if (status >= 400) return refusalOf(tool, answer);
  const content = (body ?? { deleted: true }) as Record<string, unknown>;
  return { content: [{ type: 'text', text: `${inShort(tool, content)}\n${text ?? JSON.stringify(content)}` }], structuredContent: content };
}

/** What heads the text, for models that are given no more than that; the whole of it is in the structured content, too. */
function inShort({ summary }: Tool, content: Record<string, unknown>): string {
  const { data, pagination, id, name, code, status } = content as {
    data?: unknown[];
    pagination?: { total: number; hasMore: boolean };
  } & Record<string, unknown>;
  if (Array.isArray(data))
    return `${summary}: ${data.length} here${pagination ? ` of ${pagination.total}${pagination.hasMore ? '; more pages follow' : ''}` : ''}.`;
  const named = [name ?? code, status, id]
    .filter((part) => typeof part === 'string')
    .map((part) => JSON.stringify(part))
    .join(', ');
  return `${summary}: ${named || 'done'}.`;
}
