import { Module } from '@nestjs/common';
import { OrganizationModule } from '../../organization/index.js';
import { UsersModule } from '../../users/index.js';
import { ApplicationsModule } from '../applications/applications.module.js';
import { DevicePages } from '../devices/device-pages.js';
import { DevicePolling } from '../devices/device-polling.js';
import { Resources } from '../resources.js';
import { StorageModule } from '../storage/storage.module.js';
import { AuthorizationLimits } from './authorization-limits.js';
import { AuthorizationServer } from './authorization-server.js';
import { OAuthAudit } from './oauth-audit.js';
import { ProviderHooks } from './provider-hooks.js';

/** The authorization server, and what this service does around its requests. */
@Module({
  imports: [ApplicationsModule, StorageModule, OrganizationModule, UsersModule],
  providers: [Resources, AuthorizationLimits, AuthorizationServer, DevicePages, DevicePolling, OAuthAudit, ProviderHooks],
  exports: [Resources, AuthorizationServer, OAuthAudit],
})
export class ProviderModule {}
