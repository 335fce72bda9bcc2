export { UsersModule } from './users.module.js';
export { UsersService } from './users.service.js';
export { AskedAgain } from './accounts/asked-again.js';
export { Accounts, type IssuedSecondFactor, type Security } from './accounts/accounts.service.js';
export { InvitationsService, type Invitation } from './invitations/invitations.service.js';
export { SignInService, type SignIn, type SignInRequest } from './sign-in/sign-in.service.js';
export { SignInRulesService } from './sign-in/sign-in-rules.js';
export { SignInSteps } from './sign-in/sign-in-steps.js';
export { OrganizationField, signInPage, type SignInState } from './sign-in/sign-in.page.js';
export { PASSWORD_HINT } from './sign-in/password-rules.js';
export { totpUriOf, type ProposedSecret } from './sign-in/second-factor.js';
export { NewPasswordFields, problemWithPassword } from './new-password-fields.js';
export { IdentityProvidersService } from './single-sign-on/identity-providers.service.js';
export {
  SignInProvider,
  type ComingBack,
  type Departure,
  type SignInOrganization,
  type SignInWay,
  type Vouched,
} from './single-sign-on/sign-in-provider.js';
export type { SignOnRefusal } from './single-sign-on/sign-on-refusals.js';
export { FIRST_PAGE, pageWithin } from './sign-in/page-within.js';
export { makePassword } from './sign-in/passwords.js';
export type { UserFacts } from './user-rules.js';
