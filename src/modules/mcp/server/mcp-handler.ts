import type { IncomingMessage } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { classifyInboundRequest, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, createMcpHandler } from '@modelcontextprotocol/server';
import { PROTOCOL_VERSION_META_KEY, ProtocolError, ProtocolErrorCode, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import { SUPPORTED_PROTOCOL_VERSIONS, type AuthInfo, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { detachReply } from '../../../api/http/answered-requests.js';
import { isObject } from '../../../kernel/json.js';
import { BODY_MAX_BYTES } from '../../../kernel/product.js';
import { filterOfUrl, filterTools, UnknownToolFilter, USUAL, type ToolFilter, MCP_PATH, type Tool } from '../tools/tool.js';
import { canBeAsked } from '../tools/agreement.js';
import { callPlainly, callText } from '../tools/call-tool.js';
import { toolsOf, type Contract } from '../tools/tools-of-contract.js';
import { listenedIn, Listening } from './listening.js';
import { McpRefusal } from './mcp-refusal.js';
import { makesTasks, takesTasks } from './tasks.js';
import { SERVER_INFO, toolServer, type MakeServer, type RestAccess } from './tool-server.js';

export interface McpRequest extends RestAccess {
  readonly filter: ToolFilter;
}

/** Streamable HTTP. A plain tool call is answered here, everything else by the SDK. */
export class McpHandler {
  private readonly handler;
  private readonly makeHandler: () => McpHttpHandler;
  private readonly listening = new Listening();
  private readonly tools: ReadonlyMap<string, Tool>;
  /** What clients say about themselves, which is the same in each of their calls: the SDK validates it once. */
  private readonly clients = new Set<string>();

  constructor(contract: object, makeServer: MakeServer = toolServer) {
    const tools = toolsOf(contract as Contract);
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.makeHandler = () =>
      createMcpHandler(
        ({ authInfo, era }) => {
          const request = authInfo!.extra!.request as McpRequest;
          return makeServer(filterTools(tools, request.filter), { ...request, isNewest: era === 'modern' });
        },
        { maxRequestBodySize: BODY_MAX_BYTES },
      );
    this.handler = toNodeHandler(this.makeHandler(), { maxRequestBodySize: BODY_MAX_BYTES });
  }

  filterOf({ url }: FastifyRequest): ToolFilter {
    if (!url.includes('?')) return USUAL;
    const filter = filterOfUrl(url, [...this.tools.values()]);
    if (filter instanceof UnknownToolFilter) throw new McpRefusal({ status: 400, code: 'unknown_wish', message: filter.message });
    return filter;
  }

  async answer(http: FastifyRequest, reply: FastifyReply, body: unknown, request: McpRequest): Promise<void> {
    const call = plainCallIn(http.headers, body);
    const tool = call && this.toolOf(call, request);
    if (call && tool && this.isValid(call.client, body)) {
      const answer = await answerTo(call, tool, request);
      http.isLogged = true;
      return void reply.status(200).header('Content-Type', 'application/json; charset=utf-8').send(answer);
    }
    const uris = listenedIn(body);
    if (uris) return this.listen(uris, http, reply, body, request);
    // The SDK writes the answer itself.
    detachReply(http, reply);
    await this.handler(forSdk(http.raw, request), reply.raw, body);
  }

  /** Before the process stops: streams would hold it up. */
  end(): Promise<void> {
    return this.listening.end();
  }

  private async listen(
    uris: readonly string[],
    http: FastifyRequest,
    reply: FastifyReply,
    body: unknown,
    request: McpRequest,
  ): Promise<void> {
    const handler = this.makeHandler();
    const serve = async (): Promise<void> => {
      detachReply(http, reply);
      await toNodeHandler(handler)(forSdk(http.raw, request), reply.raw, body);
    };
    const owner = { organizationId: http.principal!.organization.id, callRest: request.callRest };
    try {
      await this.listening.serve(uris, owner, handler, serve);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const { code, message, data } = error;
      const refusal = { jsonrpc: '2.0', id: (body as { id?: unknown }).id ?? null, error: { code, message, data } };
      void reply.status(200).header('Content-Type', 'application/json; charset=utf-8').send(JSON.stringify(refusal));
    }
  }

  /** The tool of a call; undefined if there is none, its person would be asked first, or it is answered with a task. */
  private toolOf({ name, inputs, client }: PlainCall, { filter, ruleFor }: McpRequest): Tool | undefined {
    const tool = this.tools.get(name);
    if (!tool || filterTools([tool], filter).length === 0) return undefined;
    if (makesTasks(tool) && takesTasks(client?.capabilities)) return undefined;
    const isConfirmed = tool.confirmedBy === undefined || inputs[tool.confirmedBy] === true;
    const isDecided = isConfirmed && ruleFor(tool) !== 'person';
    return isDecided || !canBeAsked(client?.capabilities) ? tool : undefined;
  }

  private isValid(client: PlainCall['client'], body: unknown): boolean {
    const text = client ? JSON.stringify(client) : '';
    if (!client || this.clients.has(text)) return true;
    if (classifyInboundRequest({ httpMethod: 'POST', protocolVersionHeader: NEWEST, body }).kind !== 'modern') return false;
    if (this.clients.size >= CLIENTS_MAX) this.clients.clear();
    if (text.length <= CLIENT_MAX_LENGTH) this.clients.add(text);
    return true;
  }
}

/** How many clients are remembered, and how long what they say is at most. Others are validated in each call. */
const CLIENTS_MAX = 1000;
const CLIENT_MAX_LENGTH = 2000;

type Members = Readonly<Record<string, unknown>>;

/** One call of a tool that wants nothing but its answer, with all that its revision requires. */
interface PlainCall {
  readonly id: string | number;
  readonly name: string;
  readonly inputs: Members;
  /** What the client says about itself: in the newest revision only. */
  readonly client: { readonly capabilities: unknown; readonly info: unknown } | undefined;
}

/** The revision without sessions and handshake. The SDK keeps it to itself. */
const NEWEST = '2026-07-28';
/** What begins so has a meaning in the protocol. */
const RESERVED = 'io.modelcontextprotocol/';
const META_OF_NEWEST: readonly string[] = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY];
const MEMBERS_OF_CALL = ['jsonrpc', 'id', 'method', 'params'];
const PARAMS_OF_CALL = ['name', 'arguments', '_meta'];

/** undefined if it lacks something or has more: that the SDK answers or refuses. What the SDK does for a call costs more than the call. */
function plainCallIn(headers: FastifyRequest['headers'], body: unknown): PlainCall | undefined {
  if (!isObject(body) || !hasOnly(body, MEMBERS_OF_CALL)) return undefined;
  const { jsonrpc, id, method, params } = body;
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isId(id) || !isObject(params) || !hasOnly(params, PARAMS_OF_CALL)) return undefined;
  const { name, arguments: inputs = {}, _meta: meta = {} } = params;
  if (typeof name !== 'string' || !isObject(inputs) || Object.hasOwn(inputs, '__proto__') || !isObject(meta)) return undefined;
  const isNewest = headers['mcp-protocol-version'] === NEWEST;
  const known = isNewest ? META_OF_NEWEST : [];
  for (const key in meta) if (key === 'progressToken' || (key.startsWith(RESERVED) && !known.includes(key))) return undefined;
  if (!isNewest) return isOlder(headers) ? { id, name, inputs, client: undefined } : undefined;
  if (headers['mcp-method'] !== method || headers['mcp-name'] !== name || meta[PROTOCOL_VERSION_META_KEY] !== NEWEST) return undefined;
  return { id, name, inputs, client: { capabilities: meta[CLIENT_CAPABILITIES_META_KEY], info: meta[CLIENT_INFO_META_KEY] } };
}

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id);
const hasOnly = (value: Members, names: readonly string[]): boolean => Object.keys(value).every((name) => names.includes(name));

