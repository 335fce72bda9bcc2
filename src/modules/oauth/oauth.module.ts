import { Module } from '@nestjs/common';
import { OrganizationModule } from '../organization/index.js';
import { UsersModule } from '../users/index.js';
import { AccessTokenResolver } from './access-token.resolver.js';
import { ApplicationsModule } from './applications/applications.module.js';
import { ConnectionsModule } from './connections/connections.module.js';
import { InteractionsController } from './interactions/interactions.controller.js';
import { InteractionsService } from './interactions/interactions.service.js';
import { MetadataController } from './metadata.controller.js';
import { DPoPProofs } from './proofs/dpop-proofs.js';
import { ProofReplays } from './proofs/proof-replays.js';
import { OAuthController } from './oauth.controller.js';
import { OAuthTokenFlows, ResourceMetadataParameter } from './resources.js';
import { ProviderModule } from './provider/provider.module.js';
import { StorageModule } from './storage/storage.module.js';

/** OAuth 2 for partner applications. */
@Module({
  imports: [ApplicationsModule, StorageModule, ProviderModule, ConnectionsModule, OrganizationModule, UsersModule],
  controllers: [OAuthController, MetadataController, InteractionsController],
  providers: [ResourceMetadataParameter, OAuthTokenFlows, InteractionsService, AccessTokenResolver, DPoPProofs, ProofReplays],
  exports: [ApplicationsModule],
})
export class OAuthModule {}
