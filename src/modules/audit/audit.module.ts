import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditConsole } from './console/audit.console.js';
import { AuditController } from './audit.controller.js';
import { AuditBrowsing, AuditService } from './audit.service.js';
import { AuditChain, AuditEvent } from './audit-event.entity.js';
import { AuditRepository } from './audit.repository.js';
import { SealingRepository } from './sealing.repository.js';
import { SealingService } from './sealing.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent, AuditChain])],
  controllers: [AuditController, AuditConsole],
  providers: [AuditService, AuditBrowsing, AuditRepository, SealingService, SealingRepository],
  exports: [AuditService],
})
export class AuditModule {}
