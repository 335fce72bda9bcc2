import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimitGuard } from '../../../api/access/access.guards.js';
import { DocumentSource } from '../../../api/operation/document-source.js';
import { readJson } from '../../../api/validation/read-request.js';
import { Log } from '../../../kernel/log.js';
import { tierOf } from '../../../kernel/plans.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Implements, Ports, WarmUp } from '../../../store/discovery/ports.js';
import type { Guides } from '../resources.js';
import type { McpHandler } from './mcp-handler.js';
import { INVALID_REQUEST, McpRefusal } from './mcp-refusal.js';
import { ToolDoor } from './tool-door.js';
import type { MakeServer } from './tool-server.js';

/** The tool server over HTTP. It keeps no state between requests, so any replica can answer. */
@Implements(WarmUp)
@Injectable()
export class McpService implements WarmUp {
  /** Tests of the protocol replace this before the first request: they need tools that the service must not have. */
  makeServer: MakeServer | undefined;
  private handler: Promise<McpHandler> | undefined;
  private readonly guides: Guides = {
    list: () => this.ports.only(DocumentSource)!.guides(),
    text: async (wanted) => (await this.ports.only(DocumentSource)!.guides()).find(({ name }) => name === wanted)?.text,
  };

  constructor(
    private readonly door: ToolDoor,
    private readonly ports: Ports,
    private readonly settings: Settings,
    private readonly rateLimit: RateLimitGuard,
    private readonly log: Log,
  ) {}

  async warmUp(): Promise<void> {
    if (this.settings.role !== 'worker') await this.loadHandler();
  }

  /** Answers a request that its guard has let in. */
  async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const handler = await this.loadHandler();
    const filter = handler.filterOf(request);
    const body = request.method === 'POST' ? await this.readMessages(request, reply) : undefined;
    await handler.answer(request, reply, body, {
      filter,
      callRest: this.door.for(request),
      guides: this.guides,
      onFailure: (error) => this.log.error({ err: error, requestId: request.id }, 'tool call failed'),
    });
  }

  /** Every message counts against the rate limit once. The guard has counted the first: it was asked before the body was read. */
  private async readMessages(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const body = await readJson(request);
    if (body === undefined) throw new Problem('malformed_json', { detail: 'The body must be a message of JSON-RPC.' });
    checkMembers(body);
    const principal = request.principal!;
    const count = messagesIn(body, tierOf(this.settings.rateLimits, principal.organization).burst);
    const headers = {};
    if (count > 1) await this.rateLimit.take(principal, headers, count - 1).finally(() => void reply.headers(headers));
    return body;
  }

  /** Processes that serve no tools do not load the SDK. */
  private loadHandler(): Promise<McpHandler> {
    return (this.handler ??= import('./mcp-handler.js').then(({ McpHandler }) =>
      McpHandler.of(this.ports.only(DocumentSource)!.document, this.makeServer),
    ));
  }
}

/**
 * The most members that all objects of a request may have together. The SDK checks members one by one: a megabyte of them would
 * block the process for a second. Valid inputs of a tool have fewer, even if their free-form objects are as large as they may be.
 */
export const MEMBERS_MAX = 15_000;

function checkMembers(body: unknown): void {
  if (membersOf(body) <= MEMBERS_MAX) return;
  const message = `The objects of a request may have at most ${MEMBERS_MAX} members together.`;
  throw new McpRefusal({ status: 400, code: 'too_many_members', message, rpcCode: INVALID_REQUEST });
}

/** The body is nested a limited number of levels: it was checked when it was read. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, item) => sum + membersOf(item), Array.isArray(value) ? 0 : inner.length);
}

/** The most messages in one request. Only revision 2025-03-26 has requests with several. */
const BATCH_MAX = 100;

/**
 * How many messages a body has. A batch that is larger than the burst of the rate limit could never be let in, however long its
 * sender waited.
 */
function messagesIn(body: unknown, burst: number): number {
  if (!Array.isArray(body)) return 1;
  const max = Math.min(BATCH_MAX, burst);
  if (body.length <= max) return body.length;
  const message = `A batch may have at most ${max} messages. Each of them counts against the rate limit.`;
  throw new McpRefusal({ status: 400, code: 'batch_too_large', message, rpcCode: INVALID_REQUEST });
}
