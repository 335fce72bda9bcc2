import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditConsole } from './console/audit.console.js';
import { AuditEventConsole } from './console/audit-event.console.js';
import { AuditController } from './audit.controller.js';
import { AuditBrowsing, AuditService } from './audit.service.js';
import { AuditChain, AuditEvent } from './audit-event.entity.js';
import { AuditRepository, SealingRepository } from './audit.repository.js';
import { ForgottenPeople } from './personal/forgotten-people.service.js';
import { PersonalValues } from './personal/personal-values.js';
import { AuditPersonalValue, AuditPersonKey } from './personal/personal-value.entity.js';
import { SealingService } from './sealing.service.js';
import { AuditCheckpoint, AuditKey, AuditTile } from './tree/checkpoint.entity.js';
import { AuditKeys, CheckpointsRepository } from './tree/checkpoints.repository.js';
import { Checkpoints } from './tree/checkpoints.service.js';
import { ProofsService } from './tree/proofs.service.js';
import { AuditDestination } from './stream/destination.entity.js';
import { DestinationsRepository } from './stream/destinations.repository.js';
import { LogDestinations } from './stream/destinations.service.js';
import { LogSender } from './stream/log-sender.js';
import { LogStream } from './stream/log-stream.service.js';
import { AuditWitness } from './tree/witness.entity.js';
import { WitnessesRepository } from './tree/witnesses.repository.js';
import { WitnessClient, Witnesses } from './tree/witnesses.service.js';
import { AuditKeysController, ProofsController } from './tree/proofs.controller.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      ...[AuditEvent, AuditChain, AuditTile, AuditCheckpoint, AuditKey, AuditWitness],
      ...[AuditPersonalValue, AuditPersonKey, AuditDestination],
    ]),
  ],
  controllers: [AuditController, ProofsController, AuditKeysController, AuditConsole, AuditEventConsole],
  providers: [
    AuditService,
    AuditBrowsing,
    AuditRepository,
    PersonalValues,
    ForgottenPeople,
    SealingService,
    SealingRepository,
    Checkpoints,
    CheckpointsRepository,
    AuditKeys,
    ProofsService,
    Witnesses,
    WitnessClient,
    WitnessesRepository,
    LogDestinations,
    DestinationsRepository,
    LogStream,
    LogSender,
  ],
  exports: [AuditService, AuditBrowsing, ProofsService, Witnesses, PersonalValues, ForgottenPeople, LogDestinations, LogStream],
})
export class AuditModule {}
