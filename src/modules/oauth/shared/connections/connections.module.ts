import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationsModule } from '../../applications/applications.module.js';
import { RegistrationsModule } from '../registrations/registrations.module.js';
import { ClientDecision } from './client-decision.entity.js';
import { OrganizationConnectionRule } from './connection-rule.entity.js';
import { ConnectionRulesRepository } from './connection-rules.repository.js';
import { ConnectionRulesService } from './connection-rules.service.js';
import { ConnectionsRepository } from './connections.repository.js';
import { ConnectionsService } from './connections.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ClientDecision, OrganizationConnectionRule]), ApplicationsModule, RegistrationsModule],
  providers: [ConnectionRulesService, ConnectionRulesRepository, ConnectionsService, ConnectionsRepository],
  exports: [ConnectionRulesService, ConnectionsService],
})
export class ConnectionsModule {}
