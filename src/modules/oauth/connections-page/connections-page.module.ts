import { Module } from '@nestjs/common';
import { OrganizationModule } from '../../organization/index.js';
import { UsersModule } from '../../users/index.js';
import { ApplicationsModule } from '../applications/applications.module.js';
import { ConnectionsPageController } from './connections-page.controller.js';
import { ConnectionsPageRepository } from './connections-page.repository.js';
import { ConnectionsPageService } from './connections-page.service.js';
import { ConnectionsSession } from './connections-session.js';

/** A person's page of connected applications. */
@Module({
  imports: [ApplicationsModule, OrganizationModule, UsersModule],
  controllers: [ConnectionsPageController],
  providers: [ConnectionsPageRepository, ConnectionsPageService, ConnectionsSession],
  exports: [ConnectionsPageService],
})
export class ConnectionsPageModule {}
