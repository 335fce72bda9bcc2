import { Injectable } from '@nestjs/common';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import type { IdentityProvider } from './identity-provider.entity.js';
import { IdentityProvidersService } from './identity-providers.service.js';
import { personIn } from './person.js';
import { ProviderClient, type Question } from './provider-client.js';
import { SignInProvider, type SignInOrganization, type SignInWay } from './sign-in-provider.js';
import { SingleSignOnRepository } from './single-sign-on.repository.js';

/** Sign-in by the OpenID Connect provider that the owners of an organization have set up. */
@Implements(SignInProvider)
@Injectable()
export class OpenIdSignIn implements SignInProvider {
  readonly name = 'openid';

  constructor(
    private readonly providers: IdentityProvidersService,
    private readonly client: ProviderClient,
    private readonly signOns: SingleSignOnRepository,
  ) {}

  async wayOf({ id }: SignInOrganization): Promise<SignInWay | undefined> {
    const provider = await this.providers.find(id);
    return provider && this.wayBy(provider);
  }

  private wayBy(provider: IdentityProvider): SignInWay {
    return {
      key: provider.id,
      emailDomains: provider.emailDomains,
      defaultRole: provider.defaultRole,
      begin: async () => {
        const { url, ...question } = await this.client.addressFor(provider);
        return { url, kept: JSON.stringify(question) };
      },
      finish: async ({ query, kept }) => {
        const claims = await this.client.claimsFor(provider, JSON.parse(kept) as Question, query.size === 0 ? '' : `?${query}`);
        return personIn(claims, provider);
      },
      stillHolds: (unit) => this.isStill(provider, unit),
    };
  }

  /** Locked: changes of the provider wait. */
  private async isStill({ id, organizationId, issuer, clientId }: IdentityProvider, unit: Unit): Promise<boolean> {
    const now = await this.signOns.lock(organizationId, unit);
    return now?.id === id && now.issuer === issuer && now.clientId === clientId;
  }
}
