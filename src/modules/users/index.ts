export { UsersModule } from './users.module.js';
export { PersonErasure, type ErasedPerson } from './forgetting/person-erasure.service.js';
export { UserDto } from './user.dto.js';
export { UsersService, InvitationsService, type Invitation } from './users.service.js';
export { AccountPasskeys, PASSKEY_NAME_MAX } from './accounts/account-passkeys.service.js';
export { AskedAgain, Accounts, type Security } from './accounts/accounts.service.js';
export { SignInService, SignInSteps, type SignIn, type SignInRequest, SignInRulesService } from './sign-in/sign-in.service.js';
export { Passkeys } from './sign-in/passkeys.js';
export {
  OrganizationField,
  PASSKEY_PATH,
  PasskeyButton,
  PasskeyLink,
  ProblemNote,
  signInPage,
  type SignInState,
} from './sign-in/sign-in.page.js';
export { passwordHint, makePassword, totpUriOf, type ProposedSecret } from './sign-in/passwords.js';
export { NewPasswordFields, problemWithPassword } from './new-password-fields.js';
export { IdentityProvidersService } from './single-sign-on/identity-providers.service.js';
export { SignInProvider } from './single-sign-on/sign-in-ways.js';
export type { ComingBack, Departure, SignInOrganization, SignInWay, Vouched, SignOnRefusal } from './single-sign-on/sign-in-ways.js';
export { FIRST_PAGE, pageWithin } from './sign-in/page-within.js';
export { hasSecondFactor, type UserFacts } from './user-rules.js';
