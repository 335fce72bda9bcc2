import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../organization/index.js';
import { AcceptanceService } from './invitations/acceptance.service.js';
import { InvitationMail } from './invitations/invitation-mail.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { Passwords } from './sign-in/passwords.js';
import { SecondFactor } from './sign-in/second-factor.js';
import { SignInAttempts } from './sign-in/sign-in-attempts.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SignInSteps } from './sign-in/sign-in-steps.js';
import { UserInvitation } from './invitations/user-invitation.entity.js';
import { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([User, UserInvitation]), OrganizationModule],
  controllers: [InvitationsController],
  providers: [
    UsersService,
    UsersRepository,
    InvitationsService,
    InvitationMail,
    AcceptanceService,
    SignInService,
    SignInSteps,
    SignInAttempts,
    Passwords,
    SecondFactor,
  ],
  exports: [UsersService, InvitationsService, SignInService, SignInSteps],
})
export class UsersModule {}
