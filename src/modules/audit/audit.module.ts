import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditConsole } from './console/audit.console.js';
import { AuditController } from './audit.controller.js';
import { AuditBrowsing, AuditService, SealingService } from './audit.service.js';
import { AuditChain, AuditEvent } from './audit-event.entity.js';
import { AuditRepository, SealingRepository } from './audit.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent, AuditChain])],
  controllers: [AuditController, AuditConsole],
  providers: [AuditService, AuditBrowsing, AuditRepository, SealingService, SealingRepository],
  exports: [AuditService],
})
export class AuditModule {}
