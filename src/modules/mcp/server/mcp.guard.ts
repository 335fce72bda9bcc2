import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IpAllowlistGuard, RateLimitGuard } from '../../../api/access/access.guards.js';
import { Authenticator } from '../../../api/access/authenticator.js';
import { PLACES_OF_A_LIST } from '../../../api/limits/calls-at-once.js';
import { Registry } from '../../../api/operation/registry.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { filterOfUrl, filterTools, UnknownToolFilter } from '../tools/available-tools.js';
import { MCP_PATH } from '../tools/rest-call.js';
import { McpRefusal } from './mcp-refusal.js';

/** All of them name this machine, so a service at one may be called by any. No foreign web page has one of these hosts. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Whether Host names this service. Otherwise a foreign web page could call it through DNS rebinding. A page of any origin may call
 * it by its own name: the credential is in a header, so the page must have one.
 */
function namesThisService({ headers: { host = '' } }: FastifyRequest, publicUrl: string): boolean {
  const own = new URL(publicUrl);
  const hostname = host.replace(/:\d+$/, '');
  return host === own.host || hostname === own.hostname || (LOOPBACK.test(own.hostname) && LOOPBACK.test(hostname));
}

/**
 * Before the protocol is spoken: the checks of the API that need no operation, in the same order. They read nothing but headers,
 * so a caller without access makes us parse nothing.
 */
@Injectable()
export class McpGuard implements CanActivate {
  constructor(
    private readonly settings: Settings,
    private readonly authenticator: Authenticator,
    private readonly allowlist: IpAllowlistGuard,
    private readonly rateLimit: RateLimitGuard,
    private readonly registry: Registry,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const http = execution.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (!namesThisService(request, this.settings.publicUrl))
      throw new McpRefusal({ status: 403, code: 'forbidden', message: 'The header Host must name this service.' });
    const scopes = (): string[] => this.scopesFor(request);
    const reply = http.getResponse<FastifyReply>();
    const principal = await this.authenticator.principalOf(request, reply, { path: MCP_PATH, scopes }); // who calls: 401
    request.principal = principal;
    this.allowlist.check(principal, { requestId: request.id, ipAddress: request.ip }); // from where: 403
    const arrival = { places: PLACES_OF_A_LIST, request, reply };
    const headers = {};
    await this.rateLimit.enter(principal, arrival, headers).finally(() => void reply.headers(headers)); // how often: 429
    return true;
  }

  /** The scopes of the tools that the client asked for in the address: a client of `/mcp?readonly` need not ask for more. */
  private scopesFor({ url }: FastifyRequest): string[] {
    const tools = this.registry.operations.flatMap(({ tool, capability, scope }) => (tool ? [{ risk: tool.risk, capability, scope }] : []));
    const filter = filterOfUrl(url, tools);
    const wanted = filter instanceof UnknownToolFilter ? tools : filterTools(tools, filter);
    return [...new Set(wanted.flatMap(({ scope }) => scope ?? []))].sort();
  }
}
