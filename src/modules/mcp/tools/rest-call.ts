import type { Tool } from './tool.js';

/** A call of the REST API, as a tool makes it. */
export interface RestCall {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Only check the call; change nothing. */
  readonly isDryRun?: boolean;
  /** The answer is a file. */
  readonly isFile?: boolean;
}

export interface RestAnswer {
  readonly status: number;
  /** Parsed; undefined if the answer has none. */
  readonly body: unknown;
  /** The Retry-After header, in seconds. */
  readonly retryAfter?: string | undefined;
  /** The body as sent, if the API of this process sent it: then it is compact JSON and need not be written again. */
  readonly text?: string;
  /** Instead of the body, if a file was asked for. */
  readonly file?: { readonly mediaType: string; readonly bytes: Buffer };
}

/** Calls the API with the caller's credential: within the process or over HTTP. */
export type CallRest = (call: RestCall) => Promise<RestAnswer>;

/** Asks the API what the caller may do. */
export const AUTH_CONTEXT: RestCall = { method: 'GET', url: '/v1/auth/context', headers: {}, body: undefined };

/** The channel of all calls that tools make; the audit log shows it. */
export const CHANNEL = 'mcp';

/** The JSON-RPC error code for refusals outside a tool call, from the range that JSON-RPC leaves to servers. */
export const REFUSED = -32001;

type Inputs = Readonly<Record<string, unknown>>;

/** Puts the inputs where the operation takes them. A path parameter without input becomes `-`, which is no record's id. */
export function restCallOf({ method, path, pathInputs, queryInputs, bodyInputs }: Tool, inputs: Inputs): RestCall {
  const pathname = pathInputs.reduce(
    (filled, name) => filled.replace(`{${name}}`, encodeURIComponent((inputs[name] ?? '-') as string)),
    path,
  );
  const query = new URLSearchParams();
  for (const name of queryInputs) if (inputs[name] !== undefined) query.set(name, `${inputs[name] as string | number}`);
  const properties = Object.entries(bodyInputs)
    .filter(([input]) => inputs[input] !== undefined)
    .map(([input, property]) => [property, inputs[input]]);
  const hasBody = method === 'POST' || method === 'PATCH';
  return {
    method,
    url: query.size > 0 ? `${pathname}?${query.toString()}` : pathname,
    headers: typeof inputs.idempotency_key === 'string' ? { 'idempotency-key': inputs.idempotency_key.trim() } : {},
    body: hasBody ? (Object.fromEntries(properties) as Record<string, unknown>) : undefined,
  };
}
