import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../organization/index.js';
import { ProjectsModule } from '../projects/index.js';
import { UsersModule } from '../users/index.js';
import { AccessTokenResolver } from './access-token.resolver.js';
import { Application } from './applications/application.entity.js';
import { ApplicationCache, ApplicationsRepository } from './applications/applications.repository.js';
import { ApplicationsService } from './applications/applications.service.js';
import { ConnectionsPageController } from './connections-page/connections-page.controller.js';
import { ConnectionsPageRepository, ConnectionRulesRepository } from './shared/connections/connection-rules.repository.js';
import { ConnectionsPageService } from './connections-page/connections-page.service.js';
import { ApplicationsConsole, ConnectionsConsole } from './console/applications.console.js';
import { DevicePolling, AuthorizationLimits } from './provider/caller-limits.js';
import { DevicePages } from './devices/device.pages.js';
import { ApplicationConsent, SharedConsent } from './interactions/application-consent.js';
import { ConsentProjects } from './interactions/consent-projects.js';
import { InteractionsController } from './interactions/interactions.controller.js';
import { InteractionsService, OpenQuestions } from './interactions/interactions.service.js';
import { MetadataController, OAuthController, RegistrationController } from './oauth.controller.js';
import { DPoPProofs, ProofReplays } from './proofs/dpop-proofs.js';
import { ProofNonces } from './proofs/proof-nonces.js';
import { Accounts, BrowserSessions, OAuthAudit, ProviderHooks } from './provider/provider-hooks.js';
import { AuthorizationServer } from './provider/authorization-server.js';
import { OAuthTokenFlows, ResourceMetadataParameter, Resources } from './resources.js';
import { Clients, ConnectionRulesService, ConnectionsService } from './shared/connections/connections.service.js';
import { ClientDecision, OrganizationConnectionRule } from './shared/connections/connection-rule.entity.js';
import { ClientDocuments } from './shared/documents/client-documents.js';
import { KeyDocuments } from './shared/documents/key-documents.js';
import { DocumentFetcher } from './shared/documents/remembered-documents.js';
import { Registration } from './shared/registrations/registration.entity.js';
import { RegistrationsRepository } from './shared/registrations/registrations.repository.js';
import { RegistrationsService } from './shared/registrations/registrations.service.js';
import { AccessTokensRepository, ClientCredentialsTokensRepository, OAuthRecordsRepository } from './storage/oauth-records.repository.js';
import { OAuthExpiry, OAuthStorage } from './storage/oauth-storage.js';
import { OAuthRecord } from './storage/oauth-record.entity.js';
import { OAuthTransactions } from './storage/oauth-transactions.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Application, ClientDecision, OAuthRecord, OrganizationConnectionRule, Registration]),
    OrganizationModule,
    ProjectsModule,
    UsersModule,
  ],
  controllers: [
    OAuthController,
    MetadataController,
    InteractionsController,
    RegistrationController,
    ConnectionsPageController,
    ApplicationsConsole,
    ConnectionsConsole,
  ],
  providers: [
    ApplicationsService,
    ApplicationsRepository,
    ApplicationCache,
    // Applications that every organization can connect, and the connections that organizations have to them.
    Clients,
    ClientDocuments,
    KeyDocuments,
    DocumentFetcher,
    RegistrationsService,
    RegistrationsRepository,
    ConnectionRulesService,
    ConnectionRulesRepository,
    ConnectionsService,
    // The records of the authorization server, and their expiry.
    OAuthStorage,
    OAuthRecordsRepository,
    ClientCredentialsTokensRepository,
    OAuthTransactions,
    OAuthExpiry,
    AccessTokensRepository,
    // The authorization server: oidc-provider, and what this service does around its requests.
    Accounts,
    AuthorizationLimits,
    AuthorizationServer,
    BrowserSessions,
    DevicePages,
    DevicePolling,
    OAuthAudit,
    ProviderHooks,
    Resources,
    // The pages between an authorization request and its answer, and a person's page of connected applications.
    OpenQuestions,
    InteractionsService,
    ApplicationConsent,
    ConsentProjects,
    SharedConsent,
    ConnectionsPageRepository,
    ConnectionsPageService,
    // Calls with access tokens.
    ResourceMetadataParameter,
    OAuthTokenFlows,
    AccessTokenResolver,
    DPoPProofs,
    ProofNonces,
    ProofReplays,
  ],
  exports: [ApplicationsService, ConnectionRulesService, RegistrationsService],
})
export class OAuthModule {}
