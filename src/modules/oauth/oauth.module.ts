import { Module } from '@nestjs/common';
import { OrganizationModule } from '../organization/index.js';
import { UsersModule } from '../users/index.js';
import { AccessTokenResolver } from './access-token.resolver.js';
import { ApplicationsModule } from './applications.module.js';
import { AuthorizationServer } from './authorization-server.js';
import { InteractionsController } from './interactions.controller.js';
import { InteractionsService } from './interactions.service.js';
import { MetadataController } from './metadata.controller.js';
import { OAuthAudit } from './oauth-audit.js';
import { OAuthCalls } from './oauth-calls.js';
import { OAuthController } from './oauth.controller.js';
import { StorageModule } from './storage.module.js';

/** OAuth 2 for partner applications. */
@Module({
  imports: [ApplicationsModule, StorageModule, OrganizationModule, UsersModule],
  controllers: [OAuthController, MetadataController, InteractionsController],
  providers: [AuthorizationServer, OAuthAudit, OAuthCalls, InteractionsService, AccessTokenResolver],
  exports: [ApplicationsModule],
})
export class OAuthModule {}
