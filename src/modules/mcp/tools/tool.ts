import type { Risk, ToolDeclaration } from '../../../api/operation/operation.js';
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
  readonly isFile?: boolean;
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
  { operation, method, path, pathInputs, queryInputs, bodyInputs }: Tool,
  inputs: Readonly<Record<string, unknown>>,
): RestCall {
  const given = (names: readonly string[]) => names.filter((name) => inputs[name] !== undefined);
  const properties = given(Object.keys(bodyInputs)).map((input) => [bodyInputs[input], inputs[input]]);
  return {
    operation,
    method,
    path,
    params: Object.fromEntries(pathInputs.map((name) => [name, `${(inputs[name] ?? '-') as string}`])),
    query: Object.fromEntries(given(queryInputs).map((name) => [name, `${inputs[name] as string | number}`])),
    key: typeof inputs.idempotency_key === 'string' ? inputs.idempotency_key.trim() : undefined,
    body: method === 'POST' || method === 'PATCH' ? (Object.fromEntries(properties) as Record<string, unknown>) : undefined,
  };
}
