import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../organization/index.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyResolver, KeyUse } from './api-key.resolver.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { KeyUsedStep } from './console/key-used.step.js';
import { KeysConsole } from './console/keys.console.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyLimit } from './key-limit.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey]), OrganizationModule],
  controllers: [KeysConsole],
  providers: [ApiKeysService, ApiKeysRepository, ApiKeyResolver, KeyLimit, KeyUse, KeyUsedStep],
  exports: [ApiKeysService],
})
export class ApiKeysModule {}
