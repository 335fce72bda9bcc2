import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { errorsOf, UNSENDABLE, type InputError } from './check-inputs.js';
import { follow, type Progress } from './follow-run.js';
import { leanList } from './lean-lists.js';
import { askPerson, type Person } from './person.js';
import { refusalDeclined, refusalOf, refusalOfInputs, refusalUnconfirmed, type ToolProblem } from './refusals.js';
import { restCallOf, type CallRest, type RestAnswer } from './rest-call.js';
import type { Tool } from './tool.js';

/** Who called, as far as a tool can turn to them. */
export interface Asking {
  readonly person: Person;
  readonly progress: Progress | undefined;
}

type Inputs = Readonly<Record<string, unknown>>;

/**
 * Calls a tool. A call without confirmation or with invalid inputs is sent as a dry run: it counts against the same limits, and
 * the API reports everything that is wrong with it. If nothing is wrong but the confirmation, the person is asked for it.
 */
export async function callTool(
  tool: Tool,
  inputs: Inputs,
  callRest: CallRest,
  { person, progress }: Asking,
): Promise<CallToolResult | InputRequiredResult> {
  if (person.agrees === false) return refusalDeclined(tool);
  const errors = errorsOf(tool, inputs);
  const isConfirmed = tool.confirmedBy === undefined || inputs[tool.confirmedBy] === true || person.agrees === true;
  if (errors.length === 0 && isConfirmed)
    return resultOf(tool, inputs, await follow(tool.name, () => callRest(restCallOf(tool, inputs)), progress));
  const call = restCallOf(tool, sendable(tool, inputs, errors));
  const answer = await callRest({ ...call, isDryRun: true });
  const problem = (answer.body ?? {}) as ToolProblem;
  if (errors.length > 0) return isAboutInputs(problem) ? refusalOfInputs(tool, problem, errors) : refusalOf(tool, answer);
  if (problem.code !== 'confirmation_needed') return refusalOf(tool, answer);
  return person.canBeAsked ? askPerson(tool, call) : refusalUnconfirmed(tool, problem, call);
}

const isAboutInputs = ({ code = '' }: ToolProblem): boolean =>
  ['confirmation_needed', 'validation_failed', 'idempotency_key_missing'].includes(code);

/** Invalid inputs of the body are sent, so that the API reports them. In the path or query they could address something else. */
function sendable({ bodyInputs }: Tool, inputs: Inputs, errors: readonly InputError[]): Inputs {
  const leftOut = new Set(
    errors.filter(({ field, code }) => !Object.hasOwn(bodyInputs, field) || UNSENDABLE.includes(code)).map(({ field }) => field),
  );
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !leftOut.has(name)));
}

function resultOf(tool: Tool, inputs: Inputs, answer: RestAnswer): CallToolResult {
  const { status, body, text } = answer;
  if (status >= 400) return refusalOf(tool, answer);
  const whole = (body ?? { deleted: true }) as Record<string, unknown>;
  const content = leanList(tool, inputs, whole);
  const json = content === whole && text !== undefined ? text : JSON.stringify(content);
  return {
    content: [{ type: 'text', text: `${headline(tool, content)}\n${json}` }],
    structuredContent: content,
  };
}

/** The first line of the text: a summary of the structured content. */
function headline({ summary }: Tool, content: Record<string, unknown>): string {
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
