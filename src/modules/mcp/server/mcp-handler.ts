import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { filterOfUrl, filterTools, UnknownToolFilter, type ToolFilter } from '../tools/available-tools.js';
import type { Tool } from '../tools/tool.js';
import { toolsOf, type Contract } from '../tools/tools-of-contract.js';
import { refuse } from './request-checks.js';
import { toolServer, type MakeServer, type RestAccess } from './tool-server.js';

const BODY_MAX_BYTES = 2 * 1024 * 1024;

/** What a request needs to be answered. */
interface McpRequest extends RestAccess {
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

  /** Hands the connection to the SDK, which writes the answer itself. */
  async answer({ raw, url }: FastifyRequest, reply: FastifyReply, access: RestAccess): Promise<void> {
    const filter = filterOfUrl(url, this.tools);
    if (filter instanceof UnknownToolFilter) return refuse(reply, { status: 400, code: 'unknown_wish', message: filter.message });
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
    // The SDK passes this on unread; who calls was found before, so there is no token to tell it.
    const request: McpRequest = { ...access, filter };
    const auth: AuthInfo = { token: '', clientId: '', scopes: [], extra: { request } };
    await this.handler(Object.assign(raw, { auth }), reply.raw);
  }
}
