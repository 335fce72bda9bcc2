import { Module } from '@nestjs/common';
import { OrganizationModule } from '../organization/index.js';
import { UsersModule } from '../users/index.js';
import { AccessTokenResolver } from './access-token.resolver.js';
import { ApplicationsModule } from './applications/applications.module.js';
import { InteractionsModule } from './interactions/interactions.module.js';
import { MetadataController } from './metadata.controller.js';
import { OAuthController } from './oauth.controller.js';
import { OAuthConsoleModule } from './console/oauth-console.module.js';
import { DPoPProofs } from './proofs/dpop-proofs.js';
import { ProofReplays } from './proofs/proof-replays.js';
import { ProviderModule } from './provider/provider.module.js';
import { OAuthTokenFlows, ResourceMetadataParameter } from './resources.js';
import { SharedModule } from './shared/shared.module.js';
import { StorageModule } from './storage/storage.module.js';

/** OAuth 2 for partner applications. */
@Module({
  imports: [
    ApplicationsModule,
    SharedModule,
    StorageModule,
    ProviderModule,
    InteractionsModule,
    OAuthConsoleModule,
    OrganizationModule,
    UsersModule,
  ],
  controllers: [OAuthController, MetadataController],
  providers: [ResourceMetadataParameter, OAuthTokenFlows, AccessTokenResolver, DPoPProofs, ProofReplays],
  exports: [ApplicationsModule, SharedModule],
})
export class OAuthModule {}
