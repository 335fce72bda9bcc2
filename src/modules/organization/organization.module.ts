import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationConsole } from './console/organization.console.js';
import { ErasuresRepository } from './erasures.repository.js';
import { ErasuresService } from './erasures.service.js';
import { NewOrganizations } from './new-organizations.service.js';
import { NoticeChoices } from './notices/notice-choices.service.js';
import { NoticesRepository } from './notices/notices.repository.js';
import { Notices, StatusNotice } from './notices/notices.service.js';
import { OrganizationNotice } from './notices/organization-notice.entity.js';
import { OrganizationErasure } from './organization-erasure.entity.js';
import { OrganizationLimits } from './organization-limits.js';
import { OrganizationController } from './organization.controller.js';
import { Organization } from './organization.entity.js';
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
    NoticesRepository,
    Notices,
    NoticeChoices,
    StatusNotice,
  ],
  exports: [OrganizationService, NewOrganizations, ErasuresRepository, ErasuresService, Notices, NoticeChoices],
})
export class OrganizationModule {}
