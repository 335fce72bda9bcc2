import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageWithin } from '../sign-in/page-within.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { isStorableText } from '../../../kernel/text.js';
import { OrganizationService } from '../../organization/index.js';
import type { UserFacts } from '../user-facts.js';
import type { IdentityProvider } from './identity-provider.entity.js';
import { IdentityProvidersService } from './identity-providers.service.js';
import { ProviderClient } from './provider-client.js';
import type { Call } from './sign-on-entries.js';
import { reasonOf } from './sign-on-failures.js';
import { SignOnService, type RefusedSignOn } from './sign-on.service.js';
import { StartedSignOns } from './started-sign-ons.js';

const UNKNOWN = 'No organization with this short name has single sign-on. Ask an owner of your organization for it.';

/** The two steps of a sign-in by an identity provider. What providers say when something fails is shown and logged nowhere. */
@Injectable()
export class CompanySignIn {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly providers: IdentityProvidersService,
    private readonly client: ProviderClient,
    private readonly started: StartedSignOns,
    private readonly signOns: SignOnService,
    private readonly settings: Settings,
  ) {}

  /** What the address of a provider may begin with. */
  get possibleTargets(): string[] {
    return ['https://provider', ...(this.settings.identityProviderAllowedNetworks.length > 0 ? ['http://provider'] : [])];
  }

  /** Where the browser goes now. An organization that does not exist is like one without single sign-on. */
  async start(
    reply: FastifyReply,
    slug: string,
    next: string,
    call: Call,
  ): Promise<{ readonly url: string } | { readonly problem: string } | RefusedSignOn> {
    const provider = await this.providerOf(slug.trim().toLowerCase());
    if (!provider) return { problem: UNKNOWN };
    try {
      const { url, ...question } = await this.client.addressFor(provider);
      this.started.keep(reply, { ...question, organizationId: provider.organizationId, providerId: provider.id, next });
      return { url };
    } catch (error) {
      return this.signOns.refuse(provider, reasonOf(error), call);
    }
  }

  /** Who came back from the provider, and to which page they go. */
  async finish(request: FastifyRequest, reply: FastifyReply): Promise<{ readonly user: UserFacts; readonly next: string } | RefusedSignOn> {
    const started = this.started.take(request, reply);
    const provider = started && (await this.providers.of(started.organizationId));
    if (!started || provider?.id !== started.providerId) return { refused: 'expired' };
    const call = { address: request.ip, requestId: request.id };
    let claims: Record<string, unknown>;
    try {
      claims = await this.client.claimsFor(provider, started, queryOf(request.url));
    } catch (error) {
      return this.signOns.refuse(provider, reasonOf(error), call);
    }
    const result = await this.signOns.signIn(provider, claims, call);
    return 'refused' in result ? result : { ...result, next: pageWithin(started.next) };
  }

  private async providerOf(slug: string): Promise<IdentityProvider | undefined> {
    if (slug === '' || !isStorableText(slug)) return undefined;
    try {
      return await this.providers.of((await this.organizations.named(slug)).id);
    } catch (error) {
      // It does not exist, or is being erased.
      if (error instanceof Problem && error.status < 500) return undefined;
      throw error;
    }
  }
}

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}
