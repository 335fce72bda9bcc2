import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { detachReply } from '../../../api/http/answered-requests.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { Resources, ROUTES } from '../resources.js';
import { Accounts, ProviderHooks } from './provider-hooks.js';
import { OAuthStorage } from '../storage/oauth-storage.js';

/** Runs the authorization server and hands requests over to it. It keeps no state in the process: any replica can answer. */
@Injectable()
export class AuthorizationServer {
  private made: ReturnType<AuthorizationServer['make']> | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly secrets: Secrets,
    private readonly storage: OAuthStorage,
    private readonly hooks: ProviderHooks,
    private readonly accounts: Accounts,
    private readonly resources: Resources,
  ) {}

  async provider(): Promise<Provider> {
    return (await this.start()).provider;
  }

  async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { callback } = await this.start();
    request.raw.url = addressOf(request);
    detach(request, reply, this.settings);
    await callback(request.raw, reply.raw);
  }

  /** Made with the first request: the service's address is not known earlier, and commands do not have to load the library. */
  private start() {
    return (this.made ??= this.make());
  }

  private async make() {
    const { settings, secrets, resources, accounts, storage, hooks } = this;
    const { makeProvider } = await import('./make-provider.js');
    const takesOldAudiences = settings.assertionAudiences === 'endpoints';
    const issuer = settings.publicUrl;
    const provider = makeProvider({ issuer, resources, secrets, accounts, storage, devices: hooks.devices, takesOldAudiences });
    this.hooks.attachTo(provider);
    return { provider, callback: provider.callback() };
  }
}

/** The ids that oidc-provider gives interactions. */
const UID = /^[\w-]{43}$/;

/**
 * The address as oidc-provider knows it, made from the route that was found: the two routers do not read encoded letters and odd
 * ids alike. An authorization is resumed by its cookie. With parameters, the library's handling of errors fails.
 */
function addressOf({ url, routeOptions, params }: FastifyRequest): string {
  const route = routeOptions.url!;
  const { uid } = params as { uid?: string };
  if (route === ROUTES.code_verification) return route + enteredCode(url);
  if (uid === undefined) return route + /(?:\?.*)?$/s.exec(url)![0];
  if (!UID.test(uid)) throw new Problem('route_not_found');
  return route.replace(':uid', uid);
}

/** A link can contain the code of a device. The library would answer with a page that needs a script; ours fills the code in. */
function enteredCode(url: string): string {
  const code = new URLSearchParams(/(?:\?.*)?$/s.exec(url)![0]).get('user_code');
  return code === null ? '' : `?${new URLSearchParams({ code }).toString()}`;
}

/** Detaches the request from Fastify. The headers that every answer has are kept. */
export function detach(request: FastifyRequest, reply: FastifyReply, { publicUrl }: Settings): void {
  const { host, protocol } = new URL(publicUrl);
  Object.assign(request.raw.headers, {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': request.ip,
  });
  detachReply(request, reply);
}
