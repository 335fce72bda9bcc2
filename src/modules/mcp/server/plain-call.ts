import {
  classifyInboundRequest,
  PerRequestHTTPServerTransport,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type AuthInfo,
  type CallToolRequestParams,
  type CallToolResult,
  type InputRequiredResult,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageClassification,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { SERVER_INFO } from './tool-server.js';

type CallHandler = (params: CallToolRequestParams, context: ServerContext) => Promise<CallToolResult | InputRequiredResult>;

/** The revision without sessions and handshake. The SDK keeps it to itself. */
const NEWEST = '2026-07-28';

/** One call of a tool that wants nothing but its answer, with all that its revision requires. */
export interface PlainCall {
  readonly tool: string;
  readonly message: JSONRPCRequest;
  readonly isNewest: boolean;
}

/**
 * The plain call that a request is; undefined if it is anything else, or lacks something, so that the SDK's own handler answers or refuses
 * it. That one makes a web request, a web response and streams of each, which together cost more than the call.
 */
export function plainCallIn({ headers }: Pick<FastifyRequest, 'headers'>, body: unknown): PlainCall | undefined {
  const [protocolVersionHeader, mcpMethodHeader, mcpNameHeader] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map(
    (name) => headers[name] as string | undefined,
  );
  const route = classifyInboundRequest({ httpMethod: 'POST', protocolVersionHeader, mcpMethodHeader, mcpNameHeader, body });
  const message = body as JSONRPCRequest;
  if (route.kind === 'reject' || message.method !== 'tools/call' || message.id === undefined) return undefined;
  const { name, _meta } = (message.params ?? {}) as { name?: unknown; _meta?: { progressToken?: unknown } };
  if (typeof name !== 'string' || _meta?.progressToken !== undefined) return undefined;
  if (route.kind === 'legacy') {
    const isKnown = protocolVersionHeader === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersionHeader);
    return isKnown && takesEither(headers.accept) ? { tool: name, message, isNewest: false } : undefined;
  }
  const isWhole = protocolVersionHeader === NEWEST && route.classification.revision === NEWEST && mcpMethodHeader !== undefined;
  return isWhole && mcpNameHeader === name ? { tool: name, message, isNewest: true } : undefined;
}

/** Clients of older revisions must take both, and are answered with JSON, too: an event stream is for progress. */
const takesEither = (accept = ''): boolean => accept.includes('application/json') && accept.includes('text/event-stream');

/**
 * A connection to a server of the SDK, for all plain calls of its revisions: a server for each call would cost half as much as the call.
 * Messages have ids of ours on it, and each brings the request that it came with.
 */
class Connection extends PerRequestHTTPServerTransport {
  private readonly waiting = new Map<unknown, (answer: JSONRPCMessage) => void>();
  private asked = 0;

  constructor(private readonly classification: MessageClassification | undefined) {
    super({ classification: classification ?? { era: 'legacy' } });
  }

  async ask(message: JSONRPCRequest, authInfo: AuthInfo): Promise<JSONRPCMessage> {
    const { classification } = this;
    const id = (this.asked += 1);
    const answer = await new Promise<JSONRPCMessage>((resolve) => {
      this.waiting.set(id, resolve);
      this.onmessage!({ ...message, id }, { authInfo, ...(classification && { classification }) });
    });
    return { ...answer, id: message.id };
  }

  override send(answer: JSONRPCMessage): Promise<void> {
    const { id } = answer as { id?: unknown };
    this.waiting.get(id)?.(answer);
    this.waiting.delete(id);
    return Promise.resolve();
  }
}

/** Answers plain calls. `handle` is given the request that a call came with, as its `authInfo` has it. */
export class PlainCalls {
  private constructor(
    private readonly newest: Connection,
    private readonly older: Connection,
  ) {}

  static async handledBy(handle: CallHandler): Promise<PlainCalls> {
    const connected = async (classification?: MessageClassification): Promise<Connection> => {
      const [connection, server] = [
        new Connection(classification),
        new Server(SERVER_INFO, { capabilities: { tools: {} }, supportedProtocolVersions: [...SUPPORTED_PROTOCOL_VERSIONS, NEWEST] }),
      ];
      server.setRequestHandler('tools/call', ({ params }, context) => handle(params, context));
      await server.connect(connection);
      return connection;
    };
    return new PlainCalls(await connected({ era: 'modern', revision: NEWEST }), await connected());
  }

  answerTo({ message, isNewest }: PlainCall, authInfo: AuthInfo): Promise<JSONRPCMessage> {
    return (isNewest ? this.newest : this.older).ask(message, authInfo);
  }
}
