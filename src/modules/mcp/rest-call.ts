import type { Tool } from './tool.js';

/** A call of the REST API, as a tool asks for it. */
export interface RestCall {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Only to be checked. Nothing is done, whatever it is. */
  readonly isDryRun?: boolean;
}

export interface RestAnswer {
  readonly status: number;
  /** Parsed; undefined where the answer has none. */
  readonly body: unknown;
  /** After how many seconds it may be tried again, where the API says that. */
  readonly retryAfter?: string | undefined;
  /** The same as it was sent, where it is known to be written as we would write it. */
  readonly text?: string;
}

/** What JSON-RPC calls a refusal by the API where no tool was called: one of the codes that it leaves to servers. */
export const REFUSED = -32001;

/** Whoever can make calls with the caller's credential. */
export type Rest = (call: RestCall) => Promise<RestAnswer>;

type Inputs = Readonly<Record<string, unknown>>;

/** Inputs put where the operation takes them. A path that lacks one leads to no record. */
export function restCallOf({ method, path, pathInputs, queryInputs, bodyInputs }: Tool, inputs: Inputs): RestCall {
  const place = pathInputs.reduce((filled, name) => filled.replace(`{${name}}`, encodeURIComponent((inputs[name] ?? '-') as string)), path);
  const query = new URLSearchParams();
  for (const name of queryInputs) if (inputs[name] !== undefined) query.set(name, `${inputs[name] as string | number}`);
  const properties = Object.entries(bodyInputs)
    .filter(([input]) => inputs[input] !== undefined)
    .map(([input, property]) => [property, inputs[input]]);
  const hasBody = method === 'POST' || method === 'PATCH';
  return {
    method,
    url: query.size > 0 ? `${place}?${query.toString()}` : place,
    headers: typeof inputs.idempotency_key === 'string' ? { 'idempotency-key': inputs.idempotency_key.trim() } : {},
    body: hasBody ? (Object.fromEntries(properties) as Record<string, unknown>) : undefined,
  };
}
