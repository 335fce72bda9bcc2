import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntry } from '../audit/audit-entry.entity.js';
import { AuditRecorder, ThrottledRecorder } from '../audit/audit-recorder.js';
import { DomainEvent } from './event.entity.js';
import { EventRetention } from './event-retention.js';
import { Events } from './events.js';

/** What every change writes: its event and its audit entry. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([DomainEvent, AuditEntry])],
  providers: [Events, EventRetention, AuditRecorder, ThrottledRecorder],
  exports: [Events, AuditRecorder, ThrottledRecorder],
})
export class EventsModule {}
