import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A call of a tool in the protocol's newest revision, about which the protocol has nothing more to say. */
export interface PlainCall {
  readonly id: string | number;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

export const BODY_MAX_BYTES = 2 * 1024 * 1024;
const REVISION = '2026-07-28';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;

/** Whether a request may be a plain call, as far as its headers tell: what is read of it is of a known length. */
export function mayBePlain({ method, headers }: IncomingMessage): boolean {
  const isCall = headers['mcp-method'] === 'tools/call' && headers['mcp-protocol-version'] === REVISION;
  return method === 'POST' && isCall && JSON_TYPE.test(headers['content-type'] ?? '') && Number(headers['content-length']) <= BODY_MAX_BYTES;
}

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
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isId(id) || !isObject(params) || !hasOnly(params, ['name', 'arguments', '_meta'])) return undefined;
  const { name, arguments: inputs = {}, _meta } = params;
  if (typeof name !== 'string' || name !== headers['mcp-name'] || !isObject(inputs) || !isPlainMeta(_meta)) return undefined;
  return { id, name, inputs };
}

function isPlainMeta(meta: unknown): boolean {
  if (!isObject(meta) || !hasOnly(meta, [VERSION_KEY, CLIENT_KEY, CAPABILITIES_KEY, 'progressToken'])) return false;
  const { [VERSION_KEY]: version, [CLIENT_KEY]: client = { name: '', version: '' }, [CAPABILITIES_KEY]: capabilities, progressToken = 0 } = meta;
  if (version !== REVISION || !isId(progressToken) || !isObject(client) || !isObject(capabilities)) return false;
  if (!hasOnly(client, ['name', 'version']) || typeof client.name !== 'string' || typeof client.version !== 'string') return false;
  return hasOnly(capabilities, ['roots', 'sampling', 'elicitation']) && Object.values(capabilities).every((detail) => isObject(detail) && hasOnly(detail, []));
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