/** Clients of older revisions must take both media types, and are answered with JSON: an event stream is for progress. */
function isOlder({ 'mcp-protocol-version': version, accept = '' }: FastifyRequest['headers']): boolean {
  const isKnown = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version as string);
  return isKnown && accept.includes('application/json') && accept.includes('text/event-stream');
}

/** What the SDK adds to a result of the newest revision. */
const OF_NEWEST = `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: SERVER_INFO })}`;

/** The message that answers a plain call: byte for byte as the SDK would write it. */
async function answerTo({ id, inputs, client }: PlainCall, tool: Tool, { callRest, onFailure, settle }: McpRequest): Promise<string> {
  try {
    const answer = await settle(callText(tool, inputs), await callPlainly(tool, inputs, callRest));
    const content = `"content":${JSON.stringify(answer.content())},"structuredContent":${answer.json}`;
    const result = `{${content}${answer.isError ? ',"isError":true' : ''}${client ? OF_NEWEST : ''}}`;
    return `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
  } catch (error) {
    onFailure(error);
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InternalError, message: 'Internal error' } });
  }
}

/**
 * What the SDK reads of a request. It would make a URL of Host and the request line, and answer 500 where these do not make one.
 * It does not look at that URL, so each request has the same. It passes `auth` on unread: who calls was found before.
 */
function forSdk({ method, headers }: IncomingMessage, request: McpRequest) {
  const auth: AuthInfo = { token: '', clientId: '', scopes: [], extra: { request } };
  const body = async function* (): AsyncGenerator<never> {};
  return { method, url: MCP_PATH, headers: { ...headers, host: 'localhost' }, auth, [Symbol.asyncIterator]: body };
}
