import type { CallToolResult } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { snakeCase } from './names.js';
import { restCallOf, type Rest, type RestAnswer } from './rest-call.js';
import type { Tool } from './tool.js';

type Inputs = Readonly<Record<string, unknown>>;

const validator = new AjvJsonSchemaValidator();
const checks = new WeakMap<Tool, (inputs: unknown) => { valid: boolean; errorMessage: string | undefined }>();

/** Calls a tool: what is wrong with its inputs is said before anything is called, and what is not confirmed is only shown. */
export async function callTool(tool: Tool, inputs: Inputs, rest: Rest): Promise<CallToolResult> {
  const { valid, errorMessage = '' } = checkOf(tool)(inputs);
  if (!valid) return refusal(`The inputs are not valid: ${errorMessage}`, { code: 'validation_failed', detail: errorMessage });
  const call = restCallOf(tool, inputs);
  if (tool.confirmedBy !== undefined && inputs[tool.confirmedBy] !== true) {
    const wouldSend = { method: call.method, url: call.url, ...(call.body && { body: call.body }) };
    return refusal(`Nothing was done. With ${tool.confirmedBy}: true this would be sent: ${JSON.stringify(wouldSend)}`, { code: 'confirmation_needed', confirmWith: tool.confirmedBy, wouldSend });
  }
  return resultOf(tool, await rest(call));
}

/** Whether it is confirmed is looked at by itself, and later: a call that is only to be shown is checked like any other. */
function checkOf(tool: Tool) {
  const known = checks.get(tool);
  if (known) return known;
  const { required, ...schema } = tool.inputSchema;
  const check = validator.getValidator({ ...schema, required: required.filter((name) => name !== tool.confirmedBy) });
  checks.set(tool, check);
  return check;
}

function resultOf(tool: Tool, { status, body, text }: RestAnswer): CallToolResult {
  if (status >= 400) return problem(body);
  const content = (body ?? { deleted: true }) as Record<string, unknown>;
  return { content: [{ type: 'text', text: `${inShort(tool, content)}\n${text ?? JSON.stringify(content)}` }], structuredContent: content };
}

/** What heads the text, for models that are given no more than that; the whole of it is in the structured content, too. */
function inShort({ summary }: Tool, content: Record<string, unknown>): string {
  const { data, pagination, id, name, code, status } = content as { data?: unknown[]; pagination?: { total: number; hasMore: boolean } } & Record<string, unknown>;
  if (Array.isArray(data)) return `${summary}: ${data.length} here${pagination ? ` of ${pagination.total}${pagination.hasMore ? '; more pages follow' : ''}` : ''}.`;
  const named = [name ?? code, status, id].filter((part) => typeof part === 'string').map((part) => JSON.stringify(part)).join(', ');
  return `${summary}: ${named || 'done'}.`;
}

interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly title?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

/** The problem document of the API, whose fields are named as the tool names them. */
function problem(body: unknown): CallToolResult {
  const { code = 'internal_error', detail, title = 'The call failed', errors = [] } = (body ?? {}) as Problem;
  const renamed = errors.map((error) => ({ ...error, field: snakeCase(error.field) }));
  const named = renamed.map(({ field, message }) => `${field} ${message}`).join('; ');
  return refusal(`${code}: ${detail ?? title}${named === '' ? '' : ` (${named})`}`, { ...(body as object), errors: renamed });
}

function refusal(text: string, structuredContent: Record<string, unknown>): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }], structuredContent };
}
