import { Module } from '@nestjs/common';
import { OrganizationModule } from '../organization/index.js';
import { UsersModule } from '../users/index.js';
import { AccessTokenResolver } from './access-token.resolver.js';
import { ApplicationsModule } from './applications/applications.module.js';
import { AuthorizationLimits } from './provider/authorization-limits.js';
import { AuthorizationServer } from './provider/authorization-server.js';
import { InteractionsController } from './interactions/interactions.controller.js';
import { InteractionsService } from './interactions/interactions.service.js';
import { MetadataController } from './metadata.controller.js';
import { OAuthAudit } from './provider/oauth-audit.js';
import { ProviderHooks } from './provider/provider-hooks.js';
import { OAuthController } from './oauth.controller.js';
import { OAuthTokenFlows, ResourceMetadataParameter, Resources } from './resources.js';
import { StorageModule } from './storage/storage.module.js';

/** OAuth 2 for partner applications. */
@Module({
  imports: [ApplicationsModule, StorageModule, OrganizationModule, UsersModule],
  controllers: [OAuthController, MetadataController, InteractionsController],
  providers: [
    Resources,
    ResourceMetadataParameter,
    OAuthTokenFlows,
    AuthorizationLimits,
    AuthorizationServer,
    OAuthAudit,
    ProviderHooks,
    InteractionsService,
    AccessTokenResolver,
  ],
  exports: [ApplicationsModule],
})
export class OAuthModule {}
