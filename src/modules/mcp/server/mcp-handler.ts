import type { IncomingMessage } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { filterOfUrl, filterTools, UnknownToolFilter, type ToolFilter } from '../tools/available-tools.js';
import { BODY_MAX_BYTES } from '../../../kernel/product.js';
import type { Tool } from '../tools/tool.js';
import { toolsOf, type Contract } from '../tools/tools-of-contract.js';
import { McpRefusal } from './mcp-refusal.js';
import { MCP_PATH } from './mcp.resource.js';
import { toolServer, type MakeServer, type RestAccess } from './tool-server.js';

/** What a request needs to be answered. */
export interface McpRequest extends RestAccess {
  readonly filter: ToolFilter;
}

/** Streamable HTTP, as the SDK speaks it. The SDK wants a new server for each request, in all revisions. */
export class McpHandler {
  private readonly handler;

  private constructor(
    private readonly tools: readonly Tool[],
    makeServer: MakeServer,
  ) {
    const handler = createMcpHandler(
      ({ authInfo }) => {
        const { filter, ...access } = authInfo!.extra!.request as McpRequest;
        return makeServer(filterTools(tools, filter), access);
      },
      { maxRequestBodySize: BODY_MAX_BYTES },
    );
    this.handler = toNodeHandler(handler, { maxRequestBodySize: BODY_MAX_BYTES });
  }

  static of(contract: object, makeServer: MakeServer = toolServer): McpHandler {
    return new McpHandler(toolsOf(contract as Contract), makeServer);
  }

  /** Which tools the client asked for in the address. */
  filterOf({ url }: FastifyRequest): ToolFilter {
    const filter = filterOfUrl(url, this.tools);
    if (filter instanceof UnknownToolFilter) throw new McpRefusal({ status: 400, code: 'unknown_wish', message: filter.message });
    return filter;
  }

  /** Hands the connection to the SDK, which writes the answer itself. `body` was read before. */
  async answer({ raw }: FastifyRequest, reply: FastifyReply, body: unknown, request: McpRequest): Promise<void> {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
    await this.handler(forSdk(raw, request), reply.raw, body);
  }
}

/**
 * What the SDK reads of a request. It would make a URL of Host and the request line, and answer 500 where these do not make one.
 * It does not look at that URL, so each request has the same.
 */
function forSdk({ method, headers }: IncomingMessage, request: McpRequest) {
  // The SDK passes this on unread; who calls was found before, so there is no token to tell it.
  const auth: AuthInfo = { token: '', clientId: '', scopes: [], extra: { request } };
  const body = async function* (): AsyncGenerator<never> {};
  return { method, url: MCP_PATH, headers: { ...headers, host: 'localhost' }, auth, [Symbol.asyncIterator]: body };
}
