import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../../organization/index.js';
import { UsersModule } from '../../users/index.js';
import { ConsoleSession } from './console-session.entity.js';
import { OneTimeLinks } from './one-time-links.js';
import { SessionCookie } from './session-cookie.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';
import { SignInLink } from './sign-in-link.entity.js';
import { SignInLinks } from './sign-in-links.service.js';

/** Who is signed in to the console, and the links that sign somebody in. */
@Module({
  imports: [TypeOrmModule.forFeature([ConsoleSession, SignInLink]), OrganizationModule, UsersModule],
  providers: [SessionsRepository, SessionsService, SessionCookie, OneTimeLinks, SignInLinks],
  exports: [SessionsService, OneTimeLinks, SignInLinks],
})
export class SessionsModule {}
