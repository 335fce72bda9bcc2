import { Module } from '@nestjs/common';
import { OrganizationModule } from '../../organization/index.js';
import { UsersModule } from '../../users/index.js';
import { ConnectionsPageController } from './connections-page.controller.js';
import { ConnectionsPageRepository } from './connections-page.repository.js';
import { ConnectionsPageService } from './connections-page.service.js';
import { ConnectionsSession } from './connections-session.js';

/** A person's page of connected applications. */
@Module({
  imports: [OrganizationModule, UsersModule],
  controllers: [ConnectionsPageController],
  providers: [ConnectionsPageRepository, ConnectionsPageService, ConnectionsSession],
})
export class ConnectionsPageModule {}
