export { UsersModule } from './users.module.js';
export { UsersService, type IssuedSecondFactor } from './users.service.js';
export { InvitationsService, type Invitation } from './invitations/invitations.service.js';
export { SignInService, type SignIn, type SignInRequest } from './sign-in/sign-in.service.js';
export { SignInSteps } from './sign-in/sign-in-steps.js';
export { OrganizationField, signInPage, type SignInState } from './sign-in/sign-in.page.js';
export { IdentityProvidersService } from './single-sign-on/identity-providers.service.js';
export { makePassword } from './sign-in/passwords.js';
export type { UserFacts } from './user-facts.js';
