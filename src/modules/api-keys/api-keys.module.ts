import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../organization/index.js';
import { ProjectsModule } from '../projects/index.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyResolver, KeyUse } from './api-key.resolver.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService, KeyLimit, ExpiryNotice } from './api-keys.service.js';
import { KeyRules } from './key-rules.js';
import { FirstKeyStep, ApiKeysConsole } from './console/api-keys.console.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey]), OrganizationModule, ProjectsModule],
  controllers: [ApiKeysConsole],
  providers: [ApiKeysService, ApiKeysRepository, ApiKeyResolver, KeyLimit, KeyRules, KeyUse, FirstKeyStep, ExpiryNotice],
  exports: [ApiKeysService],
})
export class ApiKeysModule {}
