import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationConsole } from './console/organization.console.js';
import { OrganizationController } from './organization.controller.js';
import { ErasuresRepository } from './erasures.repository.js';
import { ErasuresService } from './erasures.service.js';
import { NewOrganizations } from './new-organizations.service.js';
import { NOTICE_PROVIDERS, NoticeSettings, Notices, OrganizationNotice } from './notices/notice-providers.js';
import { OrganizationErasure } from './organization-erasure.entity.js';
import { Organization } from './organization.entity.js';
import { OrganizationLimits } from './organization-limits.js';
import { OrganizationRepository } from './organization.repository.js';
import { OrganizationService } from './organization.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Organization, OrganizationErasure, OrganizationNotice])],
  controllers: [OrganizationController, OrganizationConsole],
  providers: [
    OrganizationService,
    NewOrganizations,
    OrganizationRepository,
    OrganizationLimits,
    ErasuresRepository,
    ErasuresService,
    ...NOTICE_PROVIDERS,
  ],
  exports: [OrganizationService, NewOrganizations, ErasuresRepository, ErasuresService, Notices, NoticeSettings],
})
export class OrganizationModule {}
