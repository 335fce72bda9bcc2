import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A call of a tool about which the protocol has nothing more to say. */
export interface PlainCall {
  readonly id: string | number;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Whether it is one of the newest revision, whose answers say more than those of the former. */
  readonly isNewest: boolean;
}

export const BODY_MAX_BYTES = 2 * 1024 * 1024;
const NEWEST = '2026-07-28';
/** Those that are answered with JSON as well. The oldest of them has no header that would name it. */
const FORMER: readonly unknown[] = [undefined, '2025-03-26', '2025-06-18', '2025-11-25'];
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;

/** Whether a request may be a plain call, as far as its headers tell: what is read of it is of a known length. */
export function mayBePlain({ method, headers }: IncomingMessage): boolean {
  if (method !== 'POST' || !JSON_TYPE.test(headers['content-type'] ?? '') || !(Number(headers['content-length']) <= BODY_MAX_BYTES))
    return false;
  if (isOfNewest(headers)) return headers['mcp-method'] === 'tools/call';
  const { accept = '' } = headers;
  return (
    FORMER.includes(headers['mcp-protocol-version']) &&
    headers['mcp-method'] === undefined &&
    accept.includes('application/json') &&
    accept.includes('text/event-stream')
  );
}

const isOfNewest = (headers: IncomingHttpHeaders): boolean => headers['mcp-protocol-version'] === NEWEST;

/** All that a request has sent; undefined where its caller has hung up. */
export function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('close', () => resolve(undefined));
    request.on('error', () => resolve(undefined));
  });
}

/** Reads a call whose every part is known and as it should be; of any other it is the protocol's library that says what is to be done. */
export function plainCallOf(headers: IncomingHttpHeaders, text: string): PlainCall | undefined {
  const message = parsed(text);
  if (!isObject(message) || !hasOnly(message, ['jsonrpc', 'id', 'method', 'params'])) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isId(id) || !isObject(params) || !hasOnly(params, ['name', 'arguments', '_meta']))
    return undefined;
  const { name, arguments: inputs = {}, _meta } = params;
  const isNewest = isOfNewest(headers);
  if (
    typeof name !== 'string' ||
    !isObject(inputs) ||
    !(isNewest ? name === headers['mcp-name'] && isPlainMeta(_meta) : isPlainMetaOfFormer(_meta))
  )
    return undefined;
  return { id, name, inputs, isNewest };
}

function isPlainMetaOfFormer(meta: unknown = {}): boolean {
  return isObject(meta) && hasOnly(meta, ['progressToken']) && (meta.progressToken === undefined || isId(meta.progressToken));
}

function isPlainMeta(meta: unknown): boolean {
  if (!isObject(meta) || !hasOnly(meta, [VERSION_KEY, CLIENT_KEY, CAPABILITIES_KEY, 'progressToken'])) return false;
  const {
    [VERSION_KEY]: version,
    [CLIENT_KEY]: client = { name: '', version: '' },
    [CAPABILITIES_KEY]: capabilities,
    progressToken = 0,
  } = meta;
  if (version !== NEWEST || !isId(progressToken) || !isObject(client) || !isObject(capabilities)) return false;
  if (!hasOnly(client, ['name', 'version']) || typeof client.name !== 'string' || typeof client.version !== 'string') return false;
  return (
    hasOnly(capabilities, ['roots', 'sampling', 'elicitation']) &&
    Object.values(capabilities).every((detail) => isObject(detail) && hasOnly(detail, []))
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isId = (value: unknown): value is string | number => typeof value === 'string' || Number.isSafeInteger(value);

function hasOnly(value: Record<string, unknown>, names: readonly string[]): boolean {
  for (const name in value) if (!names.includes(name)) return false;
  return true;
}
