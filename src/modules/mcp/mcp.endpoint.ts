import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { createMcpHandler, type AuthInfo, type McpRequestContext } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CredentialResolvers, EndedCredential, type Scheme } from '../../platform/access/credential-resolver.js';
import { Settings } from '../../platform/config/settings.js';
import { OpenApiSource } from '../../platform/operation/openapi-source.js';
import { wished, wishOf, type Wish } from './offer.js';
import type { Rest, RestAnswer } from './rest-call.js';
import { toolServer } from './tool-server.js';
import type { Tool } from './tool.js';
import { toolsOf, type Contract } from './tools.js';

const BODY_MAX_BYTES = 2 * 1024 * 1024;

/** What a request to the tool server brings along to those that answer it. */
interface Errand {
  readonly rest: Rest;
  readonly wish: Wish;
}

/** The tool server behind HTTP: it keeps nothing between requests, so any replica answers. */
@Injectable()
export class McpEndpoint {
  private made: readonly Tool[] | undefined;
  private readonly handler = toNodeHandler(createMcpHandler((context) => this.serverFor(context), { maxRequestBodySize: BODY_MAX_BYTES }), { maxRequestBodySize: BODY_MAX_BYTES });

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly resolvers: CredentialResolvers,
    private readonly openApi: OpenApiSource,
    private readonly settings: Settings,
  ) {}

  async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!this.isFromHere(request)) return this.refuse(reply, 403, 'forbidden', 'The headers Host and Origin must name this service.');
    const credential = credentialOf(request);
    if (!credential) return this.challenge(reply, '');
    const principal = await this.resolvers.resolve(credential.value, credential.scheme);
    if (!principal || principal instanceof EndedCredential) return this.rejected(request, reply);
    if (principal.audience !== null && principal.audience !== this.resource) return this.challenge(reply, ', error="invalid_token", error_description="the token is for another resource"');
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
    const errand: Errand = { rest: this.restFor(request), wish: wishOf(new URL(request.url, this.settings.publicUrl).searchParams) };
    const auth: AuthInfo = { token: '', clientId: principal.id, scopes: [...principal.scopes], extra: { errand } };
    await this.handler(Object.assign(request.raw, { auth }), reply.raw);
  }

  private get resource(): string {
    return `${this.settings.publicUrl}/mcp`;
  }

  private get tools(): readonly Tool[] {
    return (this.made ??= toolsOf(this.openApi.document as unknown as Contract));
  }

  private serverFor({ authInfo }: McpRequestContext) {
    const { rest, wish } = authInfo!.extra!.errand as Errand;
    return toolServer(wished(this.tools, wish), rest);
  }

  /** A page of somebody else's in a browser must not get through, whatever name it has for this machine. */
  private isFromHere({ headers }: FastifyRequest): boolean {
    const { host, hostname } = new URL(this.settings.publicUrl);
    const isOwn = (name: string): boolean => name === host || name.replace(/:\d+$/, '') === hostname;
    const { origin } = headers;
    return isOwn(headers.host ?? '') && (origin === undefined || (URL.canParse(origin) && isOwn(new URL(origin).host)));
  }

  /** Calls of the API take the whole way that a call from outside takes, but for the network. */
  private restFor({ headers, ip, id }: FastifyRequest): Rest {
    const fastify = this.http.httpAdapter.getInstance<FastifyInstance>();
    const credential = { ...(headers['x-api-key'] && { 'x-api-key': headers['x-api-key'] }), ...(headers.authorization && { authorization: headers.authorization }) };
    return async ({ method, url, headers: further, body }): Promise<RestAnswer> => {
      const sent = { ...credential, ...further, host: new URL(this.settings.publicUrl).host, accept: 'application/json', 'x-request-id': id, ...(body && { 'content-type': 'application/json' }) };
      const answer = await fastify.inject({ method: method as 'GET', url, headers: sent, remoteAddress: ip, ...(body && { payload: JSON.stringify(body) }) });
      return { status: answer.statusCode, body: answer.payload === '' ? undefined : JSON.parse(answer.payload) };
    };
  }

  /** The API says how it refuses such a credential, and counts it. */
  private async rejected(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { status } = await this.restFor(request)({ method: 'GET', url: '/v1/auth/context', headers: {}, body: undefined });
    if (status === 401) return this.challenge(reply, ', error="invalid_token"');
    return this.refuse(reply, status, 'rejected', 'The credential cannot be used now.');
  }

  private challenge(reply: FastifyReply, error: string): void {
    const metadata = `${this.settings.publicUrl}/.well-known/oauth-protected-resource/mcp`;
    void reply.header('WWW-Authenticate', `Bearer realm="${this.settings.publicUrl}"${error}, resource_metadata="${metadata}"`);
    this.refuse(reply, 401, 'unauthorized', 'An access token or an API key is needed.');
  }

  private refuse(reply: FastifyReply, status: number, error: string, message: string): void {
    void reply.status(status).header('Content-Type', 'application/json; charset=utf-8').send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32001, message, data: { error } } }));
  }
}

function credentialOf({ headers }: FastifyRequest): { value: string; scheme: Scheme } | undefined {
  const apiKey = headers['x-api-key'];
  if (typeof apiKey === 'string') return { value: apiKey, scheme: 'api-key' };
  const [, token] = /^bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  return token === undefined ? undefined : { value: token, scheme: 'bearer' };
}
