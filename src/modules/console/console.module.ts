import { Module } from '@nestjs/common';
import { OrganizationModule } from '../organization/index.js';
import { UsersModule } from '../users/index.js';
import { AccountConsole } from './account.console.js';
import { NewPasswordModule } from './new-password/new-password.module.js';
import { OverviewConsole } from './overview.console.js';
import { SecurityConsole } from './security/security.console.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SignInController } from './sign-in.controller.js';

/** The settings console: sign-in, sessions and the first page. What it shows of a resource is in that resource's module. */
@Module({
  imports: [OrganizationModule, UsersModule, SessionsModule, NewPasswordModule],
  controllers: [SignInController, AccountConsole, SecurityConsole, OverviewConsole],
  exports: [SessionsModule],
})
export class ConsoleModule {}
