import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditConsole } from './console/audit.console.js';
import { AuditController } from './audit.controller.js';
import { AuditBrowsing, AuditService } from './audit.service.js';
import { AuditChain, AuditEvent } from './audit-event.entity.js';
import { AuditRepository, SealingRepository } from './audit.repository.js';
import { SealingService } from './sealing.service.js';
import { AuditCheckpoint, AuditKey, AuditTile } from './tree/checkpoint.entity.js';
import { AuditKeys, CheckpointsRepository } from './tree/checkpoints.repository.js';
import { Checkpoints } from './tree/checkpoints.service.js';
import { ProofsService } from './tree/proofs.service.js';
import { AuditKeysController, ProofsController } from './tree/proofs.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent, AuditChain, AuditTile, AuditCheckpoint, AuditKey])],
  controllers: [AuditController, ProofsController, AuditKeysController, AuditConsole],
  providers: [
    AuditService,
    AuditBrowsing,
    AuditRepository,
    SealingService,
    SealingRepository,
    Checkpoints,
    CheckpointsRepository,
    AuditKeys,
    ProofsService,
  ],
  exports: [AuditService, AuditBrowsing, ProofsService],
})
export class AuditModule {}
