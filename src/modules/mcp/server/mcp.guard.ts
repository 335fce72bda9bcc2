import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IpAllowlistGuard, RateLimitGuard } from '../../../api/access/access.guards.js';
import { Authenticator } from '../../../api/access/authenticator.js';
import { Registry } from '../../../api/operation/registry.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { filterOfUrl, filterTools, UnknownToolFilter } from '../tools/available-tools.js';
import { MCP_PATH } from './mcp.resource.js';
import { McpRefusal } from './mcp-refusal.js';
import { namesThisService } from './request-checks.js';

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
    request.principal = await this.authenticator.principalOf(execution, { path: MCP_PATH, scopes }); // who calls: 401
    this.allowlist.canActivate(execution); // from where: 403
    await this.rateLimit.enter(request, http.getResponse<FastifyReply>()); // how often: 429
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
