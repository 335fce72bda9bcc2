import { Module } from '@nestjs/common';
import { OrganizationModule } from '../../organization/index.js';
import { UsersModule } from '../../users/index.js';
import { SignInSteps } from '../sign-in/sign-in-steps.js';
import { ConnectionsController } from './connections.controller.js';
import { ConnectionsRepository } from './connections.repository.js';
import { ConnectionsService } from './connections.service.js';
import { ConnectionsSession } from './connections-session.js';

/** A person's page of connected applications. */
@Module({
  imports: [OrganizationModule, UsersModule],
  controllers: [ConnectionsController],
  providers: [ConnectionsRepository, ConnectionsService, ConnectionsSession, SignInSteps],
  exports: [SignInSteps],
})
export class ConnectionsModule {}
