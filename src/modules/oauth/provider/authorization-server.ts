import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { Settings } from '../../../kernel/settings/settings.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { UsersService } from '../../users/index.js';
import { ProviderHooks } from './provider-hooks.js';
import { OAuthStorage } from '../storage/oauth-storage.js';

/** The certified authorization server, and how requests get to it. It keeps nothing in the process: any replica answers. */
@Injectable()
export class AuthorizationServer {
  private made: ReturnType<AuthorizationServer['make']> | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly secrets: Secrets,
    private readonly storage: OAuthStorage,
    private readonly calls: ProviderHooks,
    private readonly users: UsersService,
  ) {}

  async provider(): Promise<Provider> {
    return (await this.start()).provider;
  }

  /** Hands a request over; its answer is the server's alone. */
  async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { callback } = await this.start();
    takeOver(request, reply, this.settings);
    await callback(request.raw, reply.raw);
  }

  /** With the first request: only then is it sure which address the service has. And commands go without: it takes a while to load. */
  private start() {
    return (this.made ??= this.make());
  }

  private async make() {
    const { settings, secrets } = this;
    const { makeProvider } = await import('./make-provider.js');
    const isUserOf = async (userId: string, organizationId: string) => (await this.users.byId(userId))?.organizationId === organizationId;
    const provider = makeProvider({ settings, secrets, adapter: (kind) => this.storage.of(kind), isUserOf });
    this.calls.attachTo(provider);
    return { provider, callback: provider.callback() };
  }
}

/** From here on the answer is written by somebody else; headers that every answer has go along. */
export function takeOver(request: FastifyRequest, reply: FastifyReply, { publicUrl }: Settings): void {
  const { host, protocol } = new URL(publicUrl);
  Object.assign(request.raw.headers, {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': request.ip,
  });
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
}
