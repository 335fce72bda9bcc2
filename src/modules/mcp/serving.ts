import { Readable } from 'node:stream';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createMcpHandler, type AuthInfo, type CallToolResult, type Server } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { isWished, wished, wishOf, type UnknownWish, type Wish } from './offer.js';
import { BODY_MAX_BYTES, bodyOf, mayBePlain, plainCallOf, type PlainCall } from './plain-call.js';
import type { Rest, RestAnswer } from './rest-call.js';
import { callTool } from './tool-calls.js';
import { SERVER_INFO, toolServer } from './tool-server.js';
import type { Tool } from './tool.js';

/** What a request to the tool server brings along to those that answer it. */
export interface Errand {
  readonly rest: Rest;
  readonly wish: Wish;
  /** Is told what nobody foresaw. */
  readonly failed: (error: unknown) => void;
  /** What every answer of the service has. */
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>;
}

/** Makes the server that answers one request. */
export type MakeServer = (tools: readonly Tool[], rest: Rest) => Server;

/**
 * Answers requests in the protocol. What is nothing but a call of a tool is answered straight away, as the protocol's library
 * would answer it: that makes a server and three streams for each request, which costs several times what the call does.
 */
export class Serving {
  private readonly byName: ReadonlyMap<string, Tool>;
  private readonly handler;

  constructor(
    private readonly tools: readonly Tool[],
    makeServer: MakeServer = toolServer,
  ) {
    this.byName = new Map(tools.map((tool) => [tool.name, tool]));
    const handler = createMcpHandler(
      ({ authInfo }) => {
        const { rest, wish } = authInfo!.extra!.errand as Errand;
        return makeServer(wished(tools, wish), rest);
      },
      { maxRequestBodySize: BODY_MAX_BYTES },
    );
    this.handler = toNodeHandler(handler, { maxRequestBodySize: BODY_MAX_BYTES });
  }

  wishOf(url: string): Wish | UnknownWish {
    return wishOf(url, this.tools);
  }

  async answer(request: IncomingMessage, reply: ServerResponse, auth: AuthInfo, errand: Errand): Promise<void> {
    if (!mayBePlain(request)) return this.answerByLibrary(request, reply, auth, errand);
    const body = await bodyOf(request);
    if (!body) return;
    const call = plainCallOf(request.headers, body.toString());
    const tool = call && this.byName.get(call.name);
    if (tool && isWished(tool, errand.wish)) return answerCall(call, tool, errand, reply);
    const { method, url, headers } = request;
    return this.answerByLibrary(Object.assign(Readable.from([body]), { method, url, headers }), reply, auth, errand);
  }

  private answerByLibrary(
    request: Parameters<typeof this.handler>[0],
    reply: ServerResponse,
    auth: AuthInfo,
    errand: Errand,
  ): Promise<void> {
    for (const [name, value] of Object.entries(errand.headers)) if (value !== undefined) reply.setHeader(name, value);
    return this.handler(Object.assign(request, { auth: { ...auth, extra: { errand } } }), reply);
  }
}

/** What results of the newest revision say besides. */
const MORE = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO } };

async function answerCall(
  { id, inputs, isNewest }: PlainCall,
  tool: Tool,
  { rest, headers, failed }: Errand,
  reply: ServerResponse,
): Promise<void> {
  let answered: RestAnswer | undefined;
  const outcome = await callTool(tool, inputs, async (call) => (answered = await rest(call))).then(
    (result) => `"result":${resultText(isNewest ? { ...result, ...MORE } : result, answered)}`,
    (error: unknown) => {
      failed(error);
      return '"error":{"code":-32603,"message":"Internal error"}';
    },
  );
  const text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcome}}`;
  reply.writeHead(200, {
    ...(headers as OutgoingHttpHeaders),
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  reply.end(text);
}

/** What the API has written is not written once more: a page of records is long. */
function resultText({ structuredContent, ...result }: CallToolResult, answered: RestAnswer | undefined): string {
  const structured =
    answered?.text !== undefined && answered.body === structuredContent ? answered.text : JSON.stringify(structuredContent);
  return `{"structuredContent":${structured},${JSON.stringify(result).slice(1)}`;
}
