import type { IncomingMessage } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { detachReply } from '../../../api/http/answered-requests.js';
import { filterOfUrl, filterTools, UnknownToolFilter, type ToolFilter } from '../tools/available-tools.js';
import { BODY_MAX_BYTES } from '../../../kernel/product.js';
import type { Tool } from '../tools/tool.js';
import { toolsOf, type Contract } from '../tools/tools-of-contract.js';
import { McpRefusal } from './mcp-refusal.js';
import { MCP_PATH } from '../tools/rest-call.js';
import { plainCallIn, PlainCalls } from './plain-call.js';
import { callNamed, toolServer, type MakeServer, type RestAccess } from './tool-server.js';

/** What a request needs to be answered. */
export interface McpRequest extends RestAccess {
  readonly filter: ToolFilter;
}

/** Streamable HTTP. A plain tool call goes to a server of the SDK at once, everything else by the SDK's own handler. */
export class McpHandler {
  private readonly handler;

  private constructor(
    private readonly tools: readonly Tool[],
    private readonly plainCalls: PlainCalls,
    makeServer: MakeServer,
  ) {
    const handler = createMcpHandler(
      ({ authInfo }) => {
        const request = requestIn(authInfo);
        return makeServer(filterTools(tools, request.filter), request);
      },
      { maxRequestBodySize: BODY_MAX_BYTES },
    );
    this.handler = toNodeHandler(handler, { maxRequestBodySize: BODY_MAX_BYTES });
  }

  static async of(contract: object, makeServer: MakeServer = toolServer): Promise<McpHandler> {
    const tools = toolsOf(contract as Contract);
    const plainCalls = await PlainCalls.handledBy((params, context) => {
      const request = requestIn(context.http?.authInfo);
      return callNamed(filterTools(tools, request.filter), params, request, context);
    });
    return new McpHandler(tools, plainCalls, makeServer);
  }

  /** Which tools the client asked for in the address. */
  filterOf({ url }: FastifyRequest): ToolFilter {
    const filter = filterOfUrl(url, this.tools);
    if (filter instanceof UnknownToolFilter) throw new McpRefusal({ status: 400, code: 'unknown_wish', message: filter.message });
    return filter;
  }

  /** `body` was read before. */
  async answer(http: FastifyRequest, reply: FastifyReply, body: unknown, request: McpRequest): Promise<void> {
    const call = plainCallIn(http, body);
    if (call && this.tools.some(({ name }) => name === call.tool)) {
      const answer = await this.plainCalls.answerTo(call, bringing(request));
      return void reply.status(200).header('Content-Type', 'application/json; charset=utf-8').send(JSON.stringify(answer));
    }
    // The SDK writes the answer itself.
    detachReply(http, reply);
    await this.handler(forSdk(http.raw, request), reply.raw, body);
  }
}

/** The SDK passes this on unread; who calls was found before, so there is no token to tell it. */
const bringing = (request: McpRequest): AuthInfo => ({ token: '', clientId: '', scopes: [], extra: { request } });

const requestIn = (authInfo: AuthInfo | undefined): McpRequest => authInfo!.extra!.request as McpRequest;

/**
 * What the SDK reads of a request. It would make a URL of Host and the request line, and answer 500 where these do not make one.
 * It does not look at that URL, so each request has the same.
 */
function forSdk({ method, headers }: IncomingMessage, request: McpRequest) {
  const body = async function* (): AsyncGenerator<never> {};
  return { method, url: MCP_PATH, headers: { ...headers, host: 'localhost' }, auth: bringing(request), [Symbol.asyncIterator]: body };
}
