import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimitGuard } from '../../../api/access/access.guards.js';
import { OpenApiSource } from '../../../api/operation/openapi-source.js';
import { readJson } from '../../../api/validation/read-request.js';
import { Log } from '../../../kernel/log.js';
import { tierOf } from '../../../kernel/plans.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Implements, Ports, WarmUp } from '../../../store/discovery/ports.js';
import type { McpHandler } from './mcp-handler.js';
import { checkMembers, messagesIn } from './request-checks.js';
import { restInProcess } from './rest-in-process.js';
import type { MakeServer } from './tool-server.js';

/** The tool server over HTTP. It keeps no state between requests, so any replica can answer. */
@Implements(WarmUp)
@Injectable()
export class McpService implements WarmUp {
  /** Tests of the protocol replace this before the first request: they need tools that the service must not have. */
  makeServer: MakeServer | undefined;
  private handler: Promise<McpHandler> | undefined;

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly ports: Ports,
    private readonly settings: Settings,
    private readonly rateLimit: RateLimitGuard,
    @Inject(Log) private readonly log: Log,
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
      callRest: restInProcess(this.http.httpAdapter.getInstance<FastifyInstance>(), request),
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
    if (count > 1) await this.rateLimit.take(principal, reply, count - 1);
    return body;
  }

  /** Processes that serve no tools do not load the SDK. */
  private loadHandler(): Promise<McpHandler> {
    return (this.handler ??= import('./mcp-handler.js').then(({ McpHandler }) =>
      McpHandler.of(this.ports.only(OpenApiSource)!.document, this.makeServer),
    ));
  }
}
