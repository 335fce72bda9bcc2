import { Module } from '@nestjs/common';
import { OrganizationModule } from '../../organization/index.js';
import { UsersModule } from '../../users/index.js';
import { ApplicationsModule } from '../applications/applications.module.js';
import { DevicePages } from '../devices/device-pages.js';
import { DevicePolling } from '../devices/device-polling.js';
import { Resources } from '../resources.js';
import { SharedModule } from '../shared/shared.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { Accounts } from './accounts.js';
import { AuthorizationLimits } from './authorization-limits.js';
import { AuthorizationServer } from './authorization-server.js';
import { OAuthAudit } from './oauth-audit.js';
import { ProviderHooks } from './provider-hooks.js';

/** The authorization server: oidc-provider, and what this service does around its requests. */
@Module({
  imports: [ApplicationsModule, SharedModule, StorageModule, OrganizationModule, UsersModule],
  providers: [Accounts, AuthorizationLimits, AuthorizationServer, DevicePages, DevicePolling, OAuthAudit, ProviderHooks, Resources],
  exports: [AuthorizationServer, OAuthAudit, Resources],
})
export class ProviderModule {}
