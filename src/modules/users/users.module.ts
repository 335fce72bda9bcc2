import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../organization/index.js';
import { Accounts } from './accounts/accounts.service.js';
import { AskedAgain } from './accounts/asked-again.js';
import { MembersConsole } from './console/members.console.js';
import { INVITATION_PROVIDERS } from './invitations/invitation-providers.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { SIGN_IN_PROVIDERS, SignInRulesService, SignInService, SignInSteps } from './sign-in/sign-in-providers.js';
import { UserInvitation } from './invitations/user-invitation.entity.js';
import {
  IdentityProvidersService,
  SINGLE_SIGN_ON_CONTROLLERS,
  SINGLE_SIGN_ON_ENTITIES,
  SINGLE_SIGN_ON_PROVIDERS,
} from './single-sign-on/single-sign-on-providers.js';
import { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([User, UserInvitation, ...SINGLE_SIGN_ON_ENTITIES]), OrganizationModule],
  controllers: [InvitationsController, MembersConsole, ...SINGLE_SIGN_ON_CONTROLLERS],
  providers: [
    UsersService,
    Accounts,
    AskedAgain,
    UsersRepository,
    ...INVITATION_PROVIDERS,
    ...SIGN_IN_PROVIDERS,
    ...SINGLE_SIGN_ON_PROVIDERS,
  ],
  exports: [
    UsersService,
    Accounts,
    AskedAgain,
    InvitationsService,
    SignInRulesService,
    SignInService,
    SignInSteps,
    IdentityProvidersService,
  ],
})
export class UsersModule {}
