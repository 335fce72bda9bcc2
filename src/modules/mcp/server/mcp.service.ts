import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Challenge } from '../../../api/access/challenge.js';
import { CredentialResolvers, EndedCredential } from '../../../api/access/credential-resolver.js';
import type { Principal } from '../../../api/access/principal.js';
import { OpenApiSource } from '../../../api/operation/openapi-source.js';
import { Log } from '../../../kernel/log.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Ports } from '../../../store/discovery/ports.js';
import type { McpHandler } from './mcp-handler.js';
import { MCP_PATH } from './mcp.resource.js';
import { credentialOf, isForTools, namesThisService, refuse } from './request-checks.js';
import { refusalOf, restInProcess } from './rest-in-process.js';
import type { MakeServer } from './tool-server.js';

/** The tool server over HTTP. It keeps no state between requests, so any replica can answer. */
@Injectable()
export class McpService {
  /** Tests of the protocol replace this before the first request: they need tools that the service must not have. */
  makeServer: MakeServer | undefined;
  private handler: Promise<McpHandler> | undefined;

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly resolvers: CredentialResolvers,
    private readonly ports: Ports,
    private readonly settings: Settings,
    private readonly challenge: Challenge,
    @Inject(Log) private readonly log: Log,
  ) {}

  async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { publicUrl } = this.settings;
    if (!namesThisService(request, publicUrl))
      return refuse(reply, { status: 403, code: 'forbidden', message: 'The headers Host and Origin must name this service.' });
    const credential = credentialOf(request);
    if (!credential) return this.unauthorized(reply, 'An access token or an API key is needed.');
    const principal = credential.isOnly ? await this.resolvers.resolve(credential.value, credential.scheme) : undefined;
    if (!principal || principal instanceof EndedCredential) return this.refuseCredential(request, reply);
    if (!isForTools(principal, publicUrl))
      return this.unauthorized(reply, 'The token is for another resource.', {
        error: 'invalid_token',
        error_description: 'the token is for another resource',
      });
    const handler = await this.loadHandler();
    await handler.answer(request, reply, {
      callRest: this.restFor(request, principal),
      onFailure: (error) => this.log.error({ err: error, requestId: request.id }, 'tool call failed'),
    });
  }

  /** The SDK is loaded with the first request: processes that serve no tools start faster without it. */
  private loadHandler(): Promise<McpHandler> {
    return (this.handler ??= import('./mcp-handler.js').then(({ McpHandler }) =>
      McpHandler.of(this.ports.only(OpenApiSource)!.document, this.makeServer),
    ));
  }

  private restFor(request: FastifyRequest, principal?: Principal): ReturnType<typeof restInProcess> {
    return restInProcess(this.http.httpAdapter.getInstance<FastifyInstance>(), request, principal);
  }

  /** Lets the API refuse the credential, so that the answer is the same and the failed attempt is counted. */
  private async refuseCredential(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { retryAfter, ...refusal } = await refusalOf(this.restFor(request));
    if (refusal.status === 401) return this.unauthorized(reply, refusal.message, { error: 'invalid_token' });
    if (retryAfter !== undefined) void reply.header('Retry-After', retryAfter);
    return refuse(reply, refusal);
  }

  /** The challenge says where clients learn who issues tokens for this server (RFC 9728). */
  private unauthorized(reply: FastifyReply, message: string, error: Readonly<Record<string, string>> = {}): void {
    void reply.header('WWW-Authenticate', this.challenge.unauthorized(error, MCP_PATH));
    refuse(reply, { status: 401, code: 'unauthorized', message });
  }
}
