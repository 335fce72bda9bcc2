import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationConsole } from './console/organization.console.js';
import { AgentsService } from './agents.service.js';
import { ErasuresService } from './erasures.js';
import { MovesService } from './moves.js';
import { NoticeChoices, Notices, NoticesRepository, StatusNotice } from './notices/notices.service.js';
import { OrganizationController } from './organization.controller.js';
import { Organization, OrganizationErasure, OrganizationNotice } from './organization.entity.js';
import { OrganizationRepository } from './organization.repository.js';
import { NewOrganizations, OrganizationLimits, OrganizationService } from './organization.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Organization, OrganizationErasure, OrganizationNotice])],
  controllers: [OrganizationController, OrganizationConsole],
  providers: [
    OrganizationService,
    NewOrganizations,
    OrganizationRepository,
    OrganizationLimits,
    ErasuresService,
    MovesService,
    NoticesRepository,
    Notices,
    NoticeChoices,
    StatusNotice,
    AgentsService,
  ],
  exports: [OrganizationService, NewOrganizations, ErasuresService, MovesService, Notices, NoticeChoices],
})
export class OrganizationModule {}
