import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { OrganizationModule } from '../organization/index.js';
import { AccountPasskeys } from './accounts/account-passkeys.service.js';
import { Accounts, AskedAgain, CredentialChanges } from './accounts/accounts.service.js';
import { MembersConsole } from './console/members.console.js';
import { PeopleRepository } from './forgetting/people.repository.js';
import { PersonErasure } from './forgetting/person-erasure.service.js';
import { AcceptanceService, InvitationMail, InvitationsService, UsersService } from './users.service.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { Passkeys } from './sign-in/passkeys.js';
import { Passwords, SecondFactor } from './sign-in/passwords.js';
import { SignInAttempts, SignInRulesService, Admission, SignInService, SignInSteps } from './sign-in/sign-in.service.js';
import { CompanySignIn, StartedSignOns, SignOnService } from './single-sign-on/sign-on.service.js';
import { IdentityProvider, UserIdentity, User, UserInvitation } from './user.entity.js';
import { IdentityProvidersService } from './single-sign-on/identity-providers.service.js';
import { OpenIdSignIn, SignInWays } from './single-sign-on/sign-in-ways.js';
import { ProviderClient, ProviderRequests } from './single-sign-on/provider-client.js';
import { SignOnController } from './single-sign-on/sign-on.controller.js';
import { SingleSignOnConsole } from './single-sign-on/single-sign-on.console.js';
import { SingleSignOnRepository } from './single-sign-on/single-sign-on.repository.js';
import { UsersRepository } from './users.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([User, UserInvitation, IdentityProvider, UserIdentity]), OrganizationModule, AuditModule],
  controllers: [InvitationsController, MembersConsole, SignOnController, SingleSignOnConsole],
  providers: [
    UsersService,
    UsersRepository,
    PeopleRepository,
    PersonErasure,
    Accounts,
    AccountPasskeys,
    AskedAgain,
    CredentialChanges,
    InvitationsService,
    InvitationMail,
    AcceptanceService,
    SignInService,
    SignInSteps,
    SignInAttempts,
    SignInRulesService,
    Admission,
    Passwords,
    Passkeys,
    SecondFactor,
    CompanySignIn,
    IdentityProvidersService,
    OpenIdSignIn,
    ProviderClient,
    ProviderRequests,
    SignInWays,
    SignOnService,
    SingleSignOnRepository,
    StartedSignOns,
  ],
  exports: [
    UsersService,
    PersonErasure,
    Accounts,
    AccountPasskeys,
    AskedAgain,
    Passkeys,
    InvitationsService,
    SignInRulesService,
    SignInService,
    SignInSteps,
    IdentityProvidersService,
  ],
})
export class UsersModule {}
