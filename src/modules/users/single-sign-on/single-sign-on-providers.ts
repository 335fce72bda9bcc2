import { CompanySignIn } from './company-sign-in.js';
import { IdentityProvider } from './identity-provider.entity.js';
import { IdentityProvidersService } from './identity-providers.service.js';
import { OpenIdSignIn } from './open-id-sign-in.js';
import { ProviderClient } from './provider-client.js';
import { ProviderRequests } from './provider-requests.js';
import { SignInWays } from './sign-in-ways.js';
import { SignOnController } from './sign-on.controller.js';
import { SignOnService } from './sign-on.service.js';
import { SingleSignOnConsole } from './single-sign-on.console.js';
import { SingleSignOnRepository } from './single-sign-on.repository.js';
import { StartedSignOns } from './started-sign-ons.js';
import { UserIdentity } from './user-identity.entity.js';

export { IdentityProvidersService };

export const SINGLE_SIGN_ON_ENTITIES = [IdentityProvider, UserIdentity];

export const SINGLE_SIGN_ON_CONTROLLERS = [SignOnController, SingleSignOnConsole];

/** What signs people in by the identity provider of their organization. */
export const SINGLE_SIGN_ON_PROVIDERS = [
  CompanySignIn,
  IdentityProvidersService,
  OpenIdSignIn,
  ProviderClient,
  ProviderRequests,
  SignInWays,
  SignOnService,
  SingleSignOnRepository,
  StartedSignOns,
];
