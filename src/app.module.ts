import { Module, type DynamicModule } from '@nestjs/common';
import { ApiModule } from './modules/api/index.js';
import { ApiKeysModule } from './modules/api-keys/index.js';
import { AuditModule } from './modules/audit/index.js';
import { BatchesModule } from './modules/batches/index.js';
import { CategoriesModule } from './modules/categories/index.js';
import { ClaimItemsModule } from './modules/claim-items/index.js';
import { ConfigurationsModule } from './modules/configurations/index.js';
import { ConfirmationsModule } from './modules/confirmations/index.js';
import { ConsoleModule } from './modules/console/index.js';
import { ContractsModule } from './modules/contracts/index.js';
import { EventFeedModule } from './modules/events/index.js';
import { McpModule } from './modules/mcp/index.js';
import { OAuthModule } from './modules/oauth/index.js';
import { OrganizationModule } from './modules/organization/index.js';
import { OrganizationDataModule } from './modules/organization-data/index.js';
import { ProjectsModule } from './modules/projects/index.js';
import { ReportsModule } from './modules/reports/index.js';
import { RequestHistoryModule } from './modules/request-history/index.js';
import { StatementsModule } from './modules/statements/index.js';
import { TestEnvironmentModule } from './modules/test-environment/index.js';
import { UsageModule } from './modules/usage/index.js';
import { UsersModule } from './modules/users/index.js';
import { WebhooksModule } from './modules/webhooks/index.js';
import type { Settings } from './kernel/settings/settings.js';
import type { Log } from './kernel/log.js';
import { ApiCoreModule } from './api/api-core.module.js';
import { StoreModule } from './store/store.module.js';
import { type Extension, settingsOf } from './extension.js';

/** The one list of modules: a new resource is a folder and a line here. What a customer adds is in src/extensions. */
export const MODULES = [
  ProjectsModule,
  CategoriesModule,
  ConfigurationsModule,
  StatementsModule,
  ClaimItemsModule,
  ReportsModule,
  BatchesModule,
  OrganizationModule,
  ApiKeysModule,
  UsersModule,
  OAuthModule,
  UsageModule,
  AuditModule,
  OrganizationDataModule,
  WebhooksModule,
  EventFeedModule,
  TestEnvironmentModule,
  McpModule,
  ConfirmationsModule,
  ApiModule,
  ConsoleModule,
  RequestHistoryModule,
  ContractsModule,
];

@Module({})
export class AppModule {
  static with(settings: Settings, log: Log, added: readonly Extension[]): DynamicModule {
    const ofExtensions = added.flatMap(({ modules }) => modules);
    const injected = settingsOf(added).map((type) => ({ provide: type, useValue: settings.of(type) }));
    return {
      module: AppModule,
      // Extensions inject their settings without an import.
      global: true,
      imports: [StoreModule.with(settings, log), ApiCoreModule, ...MODULES, ...ofExtensions],
      providers: injected,
      exports: injected.map(({ provide }) => provide),
    };
  }
}
