import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../organization/index.js';
import { UsersModule } from '../users/index.js';
import { AccountConsole } from './account.console.js';
import { OverviewConsole } from './overview.console.js';
import { ConsoleSession } from './sessions/console-session.entity.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInLink } from './sessions/sign-in-link.entity.js';
import { SignInLinks } from './sessions/sign-in-links.service.js';
import { SignInController } from './sign-in.controller.js';

/** The settings console: sign-in, sessions and the first page. What it shows of a resource is in that resource's module. */
@Module({
  imports: [TypeOrmModule.forFeature([ConsoleSession, SignInLink]), OrganizationModule, UsersModule],
  controllers: [SignInController, AccountConsole, OverviewConsole],
  providers: [SessionsRepository, SessionsService, SignInLinks],
  exports: [SignInLinks],
})
export class ConsoleModule {}
