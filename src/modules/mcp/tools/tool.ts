import { type Risk, type ToolDeclaration, TOOL_SETS } from '../../../api/operation/operation.js';
import { lackOf, type Caller } from '../../../kernel/permissions.js';
import { PLANS, type StandardPlan } from '../../../kernel/plans.js';
import type { UserRole } from '../../../kernel/roles.js';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly additionalProperties?: boolean | Schema;
  readonly [keyword: string]: unknown;
}

export type ObjectSchema = Schema & {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
};

export interface Tool {
  readonly name: string;
  readonly set: ToolDeclaration['set'];
  readonly risk: Risk;
  readonly summary: string;
  readonly description: string;
  readonly scope: string | undefined;
  readonly role: UserRole | undefined;
  readonly concerns: 'organization' | undefined;
  readonly sets: Readonly<Record<string, unknown>>;
  readonly plan: string | undefined;
  /** The resource part of its scope: `claim_projects`. */
  readonly capability: string;
  readonly inputSchema: ObjectSchema;
  readonly listedInputs: ObjectSchema;
  readonly outputSchema: Schema & { readonly type: 'object' };
  /** Its id: `claim_projects.get`. */
  readonly operation: string;
  readonly method: string;
  /** `/v1/claim-projects/{project_id}` */
  readonly path: string;
  /** Where each input goes. Inputs in none of these are for the tool itself and are not sent. */
  readonly pathInputs: readonly string[];
  readonly queryInputs: readonly string[];
  readonly bodyInputs: Readonly<Record<string, string>>;
  /** Fields of the records of a list that only `detail: "full"` returns, such as `hash` and `actor.id`. */
  readonly leftOut: readonly string[];
  /** Of the files of runs, by their format. */
  readonly mediaTypes: Readonly<Record<string, string>>;
  /** The input that confirms a call. Only tools that change something have one. */
  readonly confirmedBy: 'confirm' | 'confirm_delete' | undefined;
}

export interface RestCall {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly key?: string | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly isDryRun?: boolean;
  /** Inputs that are wrong were left out: people are not asked about it. */
  readonly isPart?: boolean;
  /** What the person at the client has said about a confirmation. */
  readonly reply?: { readonly confirmation: string; readonly isYes: boolean } | undefined;
}

export interface RestAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter?: string | undefined;
  /** The body as text, and the record that it was made of, if the API of this process made it: neither is made again. */
  readonly text?: string;
  readonly record?: unknown;
  /** Instead of the body, if a file was asked for. */
  readonly file?: { readonly mediaType: string; readonly bytes: Buffer };
}

export type CallRest = (call: RestCall) => Promise<RestAnswer>;

export const pathOf = ({ path, params }: Pick<RestCall, 'path' | 'params'>): string =>
  path.replace(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(params[name]!));

export function urlOf({ path, params, query }: Pick<RestCall, 'path' | 'params' | 'query'>): string {
  const pathname = pathOf({ path, params });
  const search = new URLSearchParams(query).toString();
  return search === '' ? pathname : `${pathname}?${search}`;
}

export const AUTH_CONTEXT: RestCall = { operation: 'api.auth_context', method: 'GET', path: '/v1/auth/context', params: {}, query: {} };
export const MCP_PATH = '/mcp';
/** The channel of all calls that tools make; the audit log shows it. */
export const CHANNEL = 'mcp';
/** The JSON-RPC error code for refusals outside a tool call, from the range that JSON-RPC leaves to servers. */
export const REFUSED = -32001;

