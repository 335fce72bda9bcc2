import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../organization/index.js';
import { UsersModule } from '../users/index.js';
import { AccountConsole } from './account.console.js';
import { NewPasswordController } from './new-password/new-password.controller.js';
import { NewPasswordLetters, NewPasswordMail, NewPasswords } from './new-password/new-password.service.js';
import { OverviewConsole, SearchConsole } from './overview.console.js';
import { PartsController } from './parts.controller.js';
import { PasskeysConsole } from './security/passkeys.console.js';
import { SecurityConsole } from './security/security.console.js';
import { ConsoleSession, SignInLink } from './sessions/console-session.entity.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionCookie, SessionsService, OneTimeLinks, SignInLinks } from './sessions/sessions.service.js';
import { SignInController } from './sign-in.controller.js';

/** The settings console: sign-in, sessions and the first page. What it shows of a resource is in that resource's module. */
@Module({
  imports: [TypeOrmModule.forFeature([ConsoleSession, SignInLink]), OrganizationModule, UsersModule],
  controllers: [
    SignInController,
    AccountConsole,
    SecurityConsole,
    PasskeysConsole,
    OverviewConsole,
    SearchConsole,
    NewPasswordController,
    PartsController,
  ],
  providers: [
    SessionsRepository,
    SessionsService,
    SessionCookie,
    OneTimeLinks,
    SignInLinks,
    NewPasswords,
    NewPasswordMail,
    NewPasswordLetters,
  ],
  exports: [SessionsService, OneTimeLinks, SignInLinks],
})
export class ConsoleModule {}
