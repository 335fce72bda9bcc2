import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CredentialResolvers, EndedCredential, type Scheme } from '../../api/access/credential-resolver.js';
import type { Principal } from '../../api/access/principal.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Log } from '../../kernel/log.js';
import { Ports } from '../../store/discovery/ports.js';
import { OpenApiSource } from '../../api/operation/openapi-source.js';
import { UnknownWish } from './offer.js';
import { mayBePlain } from './plain-call.js';
import { REFUSED, type Rest } from './rest-call.js';
import { restWithin } from './rest-within.js';
import type { MakeServer, Serving } from './serving.js';
import { toolsOf, type Contract } from './tools.js';

/** The tool server behind HTTP: it keeps nothing between requests, so any replica answers. */
@Injectable()
export class McpEndpoint implements OnModuleInit {
  /** Another may be put here before the first request comes: tests of the protocol need tools that no service should have. */
  makeServer: MakeServer | undefined;
  private serving: Promise<Serving> | undefined;
  private own: { readonly publicUrl: string; readonly host: string; readonly hostname: string } | undefined;

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly resolvers: CredentialResolvers,
    private readonly ports: Ports,
    private readonly settings: Settings,
    @Inject(Log) private readonly log: Log,
  ) {}

  /**
   * A plain call need not pass the guards first, which have nothing to do here: who calls is found below, and the call that is made
   * of it passes them all. That is a tenth of what it costs.
   */
  onModuleInit(): void {
    // A worker has no server.
    const adapter = this.http.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
    adapter?.getInstance<FastifyInstance>().addHook('onRequest', (request, reply, done) => {
      if (request.routeOptions.url !== '/mcp' || !mayBePlain(request.raw)) return done();
      this.handle(request, reply).catch(done);
    });
  }

  async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!this.isFromHere(request)) return this.refuse(reply, 403, 'forbidden', 'The headers Host and Origin must name this service.');
    const credential = credentialOf(request);
    if (!credential) return this.challenge(reply, '');
    const principal = credential.isOnly ? await this.resolvers.resolve(credential.value, credential.scheme) : undefined;
    if (!principal || principal instanceof EndedCredential) return this.rejected(request, reply);
    if (principal.audience !== null && principal.audience !== this.resource)
      return this.challenge(
        reply,
        ', error="invalid_token", error_description="the token is for another resource"',
        'The token is for another resource.',
      );
    const serving = await this.served();
    const wish = serving.wishOf(request.url);
    if (wish instanceof UnknownWish) return this.refuse(reply, 400, 'unknown_wish', wish.message);
    reply.hijack();
    const auth: AuthInfo = { token: '', clientId: principal.id, scopes: [...principal.scopes] };
    const failed = (error: unknown): void => this.log.error({ err: error, requestId: request.id }, 'A call of a tool failed');
    await serving.answer(request.raw, reply.raw, auth, {
      rest: this.restFor(request, principal),
      wish,
      failed,
      headers: reply.getHeaders(),
    });
  }

  /** The library of the protocol is loaded when somebody speaks it: other processes need not wait for it. */
  private served(): Promise<Serving> {
    return (this.serving ??= import('./serving.js').then(
      ({ Serving }) => new Serving(toolsOf(this.ports.only(OpenApiSource)!.document as unknown as Contract), this.makeServer),
    ));
  }

  private get resource(): string {
    return `${this.settings.publicUrl}/mcp`;
  }

  /** Where this service is; read again where the address changes, as when a free port was found. */
  private get here() {
    const { publicUrl } = this.settings;
    if (this.own?.publicUrl === publicUrl) return this.own;
    const { host, hostname } = new URL(publicUrl);
    return (this.own = { publicUrl, host, hostname });
  }

  /** A page of somebody else's in a browser must not get through, whatever name it has for this machine. */
  private isFromHere({ headers }: FastifyRequest): boolean {
    const { host, hostname } = this.here;
    const isOwn = (name: string): boolean =>
      name === host || name.replace(/:\d+$/, '') === hostname || (LOOPBACK.test(hostname) && LOOPBACK.test(name.replace(/:\d+$/, '')));
    const { origin } = headers;
    return isOwn(headers.host ?? '') && (origin === undefined || (URL.canParse(origin) && isOwn(new URL(origin).host)));
  }

  private restFor(request: FastifyRequest, principal?: Principal): Rest {
    return restWithin(this.http.httpAdapter.getInstance<FastifyInstance>(), this.here.host, request, principal);
  }

  /** The API says how it refuses such a credential, and counts it. */
  private async rejected(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { status, body, retryAfter } = await this.restFor(request)({
      method: 'GET',
      url: '/v1/auth/context',
      headers: {},
      body: undefined,
    });
    const { code = 'rejected', detail = 'The credential cannot be used.' } = (body ?? {}) as { code?: string; detail?: string };
    if (status === 401) return this.challenge(reply, ', error="invalid_token"', detail);
    if (retryAfter !== undefined) void reply.header('Retry-After', retryAfter);
    return this.refuse(reply, status, code, detail);
  }

  private challenge(reply: FastifyReply, error: string, message = 'An access token or an API key is needed.'): void {
    const metadata = `${this.settings.publicUrl}/.well-known/oauth-protected-resource/mcp`;
    void reply.header('WWW-Authenticate', `Bearer realm="${this.settings.publicUrl}"${error}, resource_metadata="${metadata}"`);
    this.refuse(reply, 401, 'unauthorized', message);
  }

  private refuse(reply: FastifyReply, status: number, error: string, message: string): void {
    void reply
      .status(status)
      .header('Content-Type', 'application/json; charset=utf-8')
      .send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: REFUSED, message, data: { error } } }));
  }
}

/** Names of this very machine: who can be asked by one may be asked by all. No page of somebody else's has one of them. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

interface Credential {
  readonly value: string;
  readonly scheme: Scheme;
  /** The API refuses calls with two. */
  readonly isOnly: boolean;
}

function credentialOf({ headers: { 'x-api-key': apiKey, authorization } }: FastifyRequest): Credential | undefined {
  if (typeof apiKey === 'string') return { value: apiKey, scheme: 'api-key', isOnly: !authorization };
  const [, token] = /^bearer (.+)$/i.exec(authorization ?? '') ?? [];
  return token === undefined ? undefined : { value: token, scheme: 'bearer', isOnly: true };
}