/** Puts the inputs where the operation takes them. A path parameter without input becomes `-`, which is no record's id. */
export function restCallOf(
  { operation, method, path, pathInputs, queryInputs, bodyInputs, sets, inputSchema }: Tool,
  inputs: Readonly<Record<string, unknown>>,
): RestCall {
  const given = (names: readonly string[]) => names.filter((name) => inputs[name] !== undefined);
  const properties = given(Object.keys(bodyInputs)).map((input) => [bodyInputs[input], inputs[input]]);
  return {
    operation,
    method,
    path,
    params: Object.fromEntries(pathInputs.map((name) => [name, `${(inputs[name] ?? '-') as string}`])),
    query: Object.fromEntries(queryInputs.flatMap((name) => queryOf(name, inputs[name] ?? inputSchema.properties[name]?.default))),
    key: typeof inputs.idempotency_key === 'string' ? inputs.idempotency_key.trim() : undefined,
    body: method === 'POST' || method === 'PATCH' ? { ...(Object.fromEntries(properties) as Record<string, unknown>), ...sets } : undefined,
  };
}

const queryOf = (name: string, value: unknown): [string, string][] => (value === undefined ? [] : [[name, `${value as string | number}`]]);

export interface ToolCaller extends Caller {
  readonly plan: StandardPlan;
}

/** The tools worth listing to a caller. The API would refuse the others. */
export function availableTo({ plan, ...caller }: ToolCaller, tools: readonly Tool[]): Tool[] {
  return tools.filter(
    (tool) => !lackOf(caller, tool) && (tool.plan === undefined || PLANS.indexOf(plan) >= PLANS.indexOf(tool.plan as StandardPlan)),
  );
}

/** Which tools the client asked for. To this client, the others do not exist. */
export interface ToolFilter {
  readonly isReadOnly: boolean;
  /** Capabilities; undefined means all. */
  readonly toolsets: readonly string[] | undefined;
  /** Sets of tools beyond the usual ones. */
  readonly sets: readonly string[];
}

/** Of a client that asks for nothing in particular. */
export const USUAL: ToolFilter = { isReadOnly: false, toolsets: undefined, sets: [] };

/** A filter with an unknown name or value is refused: a guess could give a model more tools than intended. */
export class UnknownToolFilter {
  constructor(readonly message: string) {}
}

export type Filtered = Pick<Tool, 'risk' | 'capability' | 'set'>;

export function filterTools<T extends Filtered>(tools: readonly T[], { isReadOnly, toolsets, sets }: ToolFilter): T[] {
  return tools
    .filter(({ set }) => set === undefined || sets.includes(set))
    .filter(({ risk, capability }) => (!isReadOnly || risk === 'read_only') && (toolsets?.includes(capability) ?? true));
}

/** `/mcp?readonly`, `/mcp?toolsets=claim_projects,usage`, `/mcp?tools=claims` */
export function filterOfUrl(url: string, tools: readonly Filtered[]): ToolFilter | UnknownToolFilter {
  const start = url.indexOf('?');
  if (start < 0) return USUAL;
  const query = new URLSearchParams(url.slice(start));
  const unknown = [...query.keys()].find(
    (name, index, names) => !['readonly', 'toolsets', 'tools'].includes(name) || names.indexOf(name) !== index,
  );
  if (unknown !== undefined)
    return new UnknownToolFilter(
      `The parameter ${JSON.stringify(unknown.slice(0, 100))} is unknown or repeated. Use readonly, toolsets and tools, each at most once.`,
    );
  const readonly = query.get('readonly') ?? 'false';
  if (!['', 'true', 'false'].includes(readonly)) return new UnknownToolFilter('readonly must be true or false.');
  const [toolsets, sets = []] = ['toolsets', 'tools'].map((name) =>
    query
      .get(name)
      ?.split(',')
      .map((listed) => listed.trim()),
  );
  const capabilities = new Set(filterTools(tools, { ...USUAL, sets }).map(({ capability }) => capability));
  return (
    unknownIn('set of tools', sets, TOOL_SETS) ??
    unknownIn('toolset', toolsets ?? [], [...capabilities]) ?? { isReadOnly: readonly !== 'false', toolsets, sets }
  );
}

function unknownIn(kind: string, names: readonly string[], known: readonly string[]): UnknownToolFilter | undefined {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  return new UnknownToolFilter(`There is no ${kind} ${JSON.stringify(unknown.slice(0, 100))}. There are: ${known.join(', ')}.`);
}
